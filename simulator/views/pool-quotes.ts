// One price per moment: the quote of a token's pool then, from the outside price and the last swap before it. Quotes are taken
// every few seconds and late enough that no earlier fill can still arrive, so they never change.
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

/** The start of a window of this length: windows roll by the minute. */
export function windowStart(asOf: number, lengthMs: number): number {
  return Math.floor(asOf / MINUTE_MS) * MINUTE_MS - lengthMs;
}

/** The pool's quote at a time, including fills at that exact time. */
export function poolPrice(context: WorldContext, token: WorldToken, at: number): number {
  return priceAfter(context, token, at, swapBefore(context, token, at));
}

/** The token's newest swap, by its number in the whole world; negative if it has none. */
export const newestSwap = ({ state }: WorldContext, token: WorldToken): number =>
  state.tables.tokens.columns.lastSwap.get(token.index) - 1;

/** The last swap at or before a time, searched backwards from a later one; negative if none is kept. */
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

/** The pool's quote at a time, given the last swap before it. */
export function priceAfter(context: WorldContext, token: WorldToken, at: number, swap: number): number {
  const outside = priceAt(token.price, at);
  if (swap < 0) return outside;
  const { fills } = context.state.tables;
  const row = swap % fills.capacity;
  const left = fadedShift(fills.columns.shift.get(row), fills.columns.at.get(row), at);
  return left === 0 ? outside : outside * Math.exp(left);
}
