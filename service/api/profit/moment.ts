// The moment that profits are as of. It is far enough back that a platform has seen everything before it, and stays the
// same for half a minute, so that consecutive calls get the same one.
import { MOMENT_SECONDS } from "../../../contract/route.ts";
import { SECOND_MS } from "../../../kit/units.ts";

const EVERY_MS = MOMENT_SECONDS * SECOND_MS;
/** An app shows a fill within 20 seconds of its block; a busy platform may be a little behind that. */
const SETTLED_AFTER_MS = 25 * SECOND_MS;

export function momentOf(now: number): number {
  return Math.floor((now - SETTLED_AFTER_MS) / EVERY_MS) * EVERY_MS;
}

/** How long an answer as of this moment is the latest. */
export function secondsLeft(moment: number, now: number): number {
  return Math.max(0, moment + EVERY_MS + SETTLED_AFTER_MS - now) / SECOND_MS;
}
