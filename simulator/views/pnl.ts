// PnL by window: realized and unrealized over the positions that were open at any time since the window began, which
// are all open ones and those closed since. Windows begin on a whole hour (24h) or a whole UTC day (7d, 30d), so that
// buckets of closed positions give the exact sum however many of them have been forgotten.
import type { Window } from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { DAY_MS, dayRow, HOUR_MS, heldAmount, hourRow } from "../world/ledger.ts";
import type { View } from "./view.ts";

/** In millionths of a dollar; `trades` counts the same positions. Volume is of swaps since the window began. */
export interface WindowSums {
  pnl: number;
  volume: number;
  trades: number;
}

export function windowStart(window: Window, now: number, genesis: number): number {
  if (window === "24h") return Math.floor((now - DAY_MS) / HOUR_MS) * HOUR_MS;
  if (window === "7d") return Math.floor((now - 7 * DAY_MS) / DAY_MS) * DAY_MS;
  if (window === "30d") return Math.floor((now - 30 * DAY_MS) / DAY_MS) * DAY_MS;
  return genesis;
}

export function unrealized(view: View, slot: number): number {
  const positions = view.tables.positions.columns;
  const held = heldAmount(positions, slot);
  return held === 0
    ? 0
    : Math.round(held * view.price(positions.token.get(slot))) - positions.openCost.get(slot);
}

/** Realized and unrealized over what the trader has open now. */
export function openPnl(view: View, trader: number): number {
  const positions = view.tables.positions.columns;
  let sum = 0;
  for (
    let slot = view.tables.traders.columns.openHead.get(trader);
    slot !== NONE;
    slot = positions.nextOfTrader.get(slot)
  ) {
    sum += positions.realized.get(slot) + unrealized(view, slot);
  }
  return sum;
}

export function windowSums(
  view: View,
  trader: number,
  window: Window,
  open = openPnl(view, trader),
): WindowSums {
  const traders = view.tables.traders.columns;
  const sums = { pnl: open, volume: 0, trades: traders.open.get(trader) };
  if (window === "all") {
    sums.pnl += traders.closedPnl.get(trader);
    sums.volume = traders.volume.get(trader);
    sums.trades += closedCount(view, trader);
    return sums;
  }
  const hourly = window === "24h";
  const step = hourly ? HOUR_MS : DAY_MS;
  const { closedPnl, closed, volume } = (hourly ? view.tables.hours : view.tables.days).columns;
  const start = Math.max(
    windowStart(window, view.now, view.context.genesis),
    Math.floor(view.context.genesis / step) * step,
  );
  for (let at = start; at <= view.now; at += step) {
    const row = hourly ? hourRow(view.context, at, trader) : dayRow(view.context, at, trader);
    sums.pnl += closedPnl.get(row);
    sums.volume += volume.get(row);
    sums.trades += closed.get(row);
  }
  return sums;
}

export function closedCount(view: View, trader: number, networkIndex?: number): number {
  const counts = view.tables.closedCounts.columns.count;
  if (networkIndex !== undefined) return counts.get(trader * 5 + networkIndex);
  let sum = 0;
  for (let index = 0; index < 5; index++) sum += counts.get(trader * 5 + index);
  return sum;
}
