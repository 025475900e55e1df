// Live reads of the upstream, with the API's answer for each outcome: found, a 404, or a free and retryable 503. Nothing
// an upstream does becomes a 500 or a wrong answer.
import { fault } from "../../contract/errors.ts";
import type { Outcome } from "../upstream/port.ts";
import { UnsupportedRead } from "./unsupported.ts";

/** The value, or an error that says what was requested. */
export function found<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.kind === "found") return outcome.value;
  if (outcome.kind === "unsupported") throw new UnsupportedRead(what);
  if (outcome.kind === "notFound") throw fault("not_found", `There is no ${what}.`);
  throw didNotFinish(what);
}

export function didNotFinish(what: string) {
  return fault(
    "upstream_timeout",
    `The live read of ${what} did not finish in time. Try again shortly; this was free.`,
  );
}

/** Whether the upstream did not answer at all, so that a captured copy may be used. */
export function unanswered<T>(
  outcome: Outcome<T>,
): outcome is { kind: "timedOut" } | { kind: "failed"; reason: string } {
  return outcome.kind === "timedOut" || outcome.kind === "failed";
}
