// If an upstream refuses a page requested by its own cursor, the cursor is no longer valid: that is the caller's error, not
// a failure.
import type { Outcome } from "../../upstream/port.ts";
import { badCursor, type LivePlace } from "../cursor.ts";
import { found } from "../live.ts";

export function fromUpstreamCursor<T>(outcome: Outcome<T>, place: LivePlace, what: string): T {
  const byCursor = place.upstreamCursor !== null;
  if (byCursor && outcome.kind === "failed" && outcome.reason === "refused") throw badCursor();
  return found(outcome, what);
}
