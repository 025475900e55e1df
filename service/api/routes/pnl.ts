// A trader's profit over time, and its proof. Both come from one window of the trader's books, so that a stranger with a
// spreadsheet can compute the first from the second.
import type { BookedMove, Lot } from "../../../accounting/lot.ts";
import type { PriceMark } from "../../../accounting/marks.ts";
import { toUsd } from "../../../accounting/money.ts";
import { cutShares, sharesBy } from "../../../accounting/shares.ts";
import type { PositionProfit } from "../../../accounting/window.ts";
import { PROOF_POSITIONS_MAX } from "../../../contract/routes/pnl.ts";
import type { Routes } from "../../../contract/routes.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { PnlWindow } from "../../../protocol/shapes/trader.ts";
import { nameOfToken } from "../../model/token.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { badCursor, isStart } from "../cursor.ts";
import { iso, isoOrNull, presentChain, presentToken } from "../present/common.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import { secondsLeft } from "../profit/moment.ts";
import { presentProfit, presentShare } from "../profit/present.ts";
import type { ProfitWindow } from "../profit/profits.ts";
import type { Services } from "../services.ts";
import type { Identify, TraderIdentity } from "../traders.ts";
import { orUnsupported } from "../unsupported.ts";

const STEP_MS = { "1h": HOUR_MS, "4h": 4 * HOUR_MS, "1d": DAY_MS } as const;
const USUAL_STEP = { "24h": "1h", "7d": "4h", "30d": "1d", all: "1d" } as const;
/** The most tokens listed as profitable, and the same number as losing. */
const SHARES_MAX = 20;

type PnlRouteId = "getPnl" | "getPnlProof";
type PnlParts = Pick<Services, "upstream" | "profits" | "chains" | "labels" | "clock">;

export function pnlRoutes(
  services: PnlParts,
  identify: Identify,
): { [Id in PnlRouteId]: Handler<Routes[Id]> } {
  const { upstream, profits, chains, labels, clock } = services;

  return {
    async getPnl({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const books = await profits.books.read(trader, call.asOf, call);
      const window = await profits.window(books, query.window, call);
      const interval = query.interval ?? USUAL_STEP[query.window];
      const buckets = await profits.curve(window, STEP_MS[interval], call);
      const byToken = sharesBy(window.positions, ({ token }) => nameOfToken(token));
      const { shown, rest } = cutShares(byToken, SHARES_MAX);
      return {
        ...keepingOf(books),
        body: {
          ...headOf(trader, query.window, window, books),
          interval,
          platformPnlUsd: books.isLive ? null : await platformPnl(trader, query.window, call),
          volumeUsd: toUsd(window.total.volume),
          fills: window.total.fills,
          count: buckets.length,
          buckets: buckets.map((bucket) => ({
            t: iso(bucket.opensAt),
            ...presentProfit(bucket.sinceStart),
            equityUsd: toUsd(bucket.equity),
            realizedUsd: toUsd(bucket.realized),
            unrealizedUsd: toUsd(bucket.unrealized),
            volumeUsd: toUsd(bucket.volume),
            fills: bucket.fills,
            unpriced: bucket.unpriced,
          })),
          byToken: shown.map(({ subject, profit }) => ({
            token: presentToken(labels, subject.token),
            ...presentChain(chains, subject.token.networkId),
            ...presentShare(profit),
          })),
          byTokenRest: rest && { tokens: rest.count, ...presentShare(rest.profit) },
          byChain: sharesBy(window.positions, ({ token }) => token.networkId).map(({ subject, profit }) => ({
            ...presentChain(chains, subject.token.networkId),
            ...presentShare(profit),
          })),
        },
      };
    },

    async getPnlProof({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const place = readProofPlace(query.cursor, call.asOf);
      const books = await profits.books.read(trader, place.asOf, call);
      const window = await profits.window(books, query.window, call);
      const rows = window.positions.toSorted(byWeight);
      const page = rows.slice(place.from, place.from + PROOF_POSITIONS_MAX);
      const next = place.from + page.length;
      return {
        ...keepingOf(books),
        body: {
          ...headOf(trader, query.window, window, books),
          total: rows.length,
          count: page.length,
          positions: page.map((position) => presentProof(position, window)),
          nextCursor: next < rows.length ? `proof:${books.asOf}:${next}` : null,
        },
      };
    },
  };

  function keepingOf({ asOf, isLive, available }: ReadBooks) {
    return { found: available, freshSeconds: isLive ? secondsLeft(asOf, clock.now()) : STAND_IN_SECONDS };
  }

  /** The platform's own figure, shown next to ours and never mixed with it. */
  async function platformPnl(
    { userId }: TraderIdentity,
    window: PnlWindow,
    call: RouteCall,
  ): Promise<number | null> {
    const outcome = await orUnsupported(upstream.traderById(userId, call));
    return outcome?.kind === "found" ? outcome.value.pnl[window] : null;
  }

  function presentProof(position: PositionProfit<Position>, { from, to }: ProfitWindow) {
    const { book, booked, closing, openingValue, closingValue, profit, missing } = position;
    const { subject } = book;
    return {
      tradeId: subject.tradeId,
      token: presentToken(labels, subject.token),
      ...presentChain(chains, subject.token.networkId),
      opening: presentMark(from, book.opening, book.openingMark, openingValue),
      moves: booked.map(presentMove),
      closing: presentMark(to, closing, book.closingMark, closingValue),
      ...(profit ? presentProfit(profit) : { pnlUsd: null, grossPnlUsd: null, feesUsd: null }),
      missing: [
        ...missing,
        ...(book.isWhole ? [] : ["moves" as const]),
        ...(book.moves.every(({ feeUsd }) => feeUsd !== null) ? [] : ["fees" as const]),
      ],
    };
  }
}

/** A captured copy is served only briefly, so that a recovered upstream is used soon. */
const STAND_IN_SECONDS = 2;

function headOf(trader: TraderIdentity, window: PnlWindow, profit: ProfitWindow, books: ReadBooks) {
  return {
    handle: trader.handle,
    userId: trader.userId,
    window,
    from: iso(profit.from),
    asOf: iso(profit.to),
    available: books.available,
    ...presentProfit(profit.total),
    realizedUsd: toUsd(profit.total.realized),
    unrealizedChangeUsd: toUsd(profit.total.unrealizedChange),
    complete: profit.isComplete,
    unpriced: profit.unpriced,
    source: books.isLive ? ("live-upstream" as const) : ("captured" as const),
    note: noteOf(books, profit),
  };
}

function noteOf({ available, isLive }: ReadBooks, { isComplete, unpriced }: ProfitWindow): string | null {
  if (!available) return "Nothing was captured for this trader, and the platform's books can't be read.";
  if (isComplete) return null;
  if (unpriced > 0)
    return `${unpriced} of the window's positions are left out: a price or a cost is not known. The proof names them.`;
  return isLive
    ? "The platform no longer knows every move of the window's positions."
    : "The platform's books can't be read: these are the fills that were captured, and some are missing.";
}

function readProofPlace(cursor: string | undefined, asOf: number): { asOf: number; from: number } {
  if (isStart(cursor)) return { asOf, from: 0 };
  const place = /^proof:(\d{1,15}):(\d{1,6})$/.exec(String(cursor));
  // No walk ever returned a future moment.
  if (!place || Number(place[1]) > asOf) throw badCursor();
  return { asOf: Number(place[1]), from: Number(place[2]) };
}

/** Unknown profits first, then the largest; ties in a stable order. */
function byWeight(a: PositionProfit<Position>, b: PositionProfit<Position>): number {
  const weight = ({ profit }: PositionProfit<Position>) =>
    profit === null ? Number.MAX_VALUE : Math.abs(profit.net);
  return weight(b) - weight(a) || (a.book.subject.tradeId < b.book.subject.tradeId ? -1 : 1);
}

function presentMark(at: number, lot: Lot, mark: PriceMark | null, value: number | null) {
  return {
    at: iso(at),
    amount: lot.amount,
    costUsd: lot.cost === null ? null : toUsd(lot.cost),
    priceUsd: mark?.priceUsd ?? null,
    pricedAt: isoOrNull(mark?.at ?? null),
    priceAgeSeconds: mark ? (at - mark.at) / 1_000 : null,
    priceSource: mark?.source ?? null,
    valueUsd: value === null ? null : toUsd(value),
  };
}

function presentMove({ move, usd, costTaken, gain }: BookedMove) {
  return {
    at: iso(move.at),
    kind: move.kind,
    amount: move.amount,
    usd: usd === null ? null : toUsd(usd),
    feesUsd: move.feeUsd,
    costUsd: costTaken === null ? null : toUsd(costTaken),
    gainUsd: gain === null ? null : toUsd(gain),
    txHash: move.txHash,
  };
}
