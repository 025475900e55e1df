// How a new world's past is planned: the platform has grown to its rate over a month, fast of late. So the present is as
// busy as the last day was, every window is as full as it would be, and a start lives less than a week at that rate.
import type { Segment } from "./world/schedule.ts";

const DAY_MS = 86_400_000;
/** Half as busy as now, so many days ago; a quarter, 1.7 times as many. */
const HALF_DAYS = 4;

/** How busy the platform was then, against now. */
function grown(daysAgo: number): number {
  return 1 / (1 + (daysAgo / HALF_DAYS) ** 2);
}

/** From genesis until now in steps of a day, the last of them at the whole rate. */
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
