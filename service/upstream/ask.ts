// How an adapter is asked: one call of the platform protocol with its parameters and the decoder of its answer, by a
// deadline. The outcome holds decoded values only.
import type { Feed } from "../model/event.ts";
import { type Decoder, Malformed } from "./decode/read.ts";
import type { Call, Outcome } from "./port.ts";

/** docs/platform-protocol.md explains each; a test holds this list to what the platform serves. */
export const PATHS = {
  status: "/api/status",
  userByHandle: "/api/handles/:handle",
  users: "/api/users",
  userById: "/api/users/:userId",
  trades: "/api/users/:userId/trades",
  balances: "/api/users/:userId/balances",
  following: "/api/users/:userId/following",
  followers: "/api/users/:userId/followers",
  spotlight: "/api/users/:userId/spotlight",
  swaps: "/api/users/:userId/swaps",
  userTheses: "/api/users/:userId/theses",
  trade: "/api/trades/:tradeId",
  comments: "/api/trades/:tradeId/comments",
  leaderboard: "/api/leaderboards/:window",
  board: "/api/boards/:board",
  theses: "/api/theses",
  tokens: "/api/tokens",
  token: "/api/tokens/:address",
  tokenStats: "/api/tokens/:address/stats",
  tokenDevs: "/api/tokens/:address/devs",
  tokenTheses: "/api/tokens/:address/theses",
  search: "/api/search",
  feed: "/api/feeds/:feed",
} as const;

export type CallName = keyof typeof PATHS;

/** By name, for the path and the query alike; null and undefined are left out. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

export interface Adapter {
  name: string;
  ask<T>(name: CallName, parameters: Parameters, call: Call, decode: Decoder<T>): Promise<Outcome<T>>;
  /** A bad row was left out of an answer. */
  onDropped(name: CallName): void;
  watch(onMove: (feed: Feed) => void): () => void;
  close(): Promise<void>;
}

/** Decodes, or says `failed: malformed`. `onUnexpected` hears of what only a fault of our own can throw. */
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
