// Candles as a chart's bars. A chart requests a number of bars before a moment, and then earlier ones.
import { DAY_MS } from "../../../kit/units.ts";
import type { ChartReader } from "./reader.ts";
import type { Range } from "./resolutions.ts";
import type { ChartSymbol } from "./symbols.ts";

/** As many as one read of candles returns. */
const BARS_MAX = 1_000;

export async function readBars(symbol: ChartSymbol, range: Range, countback: number, reader: ChartReader) {
  const { resolution, fromMs, toMs } = range;
  const within = Math.ceil((toMs - fromMs) / resolution.lengthMs);
  const before = await candlesBefore(symbol, {
    interval: resolution.interval,
    toMs,
    limit: Math.min(Math.max(within, countback, 1), BARS_MAX),
    reader,
  });
  const inRange = before.filter(({ t }) => Date.parse(t) >= fromMs).length;
  const bars = before.slice(before.length - Math.min(Math.max(inRange, countback), before.length));
  if (bars.length === 0) return noData(symbol, range, reader);
  return {
    s: "ok",
    t: bars.map(({ t }) => secondsOf(t)),
    o: bars.map(({ o }) => o),
    h: bars.map(({ h }) => h),
    l: bars.map(({ l }) => l),
    c: bars.map(({ c }) => c),
    v: bars.map(({ v }) => v),
  };
}

async function candlesBefore(
  { address, networkId }: ChartSymbol,
  { interval, toMs, limit, reader }: { interval: string; toMs: number; limit: number; reader: ChartReader },
) {
  const { candles } = await reader.read("listCandles", {
    params: { address },
    query: { networkId, interval, to: new Date(toMs).toISOString(), limit },
  });
  // The bar that contains `to` is returned whole, even if it begins at `to`.
  return candles.filter(({ t }) => Date.parse(t) < toMs);
}

/** A chart stops requesting earlier bars unless it learns where the next ones are: by the end of the last day with any. */
async function noData(symbol: ChartSymbol, { fromMs }: Range, reader: ChartReader) {
  const days = await candlesBefore(symbol, { interval: "1d", toMs: fromMs, limit: BARS_MAX, reader });
  const last = days.at(-1);
  if (last === undefined) return { s: "no_data" };
  return { s: "no_data", nextTime: Math.floor(Math.min(Date.parse(last.t) + DAY_MS, fromMs) / 1_000) };
}

export const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1_000);
