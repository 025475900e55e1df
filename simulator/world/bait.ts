// Baiters: accounts that trade against their copiers. Now and then one buys a thin launch, waits for the copiers' orders to
// lift the price, and sells into them seconds later; the copiers are left with the drop. Baiters do nothing else.
import { HOUR_MS, SECOND_MS } from "../../kit/units.ts";
import { nextBlockTime } from "./blocks.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { WHOLE } from "./exits.ts";
import { BAIT, later, SELL_ORDER } from "./feeds.ts";
import { network } from "./networks.ts";
import { depthUsd, spotPrice } from "./pool.ts";
import type { WorldTrader } from "./population.ts";
import { heldSlot } from "./slots.ts";
import type { WorldToken } from "./tokens.ts";
import { buy } from "./trading.ts";

const BAIT_EVERY_MS = 3 * HOUR_MS;
const HOLD_MS = 14 * SECOND_MS;
const HOLD_SPREAD_MS = 10 * SECOND_MS;
/** A pool that the copiers' orders move, and that still has room for them. */
const POOL_USD = [2_000, 15_000] as const;
/** On slower chains the copiers would arrive after the sale. */
const BLOCK_MS_MAX = 2_000;
const LOOKS = 60;

export function beginBait(context: WorldContext): void {
  for (const place of context.population.baiters.keys()) planBait(context, place, context.genesis);
}

function planBait(context: WorldContext, place: number, at: number): void {
  later(context, at + BAIT_EVERY_MS * (0.5 + context.state.random.next()), BAIT, place, 0, 0);
}

/** Buys now, sells once the copiers have bought, and plans the next bait. */
export function bait(context: WorldContext, place: number, at: number): void {
  planBait(context, place, at);
  const baiter = context.population.baiters[place] as WorldTrader;
  const token = thinToken(context, at);
  if (!token) return;
  const on = network(token.network);
  const boughtAt = nextBlockTime(on, at);
  if (!buy(context, baiter, token, boughtAt, true)) return;
  context.state.counters.ahead++;
  const slot = heldSlot(context, baiter.index, token.index);
  if (slot === NONE) return;
  const soldAt = nextBlockTime(on, boughtAt + HOLD_MS + HOLD_SPREAD_MS * context.state.random.next());
  const { number } = context.state.tables.positions.columns;
  later(context, soldAt, SELL_ORDER, WHOLE, number.get(slot), slot);
}

function thinToken(context: WorldContext, at: number): WorldToken | undefined {
  const { list } = context.tokens;
  for (let look = 0; look < LOOKS; look++) {
    const token = list[context.state.random.below(list.length)] as WorldToken;
    if (token.established || token.honeypot || token.launchAt > at) continue;
    if (network(token.network).blockMs > BLOCK_MS_MAX) continue;
    const depth = depthUsd(token, spotPrice(context, token, at));
    if (depth >= POOL_USD[0] && depth <= POOL_USD[1]) return token;
  }
  return undefined;
}
