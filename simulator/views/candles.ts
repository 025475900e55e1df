// Candles of a token over all of the kept history. Every interval is put together from the same minutes, so an hour's high
// is the highest of its minutes, and a closed candle never changes. Volume is what the platform's own people traded.
import type { NetworkId, WireToken } from "../../protocol/protocol.ts";
import { unit } from "../world/hash.ts";
import { fadedShift, SHIFT_FADES_MS } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import { BUY } from "../world/state.ts";
import type { Token } from "../world/tokens.ts";
import { type View, volumeText } from "./view.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const INTERVAL_MS = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": HOUR_MS,
  "4h": 4 * HOUR_MS,
  "1d": 24 * HOUR_MS,
} as const;
const ROWS_MAX = 1_000;
/** Closed hours that are kept once they have been worked out: a month of some seventy tokens. */
const HOURS_MAX = 50_000;
const MINUTES_A_DAY = 1_440;

interface Candle {
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

interface Swap {
  at: number;
  shift: number;
  usd: number;
  isBuy: boolean;
}

type Extremes = [low: number, high: number];

export class Candles {
  readonly #view: View;
  /** By token and hour. */
  readonly #hours = new Map<number, Extremes>();

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
  ): { token: WireToken; rows: Candle[]; coveredFrom: number; nextFrom: number | null } | undefined {
    const token = this.#view.context.tokens.byAddress(address, query.networkId);
    if (!token) return undefined;
    const step = INTERVAL_MS[query.interval];
    const { asOf } = this.#view;
    const coveredFrom = Math.max(token.launchAt, this.#keptFrom());
    const first = Math.max(Math.ceil(query.from / step), Math.floor(coveredFrom / step)) * step;
    const end = Math.min(query.to, asOf);
    const last = Math.min(end, first + Math.min(query.limit, ROWS_MAX) * step);
    const swaps = this.#swaps(token, first - SHIFT_FADES_MS, last + step);
    const rows: Candle[] = [];
    for (let t = first; t < last; t += step)
      rows.push(this.#candle(token, swaps, t, Math.min(t + step, asOf), t + step <= asOf));
    return { token: this.#view.token(token), rows, coveredFrom, nextFrom: last < end ? last : null };
  }

  /** Since when all fills are known, and with them every price. */
  #keptFrom(): number {
    const { counters, tables } = this.#view.context.state;
    if (counters.fills <= tables.fills.capacity) return this.#view.context.origin;
    return tables.fills.columns.at.get(counters.fills % tables.fills.capacity) + SHIFT_FADES_MS;
  }

  /** Oldest first. */
  #swaps(token: Token, from: number, to: number): Swap[] {
    const { counters, tables } = this.#view.context.state;
    const fills = tables.fills.columns;
    const oldest = Math.max(0, counters.fills - tables.fills.capacity);
    const swaps: Swap[] = [];
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

  #candle(token: Token, swaps: readonly Swap[], from: number, to: number, isClosed: boolean): Candle {
    const start = Math.max(from, token.launchAt);
    let [low, high] = this.#extremes(token, swaps, start, to, isClosed);
    const o = poolAt(token, swaps, start);
    const c = poolAt(token, swaps, to);
    low = Math.min(low, o, c);
    high = Math.max(high, o, c);
    let buyUsd = 0;
    let sellUsd = 0;
    let trades = 0;
    for (let place = after(swaps, from - 1); place < swaps.length; place++) {
      const swap = swaps[place] as Swap;
      if (swap.at >= to) break;
      trades++;
      if (swap.isBuy) buyUsd += swap.usd;
      else sellUsd += swap.usd;
    }
    return {
      t: from,
      o,
      h: high,
      l: low,
      c,
      volumeUsd: volumeText(buyUsd + sellUsd),
      buyUsd: volumeText(buyUsd),
      sellUsd: volumeText(sellUsd),
      trades,
    };
  }

  #extremes(token: Token, swaps: readonly Swap[], from: number, to: number, isClosed: boolean): Extremes {
    const found: Extremes = [Number.POSITIVE_INFINITY, 0];
    for (let at = from; at < to; ) {
      const hour = Math.floor(at / HOUR_MS);
      const isWholeHour = isClosed && at === hour * HOUR_MS && at + HOUR_MS <= to;
      const end = isWholeHour ? at + HOUR_MS : Math.min(to, (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS);
      const [low, high] = isWholeHour
        ? this.#hour(token, swaps, hour)
        : minuteExtremes(token, swaps, at, end);
      found[0] = Math.min(found[0], low);
      found[1] = Math.max(found[1], high);
      at = end;
    }
    return found;
  }

  #hour(token: Token, swaps: readonly Swap[], hour: number): Extremes {
    const key = hour * 65_536 + token.index;
    const known = this.#hours.get(key);
    if (known) return known;
    const found: Extremes = [Number.POSITIVE_INFINITY, 0];
    for (let at = hour * HOUR_MS; at < (hour + 1) * HOUR_MS; at += MINUTE_MS) {
      const [low, high] = minuteExtremes(token, swaps, at, at + MINUTE_MS);
      found[0] = Math.min(found[0], low);
      found[1] = Math.max(found[1], high);
    }
    if (this.#hours.size >= HOURS_MAX) this.#hours.clear();
    this.#hours.set(key, found);
    return found;
  }
}

/** Lowest and highest of a minute, or of the part of it there is. */
function minuteExtremes(token: Token, swaps: readonly Swap[], from: number, to: number): Extremes {
  const open = poolAt(token, swaps, from);
  const close = poolAt(token, swaps, to);
  let low = Math.min(open, close);
  let high = Math.max(open, close);
  for (let place = after(swaps, from - 1); place < swaps.length; place++) {
    const swap = swaps[place] as Swap;
    if (swap.at >= to) break;
    const outside = priceAt(token.price, swap.at);
    const before = swaps[place - 1];
    const left = before ? outside * Math.exp(fadedShift(before.shift, before.at, swap.at)) : outside;
    const right = outside * Math.exp(swap.shift);
    low = Math.min(low, left, right);
    high = Math.max(high, left, right);
  }
  // What happened between the looks: as much as such a token moves within a minute.
  const minute = Math.floor(from / MINUTE_MS);
  const stray = token.price.dailyVolatility / Math.sqrt(MINUTES_A_DAY);
  high *= Math.exp(stray * (0.12 + 0.7 * unit(token.price.key, minute, 1) ** 2));
  low *= Math.exp(-stray * (0.12 + 0.7 * unit(token.price.key, minute, 2) ** 2));
  return [low, high];
}

function poolAt(token: Token, swaps: readonly Swap[], at: number): number {
  const outside = priceAt(token.price, at);
  const last = swaps[after(swaps, at) - 1];
  return last ? outside * Math.exp(fadedShift(last.shift, last.at, at)) : outside;
}

/** The place of the first swap after a time. */
function after(swaps: readonly Swap[], at: number): number {
  let low = 0;
  let high = swaps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((swaps[middle] as Swap).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
