// A trader's books within one window: the holdings at its start, the moves within it, and which prices are needed at its
// ends and at the ends of its buckets.
import { type Lot, NOTHING_HELD, splitAt } from "../../accounting/lot.ts";
import type { PriceMark } from "../../accounting/marks.ts";
import { toMicro } from "../../accounting/money.ts";
import type { PositionBook } from "../../accounting/window.ts";
import type { TraderBook } from "../../protocol/shapes/books.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import type { Token } from "../../protocol/shapes/token.ts";

/** One position with its moves, from any source. */
export interface Book extends TraderBook {
  /** Whether these are all of its moves. */
  isWhole: boolean;
}

export interface WindowBounds {
  from: number;
  to: number;
}

type MarkOf = (token: Token, at: number) => PriceMark | null;

/** The time of the first move; null without any. */
export function firstMoveAt(books: readonly Book[]): number | null {
  const first = books.reduce(
    (earliest, { position }) => Math.min(earliest, position.openedAt),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(first) ? first : null;
}

/** The books that were open at some time in the window, with the amount held at its start. */
export function booksWithin(books: readonly Book[], { from, to }: WindowBounds): OpenedBook[] {
  return books.flatMap((book): OpenedBook[] => {
    const { position } = book;
    if (position.openedAt >= to || (position.status === "closed" && position.lastActivityAt < from))
      return [];
    const { opening, later } = splitAt(lotBefore(book), book.moves, from);
    return [{ ...book, opening, later }];
  });
}

export interface OpenedBook extends Book {
  opening: Lot;
  later: readonly Book["moves"][number][];
}

function lotBefore({ before }: Book): Lot {
  if (before === null) return NOTHING_HELD;
  const { amount, costUsd } = before;
  return { amount, largest: amount, cost: costUsd === null ? null : toMicro(costUsd) };
}

/** The prices without which a window can't be closed. */
export function marksNeeded(
  books: readonly OpenedBook[],
  { from, to }: WindowBounds,
): { token: Token; at: number }[] {
  return books.flatMap(({ position, opening }) => [
    ...(opening.amount > 0 ? [{ token: position.token, at: from }] : []),
    ...(position.status === "open" ? [{ token: position.token, at: to }] : []),
  ]);
}

export function positionBooks(
  books: readonly OpenedBook[],
  { from, to }: WindowBounds,
  markOf: MarkOf,
): PositionBook<Position>[] {
  return books.map(({ position, opening, later, isWhole }) => ({
    subject: position,
    opening,
    moves: later,
    openingMark: opening.amount > 0 ? markOf(position.token, from) : null,
    closingMark: position.status === "open" ? markOf(position.token, to) : null,
    isWhole,
  }));
}
