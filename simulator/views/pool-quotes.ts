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
  const { counters, tables } = context.state;
  const fills = tables.fills.columns;
  const outside = priceAt(token.price, at);
  const oldest = Math.max(0, counters.fills - tables.fills.capacity);
  let number = tables.tokens.columns.lastSwap.get(token.index) - 1;
  while (number >= oldest) {
    const row = number % tables.fills.capacity;
    const since = fills.at.get(row);
    if (since <= at) {
      const left = fadedShift(fills.shift.get(row), since, at);
      return left === 0 ? outside : outside * Math.exp(left);
    }
    const back = fills.backOfToken.get(row);
    if (back === 0) break;
    number -= back;
  }
  return outside;
}
