// A window as a curve: its value at the end of each bucket. The last bucket ends with the window and uses the
// same marks, so it equals the window's profit.
import type { Sliced } from "../kit/slices.ts";
import type { PriceMark } from "./marks.ts";
import type { Micro } from "./money.ts";
import { addProfit, earned, noProfit, type Profit } from "./totals.ts";
import { enterBooked, markedValue, type PositionProfit, totalsAtOpening } from "./window.ts";

export interface CurveBucket {
  opensAt: number;
  endsAt: number;
  /** From the window's start to this bucket's end. */
  sinceStart: Profit;
  /** Realized in this bucket, net of fees. */
  realized: Micro;
  /** Unrealized at its end. */
  unrealized: Micro;
  /** The value of holdings at its end. */
  equity: Micro;
  volume: Micro;
  fills: number;
  /** Positions without a mark at its end; each counts at its last known value. */
  unpriced: number;
}

/** Buckets are aligned to whole steps, so that two windows share them; the first and the last may be partial. */
export function bucketEnds(from: number, to: number, stepMs: number): { opensAt: number; endsAt: number }[] {
  const ends: { opensAt: number; endsAt: number }[] = [];
  for (let opensAt = Math.floor(from / stepMs) * stepMs; opensAt < to; opensAt += stepMs)
    ends.push({ opensAt, endsAt: Math.min(opensAt + stepMs, to) });
  return ends;
}

/** A slice is one position. `markAt` gives the mark at the end of each bucket except the last, which has the window's own marks. */
export function* curveOf<Subject>(
  positions: readonly PositionProfit<Subject>[],
  ends: readonly { opensAt: number; endsAt: number }[],
  markAt: (subject: Subject, moment: number) => PriceMark | null,
): Sliced<CurveBucket[]> {
  const buckets = ends.map(
    ({ opensAt, endsAt }): CurveBucket => ({
      opensAt,
      endsAt,
      sinceStart: noProfit(),
      realized: 0,
      unrealized: 0,
      equity: 0,
      volume: 0,
      fills: 0,
      unpriced: 0,
    }),
  );
  for (const position of positions) {
    if (position.profit) addPosition(buckets, position, markAt);
    yield;
  }
  for (const [index, bucket] of buckets.entries()) {
    const before = buckets[index - 1]?.sinceStart ?? noProfit();
    bucket.realized = bucket.sinceStart.realized - before.realized;
    bucket.volume = bucket.sinceStart.volume - before.volume;
    bucket.fills = bucket.sinceStart.fills - before.fills;
  }
  return buckets;
}

function addPosition<Subject>(
  buckets: readonly CurveBucket[],
  { book, booked, openingValue, closingValue }: PositionProfit<Subject>,
  markAt: (subject: Subject, moment: number) => PriceMark | null,
): void {
  const before = totalsAtOpening(book.opening, openingValue ?? 0);
  const totals = { ...before };
  let stood = {
    profit: noProfit(),
    unrealized: before.openValue - before.openCost,
    equity: before.openValue,
  };
  let held = book.opening;
  let next = 0;
  for (const [index, bucket] of buckets.entries()) {
    const isLast = index === buckets.length - 1;
    for (
      let entry = booked[next];
      entry && (isLast || entry.move.at < bucket.endsAt);
      entry = booked[++next]
    ) {
      enterBooked(totals, entry);
      held = entry.after;
    }
    totals.openCost = held.cost ?? 0;
    const value = isLast
      ? closingValue
      : markedValue(held, held.amount === 0 ? null : markAt(book.subject, bucket.endsAt));
    if (value === null) bucket.unpriced += 1;
    else {
      totals.openValue = value;
      const unrealized = totals.openValue - totals.openCost;
      stood = { profit: earned(before, totals), unrealized, equity: totals.openValue };
    }
    addProfit(bucket.sinceStart, stood.profit);
    bucket.unrealized += stood.unrealized;
    bucket.equity += stood.equity;
  }
}
