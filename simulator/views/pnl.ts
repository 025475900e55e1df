// What a trader earned in a window: gains realized in it plus the change of unrealized gains over it, both ends marked to
// the quotes of those moments, less the fees paid in it. Where the fills since then have been forgotten (a world that
// trades much faster than the default), a window begins with the mark of its first whole day.
import type { Window } from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { dayRow } from "../world/days.ts";
import { DAY_MS, heldAmount } from "../world/ledger.ts";
import { windowStart } from "./quotes.ts";
import { Trailing } from "./trailing.ts";
import type { View } from "./view.ts";

/** In millionths of a dollar. `realized` is less fees, as `pnl` is; `swaps` are the buys and sells in the window. */
export interface WindowSums {
  pnl: number;
  realized: number;
  volume: number;
  swaps: number;
  /** Was anything done or held in it? */
  active: boolean;
}

type Rolling = Exclude<Window, "all">;
const WINDOW_MS: Record<Rolling, number> = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS };

export type TrailingBooks = Record<Rolling, Trailing>;

export function trailingBooks(view: View): TrailingBooks {
  return {
    "24h": new Trailing(view, WINDOW_MS["24h"]),
    "7d": new Trailing(view, WINDOW_MS["7d"]),
    "30d": new Trailing(view, WINDOW_MS["30d"]),
  };
}

export function unrealized(view: View, slot: number): number {
  const positions = view.tables.positions.columns;
  const held = heldAmount(positions, slot);
  return held === 0
    ? 0
    : Math.round(held * view.price(positions.token.get(slot))) - positions.openCost.get(slot);
}

/** Over all that the trader holds now. */
export function openGain(view: View, trader: number): number {
  const { nextOfTrader } = view.tables.positions.columns;
  let sum = 0;
  for (
    let slot = view.tables.traders.columns.openHead.get(trader);
    slot !== NONE;
    slot = nextOfTrader.get(slot)
  )
    sum += unrealized(view, slot);
  return sum;
}

export function windowSums(
  view: View,
  trader: number,
  window: Window,
  open = openGain(view, trader),
): WindowSums {
  const traders = view.tables.traders.columns;
  const realized = traders.realized.get(trader) - traders.fees.get(trader);
  const all = {
    pnl: realized + open,
    realized,
    volume: traders.volume.get(trader),
    swaps: traders.swaps.get(trader),
    active: traders.lastFill.get(trader) > 0,
  };
  if (window === "all") return all;
  const trailing = view.trailing[window];
  if (!trailing.follow()) return sinceMark(view, trader, window, all);
  const book = trailing.book(trader);
  let before = -book.openCost;
  for (const [token, amount] of book.held) before += Math.round(amount * view.priceAt(token, trailing.start));
  return {
    pnl: all.pnl - book.realized - before,
    realized: realized - book.realized,
    volume: all.volume - book.volume,
    swaps: all.swaps - book.swaps,
    active: traders.open.get(trader) > 0 || book.held.size > 0 || all.swaps > book.swaps,
  };
}

function sinceMark(view: View, trader: number, window: Rolling, all: WindowSums): WindowSums {
  const start = windowStart(view.asOf, WINDOW_MS[window]);
  const mark = Math.ceil(Math.max(start, view.context.genesis) / DAY_MS) * DAY_MS;
  if (mark > view.now) return { ...all };
  const { gain, realized, volume, swaps } = view.tables.days.columns;
  const row = dayRow(view.context, mark, trader);
  const done = all.swaps - swaps.get(row);
  return {
    pnl: all.pnl - gain.get(row),
    realized: all.realized - realized.get(row),
    volume: all.volume - volume.get(row),
    swaps: done,
    active: view.tables.traders.columns.open.get(trader) > 0 || done > 0,
  };
}

export function closedCount(view: View, trader: number, networkIndex?: number): number {
  const counts = view.tables.closedCounts.columns.count;
  if (networkIndex !== undefined) return counts.get(trader * 5 + networkIndex);
  let sum = 0;
  for (let index = 0; index < 5; index++) sum += counts.get(trader * 5 + index);
  return sum;
}
