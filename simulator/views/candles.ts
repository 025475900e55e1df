// A token's candles over all of the kept history. Every interval is built from the same minutes, so an hour's high is the
// highest of its minutes, and a closed candle never changes. Volume is the trading of the platform's own people.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { NetworkId, WireToken } from "../../protocol/protocol.ts";
import { unit } from "../world/hash.ts";
import { fadedShift, SHIFT_FADES_MS } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import type { WorldToken } from "../world/tokens.ts";
import { type PoolSwap, poolKnownFrom, poolPriceBy, poolSwaps, swapAfter } from "./pool-swaps.ts";
import { type View, volumeText } from "./view.ts";

export const INTERVAL_MS = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": HOUR_MS,
  "4h": 4 * HOUR_MS,
  "1d": 24 * HOUR_MS,
} as const;
const ROWS_MAX = 1_000;
/** Hours that one page scans, at most: half a year of days. More would hold the thread for longer than 20 ms. */
const PAGE_HOURS_MAX = 4_400;
/** Closed hours in the cache: a month of about seventy tokens. */
const HOURS_MAX = 50_000;

interface CandleRow {
  t: number;
  o: number;
  h: number;
  l: number;
  c: number;
  volumeUsd: string;
  buyUsd: string;
  sellUsd: string;
  trades: number;
}

interface PriceRange {
  o: number;
  h: number;
  l: number;
  c: number;
}

export class Candles {
  readonly #view: View;
  /** By token and hour. */
  readonly #hours = new Map<number, PriceRange>();

  constructor(view: View) {
    this.#view = view;
  }

  page(
    address: string,
    query: {
      networkId?: NetworkId;
      interval: keyof typeof INTERVAL_MS;
      from: number;
      to: number;
      limit: number;
    },
  ): { token: WireToken; rows: CandleRow[]; coveredFrom: number; nextFrom: number | null } | undefined {
    const token = this.#view.context.tokens.byAddress(address, query.networkId);
    if (!token) return undefined;
    const step = INTERVAL_MS[query.interval];
    const { asOf } = this.#view;
    const coveredFrom = Math.max(token.launchAt, poolKnownFrom(this.#view));
    const first = Math.max(Math.ceil(query.from / step), Math.floor(coveredFrom / step)) * step;
    const end = Math.min(query.to, asOf);
    const rowsMax = Math.min(query.limit, ROWS_MAX, Math.ceil((PAGE_HOURS_MAX * HOUR_MS) / step));
    const last = Math.min(end, first + rowsMax * step);
    const swaps = poolSwaps(this.#view, token, first - SHIFT_FADES_MS, last + step);
    const rows: CandleRow[] = [];
    for (let t = first; t < last; t += step)
      rows.push(this.#candle(token, swaps, t, Math.min(t + step, asOf), t + step <= asOf));
    return { token: this.#view.token(token), rows, coveredFrom, nextFrom: last < end ? last : null };
  }

  #candle(
    token: WorldToken,
    swaps: readonly PoolSwap[],
    from: number,
    to: number,
    isClosed: boolean,
  ): CandleRow {
    const range = this.#range(token, swaps, Math.max(from, token.launchAt), to, isClosed);
    let buyUsd = 0;
    let sellUsd = 0;
    let trades = 0;
    for (let place = swapAfter(swaps, from - 1); place < swaps.length; place++) {
      const swap = swaps[place] as PoolSwap;
      if (swap.at >= to) break;
      trades++;
      if (swap.isBuy) buyUsd += swap.usd;
      else sellUsd += swap.usd;
    }
    return {
      t: from,
      ...range,
      volumeUsd: volumeText(buyUsd + sellUsd),
      buyUsd: volumeText(buyUsd),
      sellUsd: volumeText(sellUsd),
      trades,
    };
  }

  /** Built from whole hours where there are any, and from minutes elsewhere. */
  #range(
    token: WorldToken,
    swaps: readonly PoolSwap[],
    from: number,
    to: number,
    isClosed: boolean,
  ): PriceRange {
    const whole: PriceRange = { o: 0, h: 0, l: Number.POSITIVE_INFINITY, c: 0 };
    for (let at = from; at < to; ) {
      const hour = Math.floor(at / HOUR_MS);
      const isHour = isClosed && at === hour * HOUR_MS && at + HOUR_MS <= to;
      const end = isHour ? at + HOUR_MS : Math.min(to, (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS);
      const part = isHour
        ? this.#hour(token, swaps, hour)
        : stretch(token, swaps, at, end, at === from ? poolPriceBy(token, swaps, at) : whole.c);
      if (at === from) whole.o = part.o;
      add(whole, part);
      at = end;
    }
    return whole;
  }

  #hour(token: WorldToken, swaps: readonly PoolSwap[], hour: number): PriceRange {
    const key = hour * 65_536 + token.index;
    const known = this.#hours.get(key);
    if (known) return known;
    const start = hour * HOUR_MS;
    // The thin years before genesis are not scanned minute by minute.
    const step = start < this.#view.context.genesis ? HOUR_MS : MINUTE_MS;
    const open = poolPriceBy(token, swaps, start);
    const whole: PriceRange = { o: open, h: 0, l: Number.POSITIVE_INFINITY, c: open };
    for (let at = start; at < start + HOUR_MS; at += step)
      add(whole, stretch(token, swaps, at, at + step, whole.c));
    if (this.#hours.size >= HOURS_MAX) this.#hours.clear();
    this.#hours.set(key, whole);
    return whole;
  }
}

function add(whole: PriceRange, part: PriceRange): void {
  whole.h = Math.max(whole.h, part.h);
  whole.l = Math.min(whole.l, part.l);
  whole.c = part.c;
}

/** A minute, a part of one, or a quiet hour; `open` is its opening price. */
function stretch(
  token: WorldToken,
  swaps: readonly PoolSwap[],
  from: number,
  to: number,
  open: number,
): PriceRange {
  const close = poolPriceBy(token, swaps, to);
  let low = Math.min(open, close);
  let high = Math.max(open, close);
  for (let place = swapAfter(swaps, from - 1); place < swaps.length; place++) {
    const swap = swaps[place] as PoolSwap;
    if (swap.at >= to) break;
    const outside = priceAt(token.price, swap.at);
    const before = swaps[place - 1];
    const left = before ? outside * Math.exp(fadedShift(before.shift, before.at, swap.at)) : outside;
    const right = outside * Math.exp(swap.shift);
    low = Math.min(low, left, right);
    high = Math.max(high, left, right);
  }
  // The movement between two samples: as much as such a token moves in that time.
  const place = Math.floor(from / MINUTE_MS);
  const stray = token.price.dailyVolatility * Math.sqrt((to - from) / DAY_MS);
  high *= Math.exp(stray * (0.12 + 0.7 * unit(token.price.key, place, 1) ** 2));
  low *= Math.exp(-stray * (0.12 + 0.7 * unit(token.price.key, place, 2) ** 2));
  return { o: open, h: high, l: low, c: close };
}
