// Plans the history of a new world: activity has more than doubled over its month, most of it towards the end. So the present
// is as busy as the last day, every window is as full as it would be, and a start simulates half a month at that rate.
import { DAY_MS } from "../kit/units.ts";
import type { Segment } from "./world/schedule.ts";

/** Activity long ago, relative to now. */
const BEFORE = 0.4;
/** This many days ago, half of the growth was still to come. */
const HALF_DAYS = 5;

/** Activity then, relative to now. */
function grown(daysAgo: number): number {
  return BEFORE + (1 - BEFORE) / (1 + (daysAgo / HALF_DAYS) ** 2);
}

/** From genesis until now in steps of a day, the last one at the full rate. */
export function growthTo(rate: number, genesis: number, now: number): Segment[] {
  const segments: Segment[] = [];
  for (let from = genesis; from < now; ) {
    const daysAgo = Math.ceil((now - from) / DAY_MS) - 1;
    const until = now - daysAgo * DAY_MS;
    segments.push({ from, until, rate: rate * grown(daysAgo) });
    from = until;
  }
  return segments;
}
