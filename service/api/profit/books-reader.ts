// Reads a trader's books: the platform's own, live as of a moment, so that every ranked trader can be looked up in the
// first second; otherwise the captured ones, which say what they lack. Routes that need the same trader at the same
// moment share one read.
import { type BookMove, NOTHING_HELD, splitAt } from "../../../accounting/lot.ts";
import { createLru } from "../../../kit/lru.ts";
import { createSingleFlight } from "../../../kit/single-flight.ts";
import { servingTurn } from "../../../kit/turn.ts";
import type { Fill, Position } from "../../../protocol/shapes/position.ts";
import type { Token } from "../../../protocol/shapes/token.ts";
import type { Book } from "../../model/books.ts";
import { capturedMoves } from "../../model/captured-moves.ts";
import { positionOfFills, tradedLeg } from "../../model/fills-position.ts";
import { nameOfToken } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { Call, Upstream } from "../../upstream/port.ts";
import { found } from "../live.ts";
import { orUnsupported } from "../unsupported.ts";

export interface ReadBooks {
  asOf: number;
  rows: readonly Book[];
  /** Positions in unsolicited tokens; they don't count. */
  spam: readonly Position[];
  /** Read live from the platform; otherwise captured. */
  isLive: boolean;
  /** Whether these are all of the trader's positions. */
  isWhole: boolean;
  /** Whether anything is known about the trader. */
  available: boolean;
}

export interface BooksReader {
  read(trader: { userId: string; handle: string }, asOf: number, call: Call): Promise<ReadBooks>;
  /** A trader's captured books, even if the platform no longer knows the trader. */
  captured(userId: string, asOf: number): Promise<ReadBooks>;
}

/** Moves cached over all books: some tens of megabytes. */
const MOVES_KEPT_MAX = 60_000;
/** The weight of a book without its moves. */
const POSITION_MOVES = 4;
/** The most positions and fills read for one trader's captured books; beyond that they are not whole. */
const POSITIONS_MAX = 2_000;
const FILLS_MAX = 20_000;
/** Rows per turn of the event loop: a few milliseconds of parsing. */
const PAGE_ROWS = 250;

type BooksParts = { upstream: Upstream; store: Store; movesKeptMax?: number };

export function createBooksReader({
  upstream,
  store,
  movesKeptMax = MOVES_KEPT_MAX,
}: BooksParts): BooksReader {
  const kept = createLru<string, ReadBooks>(movesKeptMax, ({ rows, spam }) =>
    rows.reduce((sum, { moves }) => sum + moves.length + POSITION_MOVES, 1 + spam.length * POSITION_MOVES),
  );
  const flights = createSingleFlight();

  const readLive = async (userId: string, handle: string, asOf: number, call: Call) => {
    const outcome = await orUnsupported(upstream.books(userId, asOf, call));
    if (outcome === null || outcome.kind === "timedOut" || outcome.kind === "failed") return null;
    const books = found(outcome, `trader called ${handle}`);
    const [asked, sent] = [
      books.rows.filter(({ position }) => !position.spam),
      books.rows.filter(({ position }) => position.spam),
    ];
    const rows = asked.map((row): Book => ({ ...row, isWhole: row.before === null }));
    const spam = sent.map(({ position }) => position);
    return { asOf: books.asOf, rows, spam, isLive: true, isWhole: true, available: true };
  };

  const readCaptured = async (userId: string, asOf: number): Promise<ReadBooks> => {
    const capture = await store.captures.find(userId);
    const positions = await positionsOf(userId);
    const fills = await fillsOf(userId);
    const rows: Book[] = [];
    let closed = 0;
    for (const position of positions.rows) {
      if (position.status === "closed") closed++;
      if (position.openedAt >= asOf) continue;
      const moved = position.transferredInAmount + position.transferredOutAmount > 0;
      const transfers = moved
        ? (await store.transfers.byTrade(position.tradeId, { limit: PAGE_ROWS })).rows
        : [];
      const { moves, isWhole } = capturedMoves(
        position,
        fills.byTrade.get(position.tradeId) ?? [],
        transfers,
      );
      const known = movesBefore(moves, asOf);
      const standing = known.length === moves.length ? position : standingAfter(position, known);
      rows.push({ position: standing, before: null, moves: known, isWhole });
      fills.byTrade.delete(position.tradeId);
    }
    const unread = await booksOfFills(userId, [...fills.byTrade.values()], asOf);
    rows.push(...unread);
    closed += unread.filter(({ position }) => position.status === "closed").length;
    const isAll = capture?.openComplete === true && closed >= (capture.closedTotal ?? Number.MAX_VALUE);
    return {
      asOf,
      rows,
      spam: [],
      isLive: false,
      isWhole: isAll && positions.isWhole && fills.isWhole,
      available: capture !== null || rows.length > 0,
    };
  };

  /** For trades whose position was never read: tokens received or sent are missing. */
  async function booksOfFills(userId: string, trades: readonly Fill[][], asOf: number): Promise<Book[]> {
    const known = trades
      .map((fills) => fills.filter(({ at }) => at < asOf))
      .filter(({ length }) => length > 0);
    const refs = known.map(([fill]) => tokenOfFill(fill as Fill));
    const tokens = new Map((await store.tokens.byRefs(refs)).map((token) => [nameOfToken(token), token]));
    const handle = (await store.traders.byId(userId))?.handle ?? userId;
    return known.map((fills, place): Book => {
      const plain = refs[place] as Token;
      const position = positionOfFills(fills, tokens.get(nameOfToken(plain)) ?? plain, handle);
      const { moves } = capturedMoves(position, fills, []);
      return { position, before: null, moves: movesBefore(moves, asOf), isWhole: false };
    });
  }

  async function positionsOf(userId: string): Promise<{ rows: Position[]; isWhole: boolean }> {
    const rows: Position[] = [];
    for (let cursor: FillCursor = null; ; await servingTurn()) {
      const page = await store.positions.byTrader(userId, { sort: "recent", limit: PAGE_ROWS, cursor });
      rows.push(...page.rows);
      if (page.next === null) return { rows, isWhole: true };
      if (rows.length >= POSITIONS_MAX) return { rows, isWhole: false };
      cursor = page.next;
    }
  }

  async function fillsOf(userId: string): Promise<{ byTrade: Map<string, Fill[]>; isWhole: boolean }> {
    const byTrade = new Map<string, Fill[]>();
    let count = 0;
    for (let cursor: FillCursor = null; ; await servingTurn()) {
      const page = await store.fills.byTrader(userId, { limit: PAGE_ROWS, cursor });
      for (const fill of page.rows) {
        const known = byTrade.get(fill.tradeId);
        if (known) known.push(fill);
        else byTrade.set(fill.tradeId, [fill]);
      }
      count += page.rows.length;
      if (page.next === null) return { byTrade, isWhole: true };
      if (count >= FILLS_MAX) return { byTrade, isWhole: false };
      cursor = page.next;
    }
  }

  return {
    captured: readCaptured,
    read({ userId, handle }, asOf, call) {
      const key = `${userId}@${asOf}`;
      const known = kept.get(key);
      if (known) return Promise.resolve(known);
      const readAny = async (signal: AbortSignal) => {
        const live = await readLive(userId, handle, asOf, { deadlineMs: call.deadlineMs, signal });
        // A platform that has not reached the moment yet is asked again.
        if (live?.asOf === asOf) kept.set(key, live);
        return live ?? readCaptured(userId, asOf);
      };
      return flights.run(key, readAny, call.signal);
    },
  };
}

/** The little that a fill says about its token. */
function tokenOfFill(fill: Fill): Token {
  const { address, symbol } = tradedLeg(fill);
  return { address, networkId: fill.networkId, symbol, name: symbol, image: null, decimals: 0 };
}

const movesBefore = (moves: readonly BookMove[], asOf: number): Book["moves"] =>
  moves.filter(({ at }) => at < asOf).map((move) => ({ ...move, networkFeeUsd: null }));

/** A position as of its first moves: anything sold later was still held. */
function standingAfter(position: Position, moves: Book["moves"]): Position {
  const { amount } = splitAt(NOTHING_HELD, moves, Number.POSITIVE_INFINITY).opening;
  const lastActivityAt = moves.at(-1)?.at ?? position.openedAt;
  return amount > 0
    ? { ...position, status: "open", lastActivityAt, closedAt: null }
    : { ...position, status: "closed", lastActivityAt, closedAt: lastActivityAt };
}

type FillCursor = NonNullable<Parameters<Store["fills"]["byTrader"]>[1]["cursor"]> | null;
