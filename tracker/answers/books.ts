// One trader's books as of a moment, and what they earned in a window: the moves of every position, booked and marked by
// `accounting/`. A mark is the last price seen before its moment, if it is not too old.
import { figuresOf, type TradingFigures } from "../../accounting/figures.ts";
import { NOTHING_HELD, splitAt } from "../../accounting/lot.ts";
import { type PriceMark, usableMark } from "../../accounting/marks.ts";
import { toMicro } from "../../accounting/money.ts";
import { type PositionBook, type WindowProfit, windowProfit } from "../../accounting/window.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { WireBook, WireBooks } from "../../protocol/shapes/books.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";
import type { Booked, PositionState } from "../books/accounting.ts";
import type { TraderLedger } from "../books/ledger.ts";
import type { RosterTrader } from "../roster/roster.ts";
import type { BooksCache } from "./books-cache.ts";
import type { AnswerParts } from "./parts.ts";
import { standingAt, wirePosition } from "./positions.ts";

const WINDOW_MS: Record<Exclude<PnlWindow, "all">, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};

export interface TraderWindow extends WindowProfit<PositionState> {
  from: number;
  figures: TradingFigures<PositionState>;
  /** Whether anything was done or held in it. */
  wasActive: boolean;
}

/** Every position as it stood at the moment, with its changes until then. */
function positionsAt(ledger: TraderLedger, at: number): { position: PositionState; booked: Booked[] }[] {
  const found = new Map<string, { position: PositionState; booked: Booked[] }>();
  for (const list of ledger.booked.values()) {
    for (const booked of list) {
      if (booked.change.timeMs >= at) break;
      const known = found.get(booked.after.tradeId) ?? { position: booked.after, booked: [] };
      known.position = booked.after;
      known.booked.push(booked);
      found.set(booked.after.tradeId, known);
    }
  }
  return [...found.values()];
}

export async function windowOf(
  cache: BooksCache,
  ledger: TraderLedger,
  window: PnlWindow,
  at: number,
): Promise<TraderWindow> {
  const positions = positionsAt(ledger, at);
  const first = positions.reduce((earliest, { position }) => Math.min(earliest, position.openedAt), at);
  const from = window === "all" ? first : at - WINDOW_MS[window];
  const active = positions.filter(
    ({ position }) => position.closedAt === null || position.lastActivityAt >= from,
  );
  const books = await Promise.all(
    active.map(async ({ position, booked }): Promise<PositionBook<PositionState>> => {
      const moves = booked.map(({ move }) => move);
      const { opening, later } = splitAt(NOTHING_HELD, moves, from);
      const markAt = (moment: number) => markOf(cache, position, moment, at - from);
      return {
        subject: position,
        opening,
        moves: later,
        openingMark: opening.amount > 0 ? await markAt(from) : null,
        closingMark: position.closedAt === null ? await markAt(at) : null,
        isWhole: true,
      };
    }),
  );
  const profit = windowProfit(books);
  const lifeNet = ({ closedAt, realizedUsd }: PositionState) =>
    closedAt === null || realizedUsd === null ? null : toMicro(realizedUsd);
  return { ...profit, from, figures: figuresOf(profit, lifeNet), wasActive: active.length > 0 };
}

async function markOf(
  cache: BooksCache,
  { chainId, token }: PositionState,
  moment: number,
  windowMs: number,
): Promise<PriceMark | null> {
  const seen = await cache.quoteAt(chainId, token, moment);
  return usableMark(seen && { priceUsd: seen.priceUsd, at: seen.timeMs, source: "quote" }, moment, windowMs);
}

export async function booksOf(
  { cache, clock }: AnswerParts,
  trader: RosterTrader,
  at?: number,
): Promise<WireBooks> {
  const asOf = Math.min(at ?? clock.now(), clock.now());
  const ledger = await cache.ledger(trader.userId);
  const rows = await Promise.all(
    positionsAt(ledger, asOf).map(async ({ position, booked }): Promise<WireBook> => {
      const standing = await standingAt(cache, ledger, position, asOf);
      return {
        position: wirePosition(trader, standing),
        before: null,
        moves: booked.map(({ move }) => move),
      };
    }),
  );
  return { asOf, rows };
}
