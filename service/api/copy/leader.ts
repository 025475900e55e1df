// A trader's books as a replay takes them: what was held as the window began, the moves within it, and the hours of tape
// that pricing them needs.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { curveEnds } from "../../../replay/figures.ts";
import type { LeaderMove, LeaderPosition } from "../../../replay/leader.ts";
import type { TokenTape } from "../../../replay/tape.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import { type Book, booksWithin, type OpenedBook } from "../../model/books.ts";
import { type TapeWish, tapeName } from "./tape.ts";

/** Perpetuals are markets on a venue, without a pool. */
const PERPS_NETWORK_ID = 1337;
/** The longest delay of the ladder, and how old a tick may be. */
const LADDER_MS = 300 * SECOND_MS;
const TICK_AGE_MS = MINUTE_MS;
/** A mark is looked for in so much time before its moment: quiet pools are traded every few minutes. */
const MARK_REACH_MS = 15 * MINUTE_MS;

export interface CopiedBooks {
  books: readonly OpenedBook[];
  moves: number;
  /** Positions in perpetuals, which are left out. */
  perps: number;
}

export function copiedBooks(rows: readonly Book[], terms: Pick<ReplayTerms, "from" | "to">): CopiedBooks {
  const within = booksWithin(rows, terms);
  const books = within.filter(({ position }) => position.token.networkId !== PERPS_NETWORK_ID);
  const moves = books.reduce((sum, { later }) => sum + later.length, 0);
  return { books, moves, perps: within.length - books.length };
}

export function tapeWishes({ books }: CopiedBooks, terms: ReplayTerms): TapeWish[] {
  const wishes = new Map<string, { token: TapeWish["token"]; hours: Set<number> }>();
  const ends = curveEnds(terms);
  for (const { position, later } of books) {
    const name = tapeName(position.token);
    const wish = wishes.get(name) ?? { token: position.token, hours: new Set<number>() };
    wishes.set(name, wish);
    for (const { at, kind } of later)
      if (kind === "buy" || kind === "sell")
        addHours(wish.hours, at - TICK_AGE_MS, at + Math.max(LADDER_MS, terms.delayMs) + TICK_AGE_MS);
    const first = later.find(({ kind }) => kind === "buy")?.at ?? Number.POSITIVE_INFINITY;
    const until = position.status === "open" ? terms.to : (later.at(-1)?.at ?? terms.from);
    for (const end of ends)
      if (end > first && (end <= until || end === terms.to))
        addHours(wish.hours, end - MARK_REACH_MS, end - 1);
  }
  return [...wishes.values()];
}

function addHours(hours: Set<number>, from: number, to: number): void {
  for (let hour = Math.floor(from / HOUR_MS); hour <= Math.floor(to / HOUR_MS); hour++) hours.add(hour);
}

export function leaderPositions(
  { books }: CopiedBooks,
  tapes: ReadonlyMap<string, TokenTape>,
): LeaderPosition[] {
  return books.map(({ position, opening, later }) => ({
    token: tapeName(position.token),
    networkId: position.token.networkId,
    tape: tapes.get(tapeName(position.token)) ?? null,
    openingAmount: opening.amount,
    moves: later.map(leaderMove),
  }));
}

function leaderMove({ at, kind, amount, usd, networkFeeUsd, txHash }: Book["moves"][number]): LeaderMove {
  return { at, kind, amount, usd, networkFeeUsd, txHash };
}
