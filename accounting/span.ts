// A position's profit between two moments, from the state of its books at both: the same as `positionProfit` computes from
// its moves, without them.
import type { BookedMove } from "./lot.ts";
import { isIncoming } from "./lot.ts";
import type { PriceMark } from "./marks.ts";
import type { Micro } from "./money.ts";
import { earned, enter, newTotals, type Profit } from "./totals.ts";
import { worthOf } from "./window.ts";

/** Sums over the moves of a position, from its first to some moment. */
export interface BookSums {
  gains: Micro;
  fees: Micro;
  invested: Micro;
  volume: Micro;
  fills: number;
  /** Incoming moves of unknown cost, and sells with unknown proceeds. */
  unknownIn: number;
  unknownSells: number;
}

/** The state of a position's books at some moment. */
export interface BookPoint extends BookSums {
  /** Held then, */
  amount: number;
  /** at this cost; null when unknown. */
  cost: Micro | null;
}

export const NO_SUMS: BookSums = {
  gains: 0,
  fees: 0,
  invested: 0,
  volume: 0,
  fills: 0,
  unknownIn: 0,
  unknownSells: 0,
};

export const NOTHING_BOOKED: BookPoint = { ...NO_SUMS, amount: 0, cost: 0 };

export function addMove(sums: BookSums, { move, usd, fee, costTaken }: BookedMove): BookSums {
  const totals = { ...newTotals(), ...sums };
  enter(totals, { kind: move.kind, usd: usd ?? 0, fee, costTaken: costTaken ?? 0 });
  return {
    gains: totals.gains,
    fees: totals.fees,
    invested: totals.invested,
    volume: totals.volume,
    fills: totals.fills,
    unknownIn: sums.unknownIn + Number(usd === null && isIncoming(move.kind)),
    unknownSells: sums.unknownSells + Number(usd === null && move.kind === "sell"),
  };
}

/** null when unknown. */
export function spanProfit(
  before: BookPoint,
  after: BookPoint,
  openingMark: Pick<PriceMark, "priceUsd"> | null,
  closingMark: Pick<PriceMark, "priceUsd"> | null,
): Profit | null {
  if (before.cost === null || after.unknownIn > before.unknownIn || after.unknownSells > before.unknownSells)
    return null;
  const openingValue = markedPoint(before, openingMark);
  const closingValue = markedPoint(after, closingMark);
  if (openingValue === null || closingValue === null) return null;
  return earned(
    { ...before, openCost: before.cost, openValue: openingValue },
    { ...after, openCost: after.cost ?? 0, openValue: closingValue },
  );
}

function markedPoint({ amount }: BookPoint, mark: Pick<PriceMark, "priceUsd"> | null): Micro | null {
  if (amount === 0) return 0;
  return mark === null ? null : worthOf(amount, mark.priceUsd);
}
