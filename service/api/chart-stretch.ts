// The candles of a position's small chart: from just before its first move to just after its last, as fine as its few
// prices allow. Whole candles, so that all callers within the same one request the same range.
import { CHART_MARKS_MAX, CHART_PRICES_MAX } from "../../contract/routes/position-charts.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { align, INTERVALS } from "./candles.ts";

export interface ChartStretch {
  interval: keyof typeof INTERVALS;
  from: number;
  to: number;
}

const ROOM_SHARE = 0.06;
const ROOM_MS_MIN = 5 * MINUTE_MS;
/** The most days that are read: the limit of one request for candles. */
const CANDLES_READ_MAX = 1_000;

export function chartStretch(begins: number, ends: number, now: number): ChartStretch {
  const room = Math.max(ROOM_MS_MIN, (ends - begins) * ROOM_SHARE);
  const [first, last] = [begins - room, Math.min(now, ends + room)];
  const names = Object.keys(INTERVALS) as (keyof typeof INTERVALS)[];
  const fits = (name: keyof typeof INTERVALS) =>
    (last - first) / INTERVALS[name].lengthMs <= CHART_PRICES_MAX - 2;
  const interval = names.find(fits) ?? "1d";
  const { lengthMs } = INTERVALS[interval];
  const to = align(last, lengthMs) + lengthMs;
  return { interval, from: Math.max(align(first, lengthMs), to - CANDLES_READ_MAX * lengthMs), to };
}

/** Whether it has prices since the position's first move. A position of more days than may be read begins before it. */
export const reachesBack = ({ from }: ChartStretch, openedAt: number, coveredFrom: number): boolean =>
  Math.max(from, coveredFrom) <= openedAt;

/** Evenly thinned, keeping the first and the last. */
export function thinned<Item>(items: readonly Item[], most = CHART_PRICES_MAX): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as Item);
}

/** The first move, and the newest of the others. */
export function shownMoves<Item>(moves: readonly Item[], most = CHART_MARKS_MAX): readonly Item[] {
  return moves.length <= most ? moves : [...moves.slice(0, 1), ...moves.slice(1 - most)];
}
