// Candles built from our own captured fills. They are complete since capture began; before that they contain only what
// upstream still had, and `coveredFrom` says so.
import type { Store } from "../store/store.ts";
import { align, type CandleBucket, INTERVALS, rollUp } from "./candles.ts";
import type { CandlePage, PlatformCandleRange } from "./platform-candles.ts";

export async function capturedCandles(
  store: Pick<Store, "candles" | "log">,
  { address, networkId, interval, from, to, limit }: PlatformCandleRange,
): Promise<CandlePage> {
  const { lengthMs, base, parts } = INTERVALS[interval];
  const read = (start: number, count: number) =>
    store.candles
      .range(address, { networkId, length: base, from: start, to, limit: (count + 1) * parts })
      .then((rows) => rollUp(rows, lengthMs));
  const coveredFrom = await store.log.beganAt();
  if (from !== null) {
    const buckets = await read(from, limit);
    const shown = buckets.slice(0, limit);
    const last = shown.at(-1);
    const nextFrom = buckets.length > shown.length && last ? last.opensAt + lengthMs : null;
    return { buckets: shown, nextFrom, coveredFrom };
  }
  const span = await store.candles.span(address, networkId);
  const buckets = await newest(align(span?.firstAt ?? 0, lengthMs), to, lengthMs, limit, read);
  return { buckets: buckets.slice(-limit), nextFrom: null, coveredFrom };
}

/** Steps back in time until enough buckets are found, so that a quiet token is not read from the start. */
async function newest(
  earliest: number,
  to: number,
  lengthMs: number,
  wanted: number,
  read: (start: number, count: number) => Promise<CandleBucket[]>,
): Promise<CandleBucket[]> {
  for (let reach = wanted + 1; ; reach *= 4) {
    const start = Math.max(earliest, align(to, lengthMs) - reach * lengthMs);
    const buckets = await read(start, reach);
    if (buckets.length > wanted || start <= earliest) return buckets;
  }
}
