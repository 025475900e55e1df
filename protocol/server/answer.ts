// One question put to a platform in this process, as a request would put it: the same bounds, the same outcomes.
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import { type PlatformApi, UNSUPPORTED } from "../platform.ts";
import { type CallName, QUESTIONS } from "../questions.ts";
import { type Parameters, readInput } from "./input.ts";

export type Answered = { kind: "found"; value: unknown } | { kind: "unknown" } | { kind: "unsupported" };

/** Thrown by a platform that answers nobody for now and knows it, which is no fault to write down: a server calls it 503. */
export class Away extends Error {
  override name: string = "Away";
}

/** Throws, or rejects with, BadInput for what a server calls 400. */
export function answer(api: PlatformApi, name: CallName, parameters: Parameters): MaybePromise<Answered> {
  return after(QUESTIONS[name].call(api, readInput(parameters)), (value): Answered => {
    if (value === undefined) return { kind: "unknown" };
    return value === UNSUPPORTED ? { kind: "unsupported" } : { kind: "found", value };
  });
}
