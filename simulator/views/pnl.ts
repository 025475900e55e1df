// What a trader earned in a window: gains realized in it plus the change of unrealized gains over it, both ends marked to
// the quotes of those moments, less the fees paid in it. Counted backwards through the trader's own fills; where those
// have been forgotten, from the mark of the first whole day.
import type { Window } from "../../protocol/protocol.ts";
import { reorgDelay } from "../world/blocks.ts";
import { NONE } from "../world/columns.ts";
import { dayRow } from "../world/days.ts";
import { DAY_MS, feeOf, heldAmount } from "../world/ledger.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import { windowStart } from "./quotes.ts";
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

export const WINDOW_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;
const ROLLING = ["24h", "7d", "30d"] as const;
/** Fills are in the order they were recorded, which may be this much later than their block. */
const ORDER_SLACK_MS = 30_000;

export function unrealized(view: View, slot: number): number {
  const positions = view.tables.positions.columns;
  const held = heldAmount(positions, slot);
  return held === 0
    ? 0
    : Math.round(held * view.price(positions.token.get(slot))) - positions.openCost.get(slot);
}

export function windowSums(view: View, trader: number): Record<Window, WindowSums> {
  const traders = view.tables.traders.columns;
  const positions = view.tables.positions.columns;
  const held = new Map<number, number>();
  let openCost = 0;
  for (let slot = traders.openHead.get(trader); slot !== NONE; slot = positions.nextOfTrader.get(slot)) {
    held.set(positions.token.get(slot), heldAmount(positions, slot));
    openCost += positions.openCost.get(slot);
  }
  const unrealizedNow = worthOf(view, held, view.asOf) - openCost;
  const realized = traders.realized.get(trader) - traders.fees.get(trader);
  const all = {
    pnl: realized + unrealizedNow,
    realized,
    volume: traders.volume.get(trader),
    swaps: traders.swaps.get(trader),
    active: traders.lastFill.get(trader) > 0,
  };
  return { ...rollingSums(view, trader, held, openCost, unrealizedNow, all), all };
}

function rollingSums(
  view: View,
  trader: number,
  held: Map<number, number>,
  openCostNow: number,
  unrealizedNow: number,
  all: WindowSums,
): Record<(typeof ROLLING)[number], WindowSums> {
  const { counters, tables } = view.context.state;
  const isOpen = held.size > 0;
  const back: Back = { openCost: openCostNow, realized: 0, volume: 0, swaps: 0, fills: 0 };
  const oldest = Math.max(0, counters.fills - tables.fills.capacity);
  let number = tables.traders.columns.lastFill.get(trader) - 1;
  const sums = {} as Record<(typeof ROLLING)[number], WindowSums>;
  for (const window of ROLLING) {
    const start = windowStart(view.asOf, WINDOW_MS[window]);
    if (!isCovered(view, start)) {
      sums[window] = sinceMark(view, trader, start, all, isOpen);
      continue;
    }
    number = undo(view, number, oldest, start, held, back);
    sums[window] = {
      pnl: back.realized + unrealizedNow - (worthOf(view, held, start) - back.openCost),
      realized: back.realized,
      volume: back.volume,
      swaps: back.swaps,
      active: isOpen || back.fills > 0,
    };
  }
  return sums;
}

interface Back {
  openCost: number;
  realized: number;
  volume: number;
  swaps: number;
  fills: number;
}

/** Takes back the fills since `start`, so that `held` and `back` are as they were then. Returns where it stopped. */
function undo(
  view: View,
  from: number,
  oldest: number,
  start: number,
  held: Map<number, number>,
  back: Back,
): number {
  const { tables } = view;
  const fills = tables.fills.columns;
  let number = from;
  while (number >= oldest) {
    const row = number % tables.fills.capacity;
    const token = fills.token.get(row);
    if (settledAt(view, number) < start) break;
    const kind = fills.kind.get(row);
    const usd = fills.usd.get(row);
    const isIn = kind === BUY || kind === TRANSFER_IN;
    const amount = fills.amount.get(row);
    const rest = (held.get(token) ?? 0) + (isIn ? -amount : amount);
    if (rest === 0) held.delete(token);
    else held.set(token, rest);
    back.fills++;
    back.openCost += isIn ? -usd : fills.costShare.get(row);
    if (kind === BUY || kind === SELL) {
      back.volume += usd;
      back.swaps++;
      back.realized -= feeOf(usd);
      if (kind === SELL) back.realized += usd - fills.costShare.get(row);
    }
    const distance = fills.backOfTrader.get(row);
    number = distance === 0 ? -1 : number - distance;
  }
  return number;
}

/** The time of the block in which a fill stayed. */
export function settledAt(view: View, number: number): number {
  const { fills } = view.tables;
  const row = number % fills.capacity;
  const networkIndex = view.context.tokens.networkOf(fills.columns.token.get(row));
  return fills.columns.at.get(row) + reorgDelay(view.context, number, networkIndex);
}

function worthOf(view: View, held: Map<number, number>, at: number): number {
  let sum = 0;
  for (const [token, amount] of held) sum += Math.round(amount * view.priceAt(token, at));
  return sum;
}

/** Do the kept fills reach back to then? */
function isCovered(view: View, start: number): boolean {
  const { counters, tables } = view.context.state;
  if (counters.fills <= tables.fills.capacity) return true;
  return tables.fills.columns.at.get(counters.fills % tables.fills.capacity) + ORDER_SLACK_MS < start;
}

function sinceMark(view: View, trader: number, start: number, all: WindowSums, isOpen: boolean): WindowSums {
  const mark = Math.max(Math.ceil(start / DAY_MS), Math.ceil(view.context.genesis / DAY_MS)) * DAY_MS;
  if (mark > view.now) return { ...all };
  const { gain, realized, volume, swaps } = view.tables.days.columns;
  const row = dayRow(view.context, mark, trader);
  const done = all.swaps - swaps.get(row);
  return {
    pnl: all.pnl - gain.get(row),
    realized: all.realized - realized.get(row),
    volume: all.volume - volume.get(row),
    swaps: done,
    active: isOpen || done > 0,
  };
}

export function closedCount(view: View, trader: number, networkIndex?: number): number {
  const counts = view.tables.closedCounts.columns.count;
  if (networkIndex !== undefined) return counts.get(trader * 5 + networkIndex);
  let sum = 0;
  for (let index = 0; index < 5; index++) sum += counts.get(trader * 5 + index);
  return sum;
}
