// One price for one moment: what the pool of a token quoted then, from the outside price and the last swap before it.
// Quotes are taken every few seconds and late enough that no fill can still come before them, so they never change.
import type { NetworkId } from "../../protocol/protocol.ts";
import { RECORDING_LAG_MS } from "../world/blocks.ts";
import type { Context } from "../world/context.ts";
import { fadedShift } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import type { Token } from "../world/tokens.ts";
import type { View } from "./view.ts";

const QUOTE_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

export function quoteMoment(now: number): number {
  return Math.floor((now - RECORDING_LAG_MS) / QUOTE_EVERY_MS) * QUOTE_EVERY_MS;
}

/** Where a window of this length begins: windows roll by the minute. */
export function windowStart(asOf: number, lengthMs: number): number {
  return Math.floor(asOf / MINUTE_MS) * MINUTE_MS - lengthMs;
}

/** What the pool quoted at a time, fills at that very time included. */
export function poolPrice(context: Context, token: Token, at: number): number {
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

export function quotes(
  view: View,
  tokens: { address: string; networkId: NetworkId }[],
  at?: number,
): { rows: { address: string; networkId: NetworkId; priceUsd: number | null; asOf: number }[] } {
  // Never of a moment that is still being lived.
  const moment = at === undefined ? view.asOf : Math.min(at, view.asOf);
  const rows = tokens.map(({ address, networkId }) => {
    const token = view.context.tokens.byAddress(address, networkId);
    const known = token !== undefined && token.launchAt <= moment;
    return { address, networkId, priceUsd: known ? view.priceAt(token.index, moment) : null, asOf: moment };
  });
  return { rows };
}
