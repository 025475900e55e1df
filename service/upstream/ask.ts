// How an adapter is called: one question of the protocol with its parameters and its answer's decoder, by a
// deadline. The outcome contains only values that were read by their schema.

import type { CallName } from "../../protocol/questions.ts";
import { Malformed } from "../../protocol/schema.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { Call, Outcome } from "./port.ts";

export type { CallName };
export type Decoder<T> = (value: unknown) => T;

type AskParameter = string | number | null | undefined;
/** By name, for both path and query; null and undefined are omitted, a list is repeated item by item. */
export type AskParameters = Readonly<Record<string, AskParameter | readonly string[]>>;

export interface Adapter {
  name: string;
  ask<T>(name: CallName, parameters: AskParameters, call: Call, decode: Decoder<T>): Promise<Outcome<T>>;
  /** A bad row was left out of an answer. */
  onDropped(name: CallName): void;
  watch(onMove: (feed: FeedName) => void): () => void;
  close(): Promise<void>;
}

/** Decodes, or returns `failed: malformed`. `onUnexpected` gets errors that only a bug of ours can throw. */
export function decoded<T>(
  value: unknown,
  decode: Decoder<T>,
  onUnexpected: (error: unknown) => void,
): Outcome<T> {
  try {
    return { kind: "found", value: decode(value) };
  } catch (error) {
    if (!(error instanceof Malformed)) onUnexpected(error);
    return { kind: "failed", reason: "malformed" };
  }
}
