// An upstream that refuses a page we ask for by its own cursor says that the cursor is no longer good, which is the
// caller's to correct and not a failure.
import type { Outcome } from "../../upstream/port.ts";
import { badCursor, type LivePlace } from "../cursor.ts";
import { found } from "../live.ts";

export function fromUpstreamCursor<T>(outcome: Outcome<T>, place: LivePlace, what: string): T {
  const byCursor = place.upstreamCursor !== null;
  if (byCursor && outcome.kind === "failed" && outcome.reason === "refused") throw badCursor();
  return found(outcome, what);
}
