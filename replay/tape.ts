// Pool states over time: the ticks of one token in columns, and the state at a moment. A state is never
// taken from after the moment that it is asked for.
import { DAY_MS, MINUTE_MS } from "../kit/units.ts";

/** The state of a pool right after a swap. */
export interface Tick {
  at: number;
  priceUsd: number;
  /** The quote side's reserve; null when that is not known. */
  depthUsd: number | null;
  feeBps: number;
}

/** Ascending by `at`; candles by when they closed. */
export interface TokenTape {
  at: Float64Array;
  price: Float64Array;
  /** NaN where the depth is not known. */
  depth: Float64Array;
  feeBps: Float64Array;
  candleAt: Float64Array;
  candlePrice: Float64Array;
}

const NO_CANDLES = new Float64Array(0);
const COLUMNS = ["at", "price", "depth", "feeBps"] as const;
const FIRST_LENGTH = 64;

/** A tape that is read piece by piece: a busy token of a month has half a million ticks, and putting those together takes a while. */
export class TapeBuilder {
  length = 0;
  #columns = emptyColumns(FIRST_LENGTH);

  /** When the last tick was. */
  get lastAt(): number {
    return this.length === 0 ? Number.NEGATIVE_INFINITY : (this.#columns.at[this.length - 1] as number);
  }

  /** Later ones than all before. */
  add(ticks: readonly Tick[]): void {
    this.#makeRoom(this.length + ticks.length);
    const { at, price, depth, feeBps } = this.#columns;
    let place = this.length;
    for (const tick of ticks) {
      at[place] = tick.at;
      price[place] = tick.priceUsd;
      depth[place] = tick.depthUsd ?? Number.NaN;
      feeBps[place] = tick.feeBps;
      place += 1;
    }
    this.length = place;
  }

  tape(candles: readonly { closesAt: number; priceUsd: number }[] = []): TokenTape {
    const { at, price, depth, feeBps } = this.#columns;
    const isBare = candles.length === 0;
    return {
      at: at.slice(0, this.length),
      price: price.slice(0, this.length),
      depth: depth.slice(0, this.length),
      feeBps: feeBps.slice(0, this.length),
      candleAt: isBare ? NO_CANDLES : Float64Array.from(candles, ({ closesAt }) => closesAt),
      candlePrice: isBare ? NO_CANDLES : Float64Array.from(candles, ({ priceUsd }) => priceUsd),
    };
  }

  #makeRoom(length: number): void {
    const had = this.#columns;
    if (length <= had.at.length) return;
    const more = emptyColumns(Math.max(length, 2 * had.at.length));
    for (const column of COLUMNS) more[column].set(had[column].subarray(0, this.length));
    this.#columns = more;
  }
}

const emptyColumns = (length: number): Record<(typeof COLUMNS)[number], Float64Array> => ({
  at: new Float64Array(length),
  price: new Float64Array(length),
  depth: new Float64Array(length),
  feeBps: new Float64Array(length),
});

export function tapeOf(
  ticks: readonly Tick[],
  candles: readonly { closesAt: number; priceUsd: number }[] = [],
): TokenTape {
  const builder = new TapeBuilder();
  builder.add(ticks);
  return builder.tape(candles);
}

export const EMPTY_TAPE: TokenTape = tapeOf([]);

/** The maximum age of a tick that prices an order: absolute, or as a share of the time since the leader's fill. */
const TICK_AGE_MS_MAX = MINUTE_MS;
const TICK_AGE_SHARE = 0.02;
/** A pool that is nearly empty and has been inactive for this long: its tokens can't be sold. */
const DEAD_AFTER_MS = DAY_MS;
const DEAD_DEPTH_USD = 50;

/** Where a price came from. */
export const SOURCES = ["tape", "candle", "leader"] as const;
export type PriceSource = (typeof SOURCES)[number];

export interface PoolState {
  priceUsd: number;
  /** Infinite where it is not known: an order then has no impact. */
  depthUsd: number;
  /** As a share. */
  poolFee: number;
  source: PriceSource;
  /** When the price was seen. */
  seenAt: number;
}

/** The place of the last time that is not after `moment`; -1 without one. `from` is a place that is not after it. */
export function lastAt(times: Float64Array, moment: number, from = -1): number {
  // The target is usually close: an exponential search, then binary.
  let low = from;
  let step = 1;
  while (low + step < times.length && (times[low + step] as number) <= moment) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, times.length);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= moment) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The last tick that an order at `moment` is sure to come after: what is in its own block may come later than it does, and
 * may even be its own swap. Times are whole milliseconds.
 */
export const lastBefore = (times: Float64Array, moment: number, from = -1): number =>
  lastAt(times, moment - 1, from);

/**
 * The state for an order at `moment` that copies the leader's fill at `leaderAt`: the last tick, never one from before
 * that fill; else the last closed candle; else the leader's own price.
 */
export function stateFor(
  tape: TokenTape,
  moment: number,
  leaderAt: number,
  leaderPrice: number | null,
): PoolState | null {
  const place = lastBefore(tape.at, moment);
  return isUsable(tape, place, moment, leaderAt)
    ? stateOfTick(tape, place)
    : stateWithoutTick(tape, place, moment, leaderAt, leaderPrice);
}

/** Whether the tick at this place, the last one by `moment`, may price such an order. */
export function isUsable(tape: TokenTape, place: number, moment: number, leaderAt: number): boolean {
  return place >= 0 && (tape.at[place] as number) >= oldestUsable(moment, leaderAt);
}

function oldestUsable(moment: number, leaderAt: number): number {
  const ageMax = Math.max(TICK_AGE_MS_MAX, TICK_AGE_SHARE * (moment - leaderAt));
  return Math.max(leaderAt, moment - ageMax);
}

function stateOfTick(tape: TokenTape, place: number): PoolState {
  return {
    priceUsd: tape.price[place] as number,
    depthUsd: lastDepth(tape, place),
    poolFee: (tape.feeBps[place] as number) / 10_000,
    source: "tape",
    seenAt: tape.at[place] as number,
  };
}

/** The same where the last tick can't be used. */
export function stateWithoutTick(
  tape: TokenTape,
  place: number,
  moment: number,
  leaderAt: number,
  leaderPrice: number | null,
): PoolState | null {
  const depthUsd = lastDepth(tape, place);
  const candle = lastAt(tape.candleAt, moment);
  if (candle >= 0 && (tape.candleAt[candle] as number) >= oldestUsable(moment, leaderAt)) {
    const seenAt = tape.candleAt[candle] as number;
    return { priceUsd: tape.candlePrice[candle] as number, depthUsd, poolFee: 0, source: "candle", seenAt };
  }
  if (leaderPrice === null) return null;
  return { priceUsd: leaderPrice, depthUsd, poolFee: 0, source: "leader", seenAt: leaderAt };
}

/** The price a holding can be sold at: the last tick however old, else the last candle; null when there is neither. */
export function markFor(tape: TokenTape, moment: number, place = lastAt(tape.at, moment)): PoolState | null {
  if (place >= 0) {
    const seenAt = tape.at[place] as number;
    const depthUsd = lastDepth(tape, place);
    const isDead = moment - seenAt > DEAD_AFTER_MS && depthUsd < DEAD_DEPTH_USD;
    const priceUsd = isDead ? 0 : (tape.price[place] as number);
    return { priceUsd, depthUsd, poolFee: (tape.feeBps[place] as number) / 10_000, source: "tape", seenAt };
  }
  const candle = lastAt(tape.candleAt, moment);
  if (candle < 0) return null;
  const priceUsd = tape.candlePrice[candle] as number;
  const seenAt = tape.candleAt[candle] as number;
  return { priceUsd, depthUsd: Number.POSITIVE_INFINITY, poolFee: 0, source: "candle", seenAt };
}

export function lastDepth(tape: TokenTape, place: number): number {
  const depth = place < 0 ? Number.NaN : (tape.depth[place] as number);
  return Number.isNaN(depth) ? Number.POSITIVE_INFINITY : depth;
}
