// What tracked traders bought and sold, as marks on the candles.
import type { TapeEvent } from "../shared/feed.ts";

export interface ChartMark {
  at: number;
  side: "buy" | "sell";
  count: number;
  usd: number;
}

/** One mark for each side of each candle that is shown. */
export function marksOf(
  fills: readonly Pick<TapeEvent, "alertType" | "ts" | "fillUsd">[],
  bucketOf: (at: number) => number,
  shown: ReadonlySet<number>,
): ChartMark[] {
  const marks = new Map<string, ChartMark>();
  for (const fill of fills) {
    const at = bucketOf(fill.ts);
    if (!shown.has(at)) continue;
    const side = fill.alertType === "buy" ? "buy" : "sell";
    const mark = marks.get(`${at}${side}`) ?? { at, side, count: 0, usd: 0 };
    mark.count += 1;
    mark.usd += fill.fillUsd ?? 0;
    marks.set(`${at}${side}`, mark);
  }
  return [...marks.values()].sort((a, b) => a.at - b.at || (a.side < b.side ? -1 : 1));
}
