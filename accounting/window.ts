// Positions' profit in a window: marked to market at both ends, net of fees. A position that lacks a mark or a cost
// has unknown profit; it is left out of the sums and counted.
import { type BookedMove, type BookMove, book, isIncoming, type Lot } from "./lot.ts";
import type { PriceMark } from "./marks.ts";
import { type Micro, toMicro } from "./money.ts";
import { addProfit, type BookTotals, earned, enter, newTotals, noProfit, type Profit } from "./totals.ts";

/** One position in a window. */
export interface PositionBook<Subject> {
  subject: Subject;
  /** At the window's start. */
  opening: Lot;
  /** Within the window, oldest first. */
  moves: readonly BookMove[];
  openingMark: PriceMark | null;
  closingMark: PriceMark | null;
  /** Whether these are all of its moves. */
  isWhole: boolean;
}

export type Missing = "cost" | "proceeds" | "openingMark" | "closingMark";

export interface PositionProfit<Subject> {
  book: PositionBook<Subject>;
  booked: BookedMove[];
  closing: Lot;
  openingValue: Micro | null;
  closingValue: Micro | null;
  /** null when unknown; `missing` says why. */
  profit: Profit | null;
  missing: Missing[];
  /** Every move and fee is known, and both marks. */
  isComplete: boolean;
}

export interface WindowProfit<Subject> {
  positions: PositionProfit<Subject>[];
  total: Profit;
  /** Positions left out of the sums. */
  unpriced: number;
  isComplete: boolean;
}

export function worthOf(amount: number, priceUsd: number): Micro {
  return toMicro(amount * priceUsd);
}

export function windowProfit<Subject>(books: readonly PositionBook<Subject>[]): WindowProfit<Subject> {
  return sumOf(books.map(positionProfit));
}

/** The total of some of a window's positions. */
export function partOf<Subject>(
  window: WindowProfit<Subject>,
  isPart: (subject: Subject) => boolean,
): WindowProfit<Subject> {
  return sumOf(window.positions.filter(({ book: { subject } }) => isPart(subject)));
}

function sumOf<Subject>(positions: PositionProfit<Subject>[]): WindowProfit<Subject> {
  const total = noProfit();
  for (const { profit } of positions) if (profit) addProfit(total, profit);
  return {
    positions,
    total,
    unpriced: positions.filter(({ profit }) => profit === null).length,
    isComplete: positions.every(({ isComplete }) => isComplete),
  };
}

export function positionProfit<Subject>(of: PositionBook<Subject>): PositionProfit<Subject> {
  const { opening, openingMark, closingMark } = of;
  const booked: BookedMove[] = [];
  let held = opening;
  for (const move of of.moves) {
    const entry = book(held, move);
    booked.push(entry);
    held = entry.after;
  }
  const openingValue = markedValue(opening, openingMark);
  const closingValue = markedValue(held, closingMark);
  const missing = missingOf(opening, booked, openingValue, closingValue);
  const profit =
    missing.length > 0
      ? null
      : profitOf(totalsAtOpening(opening, openingValue ?? 0), booked, held.cost ?? 0, closingValue ?? 0);
  return {
    book: of,
    booked,
    closing: held,
    openingValue,
    closingValue,
    profit,
    missing,
    isComplete: profit !== null && of.isWhole && of.moves.every(({ feeUsd }) => feeUsd !== null),
  };
}

/** Zero when nothing is held, and unknown without a mark. */
export function markedValue(held: Lot, mark: PriceMark | null): Micro | null {
  if (held.amount === 0) return 0;
  return mark === null ? null : worthOf(held.amount, mark.priceUsd);
}

/** A position at its window's start. */
export function totalsAtOpening(opening: Lot, openValue: Micro): BookTotals {
  return { ...newTotals(), openCost: opening.cost ?? 0, openValue };
}

/** Adds a move whose figures are all known. */
export function enterBooked(totals: BookTotals, { move, usd, fee, costTaken }: BookedMove): void {
  enter(totals, { kind: move.kind, usd: usd ?? 0, fee, costTaken: costTaken ?? 0 });
}

function profitOf(
  before: BookTotals,
  booked: readonly BookedMove[],
  openCost: Micro,
  openValue: Micro,
): Profit {
  const after = { ...before };
  for (const entry of booked) enterBooked(after, entry);
  return earned(before, { ...after, openCost, openValue });
}

function missingOf(
  opening: Lot,
  booked: readonly BookedMove[],
  openingValue: Micro | null,
  closingValue: Micro | null,
): Missing[] {
  const missing: Missing[] = [];
  const isCostUnknown =
    opening.cost === null || booked.some(({ move, usd }) => isIncoming(move.kind) && usd === null);
  if (isCostUnknown) missing.push("cost");
  if (booked.some(({ move, usd }) => move.kind === "sell" && usd === null)) missing.push("proceeds");
  if (openingValue === null) missing.push("openingMark");
  if (closingValue === null) missing.push("closingMark");
  return missing;
}
