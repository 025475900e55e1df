// A trader's profit curve, from captured positions, fills and candles: nothing is asked of upstream but who the trader
// is and what the open positions are worth now. What the captured fills do not explain is said, never guessed at in silence.
import type { Routes } from "../../../contract/routes.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { type Book, movesOf, pnlCurve, priceBook, type TokenShare } from "../../model/pnl-curve.ts";
import { entryPrice, type Fill, type Position } from "../../model/position.ts";
import type { PnlWindow } from "../../model/trader.ts";
import { atCurrentPrices } from "../../upstream/current-prices.ts";
import type { Handler } from "../answer.ts";
import { iso, isoOrNull, presentChain, presentToken } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS: Record<Exclude<PnlWindow, "all">, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};
const STEP_MS = { "1h": HOUR_MS, "4h": 4 * HOUR_MS, "1d": DAY_MS } as const;
const USUAL_STEP = { "24h": "1h", "7d": "4h", "30d": "1d", all: "1d" } as const;

/** Positions and fills that one curve reads at most; beyond, it says that it is not complete. */
const POSITIONS_MAX = 2_000;
const FILLS_MAX = 20_000;
/** Rows between two turns of the event loop: a few milliseconds of parsing. */
const PAGE_ROWS = 250;
/** Tokens named as where profit was made, and as many where it was lost. */
const SHARES_MAX = 20;

export function pnlRoutes(services: Services, identify: Identify): { getPnl: Handler<Routes["getPnl"]> } {
  const { store, chains, labels, clock, upstream } = services;

  return {
    async getPnl({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const to = clock.now();
      const capture = await store.captures.find(trader.userId);
      const interval = query.interval ?? USUAL_STEP[query.window];
      const read = await positionsOf(
        trader.userId,
        query.window === "all" ? 0 : to - WINDOW_MS[query.window],
      );
      const firstAt = read.rows.reduce((first, { openedAt }) => Math.min(first, openedAt), to);
      const from = query.window === "all" ? firstAt : to - WINDOW_MS[query.window];
      const fills = await fillsOf(trader.userId, firstAt);
      const { positions: priced } = await atCurrentPrices(upstream, read.rows, call);
      const { books, missingUntil } = await booksOf(priced, fills.byTrade, from, to, interval);
      const curve = pnlCurve(books, { from, to, stepMs: STEP_MS[interval] });
      const available = capture !== null || read.rows.length > 0;
      const complete = (capture?.openComplete ?? false) && read.whole && fills.whole && missingUntil === null;
      return {
        found: available,
        body: {
          ...trader,
          window: query.window,
          interval,
          from: iso(from),
          asOf: iso(to),
          available,
          pnlUsd: curve.pnlUsd,
          realizedUsd: curve.realizedUsd,
          unrealizedChangeUsd: curve.unrealizedChangeUsd,
          volumeUsd: curve.volumeUsd,
          fills: curve.fills,
          count: curve.buckets.length,
          buckets: curve.buckets.map(({ opensAt, ...bucket }) => ({ t: iso(opensAt), ...bucket })),
          byToken: ends(curve.shares).map((share) => ({
            token: presentToken(labels, share.token),
            ...presentChain(chains, share.token.networkId),
            pnlUsd: share.pnlUsd,
            volumeUsd: share.volumeUsd,
            fills: share.fills,
          })),
          byChain: byChain(curve.shares),
          complete,
          coveredFrom: available
            ? isoOrNull(Math.max(from, missingUntil ?? 0, fills.whole ? 0 : fills.oldestAt))
            : null,
          note: noteOf(available, complete),
        },
      };
    },
  };

  /** Every position that was open at some time since `from`. */
  async function positionsOf(userId: string, from: number): Promise<{ rows: Position[]; whole: boolean }> {
    const rows: Position[] = [];
    for (const status of ["open", "closed"] as const) {
      for (let cursor = null as Parameters<typeof store.positions.byTrader>[1]["cursor"]; ; ) {
        const page = await store.positions.byTrader(userId, {
          ...{ status, sort: "recent" as const, limit: PAGE_ROWS, cursor: cursor ?? null },
        });
        const wanted = page.rows.filter(
          (position) => position.status === "open" || position.lastActivityAt >= from,
        );
        rows.push(...wanted);
        if (rows.length >= POSITIONS_MAX) return { rows: rows.slice(0, POSITIONS_MAX), whole: false };
        if (page.next === null || wanted.length < page.rows.length) break;
        cursor = page.next;
        await servingTurn();
      }
    }
    return { rows, whole: true };
  }

  async function fillsOf(userId: string, from: number) {
    const byTrade = new Map<string, Fill[]>();
    let oldestAt = clock.now();
    let count = 0;
    for (let cursor = null as Parameters<typeof store.fills.byTrader>[1]["cursor"]; ; ) {
      const page = await store.fills.byTrader(userId, { limit: PAGE_ROWS, cursor: cursor ?? null });
      for (const fill of page.rows) {
        oldestAt = Math.min(oldestAt, fill.at);
        const known = byTrade.get(fill.tradeId);
        if (known) known.push(fill);
        else byTrade.set(fill.tradeId, [fill]);
      }
      count += page.rows.length;
      if (page.next === null || oldestAt < from) return { byTrade, whole: true, oldestAt };
      if (count >= FILLS_MAX) return { byTrade, whole: false, oldestAt };
      cursor = page.next;
      await servingTurn();
    }
  }

  async function booksOf(
    positions: readonly Position[],
    fillsByTrade: ReadonlyMap<string, Fill[]>,
    from: number,
    to: number,
    interval: keyof typeof STEP_MS,
  ): Promise<{ books: Book[]; missingUntil: number | null }> {
    const books: Book[] = [];
    let missingUntil: number | null = null;
    for (const [index, position] of positions.entries()) {
      const fills = fillsByTrade.get(position.tradeId) ?? [];
      const moved = position.transferredInAmount + position.transferredOutAmount > 0;
      const transfers = moved
        ? (await store.transfers.byTrade(position.tradeId, { limit: PAGE_ROWS })).rows
        : [];
      const { moves, whole } = movesOf(position, fills.map(tradedLeg), transfers);
      // A position whose lost fills all lie before the window is still right within it.
      if (!whole && position.lastActivityAt >= from && missesInWindow(position, fills, from))
        missingUntil = Math.max(missingUntil ?? 0, Math.min(position.lastActivityAt, to));
      const length = interval === "1d" ? "1d" : "1h";
      const candles = await store.candles.range(position.token.address, {
        networkId: position.token.networkId,
        length,
        from: Math.max(0, Math.max(from, position.openedAt) - STEP_MS[length]),
        to,
        limit: Math.ceil((to - from) / STEP_MS[length]) + 2,
      });
      const seen = [
        ...fills.map((fill) => ({ at: fill.at, price: fill.priceUsd })),
        ...candles.map((candle) => ({ at: candle.opensAt + STEP_MS[length] - 1, price: candle.close })),
      ];
      const firstSeen = seen.reduce((first, { at }) => Math.min(first, at), to);
      // Held when the window began, at a price that nobody saw: it counts at what was paid until one was.
      if (position.openedAt < from && firstSeen > from + STEP_MS[length])
        missingUntil = Math.max(missingUntil ?? 0, firstSeen);
      const paid = entryPrice(position) ?? position.avgTransferInPrice;
      const priceAt = priceBook([
        ...(paid === null ? [] : [{ at: position.openedAt, price: paid }]),
        ...seen,
        ...(position.status === "open" ? [{ at: to, price: position.priceUsd }] : []),
      ]);
      books.push({ tradeId: position.tradeId, token: position.token, moves, priceAt });
      if (index % 16 === 15) await servingTurn();
    }
    return { books, missingUntil };
  }

  function byChain(shares: readonly TokenShare[]) {
    const sums = new Map<number, { pnlUsd: number; volumeUsd: number; fills: number }>();
    for (const { token, pnlUsd, volumeUsd, fills } of shares) {
      const sum = sums.get(token.networkId) ?? { pnlUsd: 0, volumeUsd: 0, fills: 0 };
      sums.set(token.networkId, {
        pnlUsd: sum.pnlUsd + pnlUsd,
        volumeUsd: sum.volumeUsd + volumeUsd,
        fills: sum.fills + fills,
      });
    }
    return [...sums]
      .map(([networkId, sum]) => ({ ...presentChain(chains, networkId), ...sum }))
      .sort((a, b) => b.pnlUsd - a.pnlUsd);
  }
}

function tradedLeg({ side, at, tokenIn, tokenOut, feeUsd }: Fill) {
  const { amount, usd } = side === "buy" ? tokenOut : tokenIn;
  return { side, at, amount, usd, feeUsd };
}

/** Lost sells of a position are as late as its last activity; lost buys as early as its beginning. */
function missesInWindow(position: Position, fills: readonly Fill[], from: number): boolean {
  if (position.openedAt >= from || position.transferredOutAmount > 0) return true;
  const sold = fills.reduce((sum, fill) => sum + (fill.side === "sell" ? fill.tokenIn.amount : 0), 0);
  return position.soldAmount - sold > position.soldAmount * 1e-6;
}

function ends(shares: readonly TokenShare[]): TokenShare[] {
  if (shares.length <= 2 * SHARES_MAX) return [...shares];
  return [...shares.slice(0, SHARES_MAX), ...shares.slice(-SHARES_MAX)];
}

function noteOf(available: boolean, complete: boolean): string | null {
  if (!available) return "Nothing was captured for this trader yet.";
  return complete
    ? null
    : "Some fills or prices of this window were not captured: those positions count by their totals.";
}
