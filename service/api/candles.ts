// The intervals that clients can request, aggregated from the three that are stored.
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { CandleLength, StoredCandle } from "../store/captured/candles.ts";

export type CandleBucket = StoredCandle;

/** `parts` stored candles make one bucket. */
export const INTERVALS = {
  "1m": { lengthMs: MINUTE_MS, base: "1m", parts: 1 },
  "5m": { lengthMs: 5 * MINUTE_MS, base: "1m", parts: 5 },
  "15m": { lengthMs: 15 * MINUTE_MS, base: "1m", parts: 15 },
  "1h": { lengthMs: HOUR_MS, base: "1h", parts: 1 },
  "4h": { lengthMs: 4 * HOUR_MS, base: "1h", parts: 4 },
  "1d": { lengthMs: 24 * HOUR_MS, base: "1d", parts: 1 },
} as const satisfies Record<string, { lengthMs: number; base: CandleLength; parts: number }>;

export function align(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs) * lengthMs;
}

/** Ascending in, ascending out; no bucket twice. */
export function rollUp(candles: readonly StoredCandle[], lengthMs: number): CandleBucket[] {
  const buckets: CandleBucket[] = [];
  for (const candle of candles) {
    const opensAt = Math.floor(candle.opensAt / lengthMs) * lengthMs;
    const last = buckets[buckets.length - 1];
    if (last?.opensAt !== opensAt) {
      buckets.push({ ...candle, opensAt });
      continue;
    }
    last.high = Math.max(last.high, candle.high);
    last.low = Math.min(last.low, candle.low);
    last.close = candle.close;
    last.buyUsd += candle.buyUsd;
    last.sellUsd += candle.sellUsd;
    last.trades += candle.trades;
  }
  return buckets;
}
