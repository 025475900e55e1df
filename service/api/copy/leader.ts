// A trader's books in the form a replay needs: holdings at the window's start, the moves within it, and the hours of tape
// needed to price them.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { Token } from "../../../protocol/shapes/token.ts";
import { curveEnds } from "../../../replay/figures.ts";
import type { ChosenStretch, LeaderMove, LeaderPosition } from "../../../replay/leader.ts";
import type { TokenTape } from "../../../replay/tape.ts";
import { hasRules, type ReplayTerms } from "../../../replay/terms.ts";
import { type Book, booksWithin, type OpenedBook } from "../../model/books.ts";
import { nameOfToken } from "../../model/token.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import type { TapeWish } from "./tape.ts";

/** Perpetuals are markets on a venue, without a pool. */
export const PERPS_NETWORK_ID = 1337;
/** The longest delay of the ladder, and how old a tick may be. */
const LADDER_MS = 300 * SECOND_MS;
const TICK_AGE_MS = MINUTE_MS;
/** How far back from its moment a mark is searched for: quiet pools are traded every few minutes. */
const MARK_REACH_MS = 15 * MINUTE_MS;

export interface CopiedBooks {
  books: readonly OpenedBook[];
  /** Buys and sells within the window. */
  fills: number;
  /** Positions in perpetuals, which are left out. */
  perps: number;
}

export function copiedBooks(rows: readonly Book[], terms: Pick<ReplayTerms, "from" | "to">): CopiedBooks {
  const within = booksWithin(rows, terms);
  const books = within.filter(({ position }) => position.token.networkId !== PERPS_NETWORK_ID);
  const fills = books.reduce((sum, { later }) => sum + later.filter(isFill).length, 0);
  return { books, fills, perps: within.length - books.length };
}

const isFill = ({ kind }: Book["moves"][number]): boolean => kind === "buy" || kind === "sell";

/** The reach of a full replay: every delay of the ladder, and the holdings at each point of the curve. */
const wholeReach = (terms: ReplayTerms): TapeReach => ({
  delayMs: Math.max(LADDER_MS, terms.delayMs),
  ends: curveEnds(terms),
});

export interface TapeReach {
  /** The longest delay at which an order is priced, */
  delayMs: number;
  /** and the moments at which holdings are valued. */
  ends: readonly number[];
}

export function tapeWishes(
  { books }: Pick<CopiedBooks, "books">,
  terms: ReplayTerms,
  { delayMs, ends }: TapeReach = wholeReach(terms),
): TapeWish[] {
  const wishes = new Map<string, GrowingWish>();
  for (const book of books) {
    const { position, later } = book;
    const name = nameOfToken(position.token);
    const wish: GrowingWish = wishes.get(name) ?? { token: position.token, hours: new Set() };
    wishes.set(name, wish);
    const orders = later.filter(isFill).map(({ at }) => at);
    for (const at of orders) addHours(wish.hours, at - TICK_AGE_MS, at + delayMs + TICK_AGE_MS);
    const buys = later.filter(({ kind }) => kind === "buy").map(({ at }) => at);
    if (terms.copyOpen && book.opening.amount > 0) {
      buys.unshift(terms.from);
      addHours(wish.hours, terms.from - MARK_REACH_MS, terms.from);
    }
    const first = buys[0] ?? Number.POSITIVE_INFINITY;
    const isKept = terms.exit === "rules" || position.status === "open";
    const until = isKept ? terms.to : (later.at(-1)?.at ?? terms.from);
    // The follower keeps tokens that the leader sends away.
    if (first < terms.to && (isKept || later.some(({ kind }) => kind === "send"))) wish.heldAt = terms.to;
    if (hasRules(terms.rules))
      for (const at of buys) addHours(wish.hours, at, watchedUntil(terms, at, until));
    for (const end of ends)
      if (end > first && (end <= until || end === terms.to))
        addHours(wish.hours, end - MARK_REACH_MS, end - 1);
  }
  return [...wishes.values()];
}

type GrowingWish = TapeWish & { hours: Set<number> };

/** Rules are checked on every tick of a holding. */
function watchedUntil({ rules: { maxHoldMs }, delayMs }: ReplayTerms, at: number, until: number): number {
  return maxHoldMs === null ? until : Math.min(until, at + delayMs + maxHoldMs + TICK_AGE_MS);
}

export function addHours(hours: Set<number>, from: number, to: number): void {
  for (let hour = Math.floor(from / HOUR_MS); hour <= Math.floor(to / HOUR_MS); hour++) hours.add(hour);
}

/** A trader who is copied. */
export interface FollowedLeader {
  /** Null for a trader who has left the platform. */
  who: { userId: string; handle: string | null } | null;
  books: ReadBooks;
  copied: CopiedBooks;
  /** When their buys are copied; null: always. */
  chosen: readonly ChosenStretch[] | null;
}

/** The token and trader of each position of a replay, in the order of `positionsOf`. */
export interface FollowedSubject {
  token: Token;
  handle: string | null;
}

/** All leaders' positions, kept separate per leader: a copied position is sold when its own leader sells. */
export function positionsOf(
  leaders: readonly FollowedLeader[],
  tapes: ReadonlyMap<string, TokenTape>,
): LeaderPosition[] {
  return leaders.flatMap(({ copied, chosen }, leader) =>
    leaderPositions(copied, tapes).map((position) => ({
      ...position,
      leader,
      ...(chosen === null ? {} : { chosen }),
    })),
  );
}

export const subjectsOf = (leaders: readonly FollowedLeader[]): FollowedSubject[] =>
  leaders.flatMap(({ who, copied }) =>
    copiedTokens(copied).map((token) => ({ token, handle: who?.handle ?? null })),
  );

export const fillsOf = (leaders: readonly FollowedLeader[]): number =>
  leaders.reduce((sum, { copied }) => sum + copied.fills, 0);

/** The hours needed for all leaders, each token once. */
export function wishesOf(leaders: readonly FollowedLeader[], terms: ReplayTerms): TapeWish[] {
  const wishes = new Map<string, GrowingWish>();
  for (const { copied } of leaders)
    for (const wish of tapeWishes(copied, terms)) {
      const name = nameOfToken(wish.token);
      const known = wishes.get(name);
      wishes.set(name, { ...wish, ...known, hours: new Set([...(known?.hours ?? []), ...wish.hours]) });
    }
  return [...wishes.values()];
}

/** One per token: a follower's wallet holds a token as one balance, however many positions the leader's books count. */
export function leaderPositions(
  { books }: CopiedBooks,
  tapes: ReadonlyMap<string, TokenTape>,
): LeaderPosition[] {
  const byToken = Map.groupBy(books, ({ position }) => nameOfToken(position.token));
  return [...byToken].map(([token, own]) => ({
    token,
    networkId: own[0]?.position.token.networkId as number,
    tape: tapes.get(token) ?? null,
    openingAmount: own.reduce((sum, { opening }) => sum + opening.amount, 0),
    moves: own
      .toSorted(byOpening)
      .flatMap(({ later }) => later.map(leaderMove))
      .sort((a, b) => a.at - b.at),
  }));
}

/** A position may end in the block where the next one begins; if two begin in one block, the closed one came first. */
function byOpening({ position: a }: OpenedBook, { position: b }: OpenedBook): number {
  const stillOpen = ({ status }: typeof a) => (status === "open" ? 1 : 0);
  return a.openedAt - b.openedAt || stillOpen(a) - stillOpen(b);
}

/** The tokens of these positions, in the same order. */
export const copiedTokens = ({ books }: Pick<CopiedBooks, "books">): Token[] => [
  ...new Map(books.map(({ position: { token } }) => [nameOfToken(token), token])).values(),
];

function leaderMove({ at, kind, amount, usd, networkFeeUsd, txHash }: Book["moves"][number]): LeaderMove {
  return { at, kind, amount, usd, networkFeeUsd, txHash };
}
