// The swaps of one token in time order, and the price of its pool between them.
import { fadedShift, SHIFT_FADES_MS } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import { BUY } from "../world/state.ts";
import type { WorldToken } from "../world/tokens.ts";
import type { View } from "./view.ts";

export interface PoolSwap {
  at: number;
  /** The distance of the pool's log price from the outside price, right after the swap. */
  shift: number;
  /** In millionths. */
  usd: number;
  isBuy: boolean;
}

/** The time since which all fills are known, and so every price. */
export function poolKnownFrom({ context }: View): number {
  const { counters, tables } = context.state;
  if (counters.fills <= tables.fills.capacity) return context.origin;
  return tables.fills.columns.at.get(counters.fills % tables.fills.capacity) + SHIFT_FADES_MS;
}

/** Oldest first; both ends included. */
export function poolSwaps({ context }: View, token: WorldToken, from: number, to: number): PoolSwap[] {
  const { counters, tables } = context.state;
  const fills = tables.fills.columns;
  const oldest = Math.max(0, counters.fills - tables.fills.capacity);
  const swaps: PoolSwap[] = [];
  let number = tables.tokens.columns.lastSwap.get(token.index) - 1;
  while (number >= oldest) {
    const row = number % tables.fills.capacity;
    const at = fills.at.get(row);
    if (at < from) break;
    if (at <= to)
      swaps.push({
        at,
        shift: fills.shift.get(row),
        usd: fills.usd.get(row),
        isBuy: fills.kind.get(row) === BUY,
      });
    const back = fills.backOfToken.get(row);
    if (back === 0) break;
    number -= back;
  }
  return swaps.reverse();
}

export function poolPriceBy(token: WorldToken, swaps: readonly PoolSwap[], at: number): number {
  const outside = priceAt(token.price, at);
  const last = swaps[swapAfter(swaps, at) - 1];
  return last ? outside * Math.exp(fadedShift(last.shift, last.at, at)) : outside;
}

/** The index of the first swap after a time. */
export function swapAfter(swaps: readonly PoolSwap[], at: number): number {
  let low = 0;
  let high = swaps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((swaps[middle] as PoolSwap).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
