// The tape: the states of a token's pools over time. A tick is the state of a pool right after a swap.
import { list, nullable, object, oneOf, type ReadOf, type WrittenOf } from "../schema.ts";
import { amount, count, cursor, feeBps, time, word } from "../values.ts";
import { token } from "./token.ts";

const TICKS_MAX = 1_000;
/** Covered stretches of one answer. */
const STRETCHES_MAX = 1_000;

const tick = object({
  /** The block's time. */
  at: time,
  block: nullable(count),
  /** Orders the ticks of one block. */
  place: count,
  /** The pool's address; null for a platform that has one pool a token and doesn't name it. */
  pool: nullable(word),
  priceUsd: amount,
  /** The quote side's reserve; for concentrated liquidity the virtual one at this price. */
  depthUsd: nullable(amount),
  feeBps,
  side: oneOf(["buy", "sell"]),
  usd: amount,
});
export type PlatformTick = ReadOf<typeof tick>;
export type WireTick = WrittenOf<typeof tick>;

/** Oldest first. Within `covered` every swap is included; elsewhere some may be missing. */
export const ticksPage = object({
  token,
  rows: list(tick, TICKS_MAX),
  covered: list(object({ from: time, to: time }), STRETCHES_MAX),
  nextCursor: cursor,
});
export type TicksPage = ReadOf<typeof ticksPage>;
export type WireTicksPage = WrittenOf<typeof ticksPage>;
