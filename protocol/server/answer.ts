// One question to a platform in this process, as a request would ask it: the same bounds, the same outcomes.
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import { type PlatformApi, UNSUPPORTED } from "../platform.ts";
import { type CallName, QUESTIONS } from "../questions.ts";
import { type QuestionParameters, readInput } from "./input.ts";

export type AnswerOutcome = { kind: "found"; value: unknown } | { kind: "unknown" } | { kind: "unsupported" };

/** Thrown by a platform that can't answer at present, which is not an error to log: a server answers 503. */
export class Away extends Error {
  override name: string = "Away";
}

/** Throws, or rejects with, BadInput where a server answers 400. */
export function answer(
  api: PlatformApi,
  name: CallName,
  parameters: QuestionParameters,
): MaybePromise<AnswerOutcome> {
  return after(QUESTIONS[name].call(api, readInput(parameters)), (value): AnswerOutcome => {
    if (value === undefined) return { kind: "unknown" };
    return value === UNSUPPORTED ? { kind: "unsupported" } : { kind: "found", value };
  });
}
