// The tape of a token: its pool right after each of the platform's swaps, and after those of the outside market, which trades
// all the time. The latter are not stored: which block has one, and the pool's state then, follow from the seed.
import { HOUR_MS, SECOND_MS } from "../../kit/units.ts";
import type { TicksQuery, WireTick, WireTicksPage } from "../../protocol/protocol.ts";
import { blockNumber, blockTime } from "../world/blocks.ts";
import { unit } from "../world/hash.ts";
import { type Network, network } from "../world/networks.ts";
import { depthUsd, POOL_FEE_BPS, SHIFT_FADES_MS } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import type { WorldToken } from "../world/tokens.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { type PoolSwap, poolKnownFrom, poolPriceBy, poolSwaps, swapAfter } from "./pool-swaps.ts";
import { dollars, type View } from "./view.ts";

const PAGE_TICKS = 1_000;
/** Hours that one page covers: a few milliseconds of work. */
const PAGE_HOURS_MAX = 48;
/** A deep pool is traded every few seconds, a shallow one every few minutes. */
const BUSY_EVERY_MS = 6 * SECOND_MS;
const QUIET_EVERY_MS = 240 * SECOND_MS;
/** A pool of this depth is traded once a second, before the bounds. */
const DEPTH_A_SECOND_USD = 2_400_000;
/** Share of a pool in one swap of the outside market, on average. */
const OUTSIDE_SHARE = 0.002;

export function ticksPage(view: View, address: string, query: TicksQuery): WireTicksPage | undefined {
  const token = view.context.tokens.byAddress(address, query.networkId);
  if (!token) return undefined;
  const scope = `ticks ${token.index} ${query.from} ${query.to}`;
  const [sinceAt = -1, sincePlace = -1] =
    query.cursor === undefined ? [] : readCursor(view.cursorKey, scope, query.cursor, 2);
  // Never of a moment that is not over yet.
  const coveredFrom = Math.max(query.from, token.launchAt, poolKnownFrom(view));
  const coveredTo = Math.min(query.to, view.asOf);
  const from = Math.max(coveredFrom, sinceAt);
  const until = Math.min(coveredTo, from + PAGE_HOURS_MAX * HOUR_MS);
  const swaps = from < until ? poolSwaps(view, token, from - SHIFT_FADES_MS, until) : [];
  const rows: WireTick[] = [];
  let reached = from;
  while (reached < until && rows.length <= PAGE_TICKS) {
    const end = Math.min(until, (Math.floor(reached / HOUR_MS) + 1) * HOUR_MS);
    for (const tick of ticksIn(token, swaps, reached, end))
      if (tick.at > sinceAt || (tick.at === sinceAt && tick.place > sincePlace)) rows.push(tick);
    reached = end;
  }
  const shown = rows.slice(0, PAGE_TICKS);
  const last = shown.at(-1);
  const next =
    rows.length > PAGE_TICKS && last ? [last.at, last.place] : reached < coveredTo ? [reached - 1, 0] : null;
  return {
    token: view.token(token),
    rows: shown,
    covered: coveredFrom < coveredTo ? [{ from: coveredFrom, to: coveredTo }] : [],
    nextCursor: next && writeCursor(view.cursorKey, scope, next),
  };
}

/** Ticks of a part of one hour. */
function ticksIn(token: WorldToken, swaps: readonly PoolSwap[], from: number, to: number): WireTick[] {
  const on = network(token.network);
  const outside = outsideTimes(token, on, Math.floor(from / HOUR_MS)).filter((at) => at >= from && at < to);
  const rows: WireTick[] = [];
  let next = swapAfter(swaps, from - 1);
  let swap = swaps[next];
  const add = (at: number, priceUsd: number, side: "buy" | "sell", usd: number | null) => {
    const before = rows.at(-1);
    const depth = depthUsd(token, priceUsd);
    rows.push({
      at,
      block: blockNumber(on, at),
      place: before?.at === at ? before.place + 1 : 0,
      pool: null,
      priceUsd,
      depthUsd: depth,
      feeBps: POOL_FEE_BPS,
      side,
      usd: usd ?? depth * OUTSIDE_SHARE * (0.2 + unit(token.price.key, at, 11)),
    });
  };
  for (const at of [...outside, to]) {
    for (; swap && swap.at <= at && swap.at < to; swap = swaps[++next])
      add(swap.at, priceOf(token, swap), swap.isBuy ? "buy" : "sell", dollars(swap.usd));
    if (at < to)
      add(at, poolPriceBy(token, swaps, at), unit(token.price.key, at, 12) < 0.5 ? "buy" : "sell", null);
  }
  return rows;
}

const priceOf = (token: WorldToken, { at, shift }: PoolSwap): number =>
  priceAt(token.price, at) * Math.exp(shift);

/** One in each of equal parts of the hour, at a random time, in a block; ascending, each block once. */
function outsideTimes(token: WorldToken, on: Network, hour: number): number[] {
  const start = hour * HOUR_MS;
  const depth = depthUsd(token, priceAt(token.price, start));
  const everyMs = Math.min(QUIET_EVERY_MS, Math.max(BUSY_EVERY_MS, (SECOND_MS * DEPTH_A_SECOND_USD) / depth));
  const parts = Math.ceil(HOUR_MS / everyMs);
  const times = new Set<number>();
  for (let part = 0; part < parts; part++) {
    const place = part + unit(token.price.key ^ 0x71c, hour, part);
    times.add(Math.max(start, blockTime(on, start + (place * HOUR_MS) / parts)));
  }
  return [...times];
}
