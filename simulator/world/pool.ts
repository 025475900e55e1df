// Each token trades in one constant-product pool. A fill's slippage and its price impact come from the same depth; afterwards
// the outside market pulls the pool back to its own price within the hour.
import { MINUTE_MS } from "../../kit/units.ts";
import type { WorldContext } from "./context.ts";
import { priceAt } from "./prices.ts";
import type { WorldToken } from "./tokens.ts";

/** Half of the distance to the outside price is gone after this time. */
const HALF_LIFE_MS = 16 * MINUTE_MS;
/** The dollar side of a pool grows with the square root of the market cap, as on launchpads; listed coins are much deeper. */
const LAUNCH_DEPTH = 62;
const MAJOR_DEPTH = 420;
const DEPTH_MIN_USD = 400;
/** After this long a shift has faded completely: a price follows from the fills of this time alone. */
export const SHIFT_FADES_MS = 20 * HALF_LIFE_MS;
/** Pools of the invented world charge nothing; the app and the network do. */
export const POOL_FEE_BPS = 0;

/** Dollars on one side of the pool, at this price. */
export function depthUsd(token: WorldToken, price: number): number {
  const root = Math.sqrt(price * token.supply);
  return Math.max(DEPTH_MIN_USD, (token.established ? MAJOR_DEPTH : LAUNCH_DEPTH) * root);
}

/** The remainder at `at` of a log shift that was set at `since`. */
export function fadedShift(shift: number, since: number, at: number): number {
  const age = at - since;
  return shift === 0 || age > SHIFT_FADES_MS ? 0 : shift * 2 ** (-age / HALF_LIFE_MS);
}

/** The pool's price now, given the chain's fills. */
export function spotPrice(context: WorldContext, token: WorldToken, at: number): number {
  const { shift, shiftAt } = context.state.tables.tokens.columns;
  const outside = priceAt(token.price, at);
  const left = fadedShift(shift.get(token.index), shiftAt.get(token.index), at);
  return left === 0 ? outside : outside * Math.exp(left);
}

/** Tokens for dollars; both in millionths. The price rises by the square of the slippage. */
export function boughtAmount(token: WorldToken, price: number, usd: number): number {
  return Math.floor(usd / (price * (1 + usd / (depthUsd(token, price) * 1e6))));
}

/** Dollars for tokens; both in millionths. */
export function soldUsd(token: WorldToken, price: number, amount: number): number {
  const value = amount * price;
  return Math.floor(value / (1 + value / (depthUsd(token, price) * 1e6)));
}

/** Moves the pool by a swap of this value at the price before it: up for a buy, down for a sell. Returns the new shift. */
export function moveShift(
  context: WorldContext,
  token: WorldToken,
  price: number,
  usdMicro: number,
  isBuy: boolean,
  at: number,
): number {
  const { shift, shiftAt } = context.state.tables.tokens.columns;
  const move = 2 * Math.log1p(usdMicro / (depthUsd(token, price) * 1e6));
  const left = fadedShift(shift.get(token.index), shiftAt.get(token.index), at);
  // Stored in single precision with the fill, so that a price computed later is the same as then.
  const next = Math.fround(left + (isBuy ? move : -move));
  shift.set(token.index, next);
  shiftAt.set(token.index, at);
  return next;
}
