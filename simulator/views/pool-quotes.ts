// One price for one moment: what the pool of a token quoted then, from the outside price and the last swap before it.
// Quotes are taken every few seconds and late enough that no fill can still precede them, so they never change.
import { MINUTE_MS } from "../../kit/units.ts";
import { RECORDING_LAG_MS } from "../world/blocks.ts";
import type { WorldContext } from "../world/context.ts";
import { fadedShift } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import type { WorldToken } from "../world/tokens.ts";

const QUOTE_EVERY_MS = 5_000;

export function quoteMoment(now: number): number {
  return Math.floor((now - RECORDING_LAG_MS) / QUOTE_EVERY_MS) * QUOTE_EVERY_MS;
}

/** Where a window of this length begins: windows roll by the minute. */
export function windowStart(asOf: number, lengthMs: number): number {
  return Math.floor(asOf / MINUTE_MS) * MINUTE_MS - lengthMs;
}

/** What the pool quoted at a time, fills at that very time included. */
export function poolPrice(context: WorldContext, token: WorldToken, at: number): number {
  return priceAfter(context, token, at, swapBefore(context, token, at));
}

/** The newest swap of a token, counted over the whole world; negative if it has none. */
export const newestSwap = ({ state }: WorldContext, token: WorldToken): number =>
  state.tables.tokens.columns.lastSwap.get(token.index) - 1;

/** The last swap at a time or before it, looked for from a later one backwards; negative if none is kept. */
export function swapBefore(
  context: WorldContext,
  token: WorldToken,
  at: number,
  later = newestSwap(context, token),
): number {
  const { counters, tables } = context.state;
  const fills = tables.fills.columns;
  const oldest = Math.max(0, counters.fills - tables.fills.capacity);
  let number = later;
  while (number >= oldest) {
    const row = number % tables.fills.capacity;
    if (fills.at.get(row) <= at) return number;
    const back = fills.backOfToken.get(row);
    if (back === 0) break;
    number -= back;
  }
  return -1;
}

/** What the pool quoted at a time that this swap was the last before. */
export function priceAfter(context: WorldContext, token: WorldToken, at: number, swap: number): number {
  const outside = priceAt(token.price, at);
  if (swap < 0) return outside;
  const { fills } = context.state.tables;
  const row = swap % fills.capacity;
  const left = fadedShift(fills.columns.shift.get(row), fills.columns.at.get(row), at);
  return left === 0 ? outside : outside * Math.exp(left);
}
