// Candle prices for gaps in the tape: one-minute closes, the platform's own or, if it has none, those of
// our captured fills. They price an order that no tick covers; such an order counts as not covered.
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import type { TokenRef } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import { capturedCandles } from "../captured-candles.ts";
import { type CandlePage, platformCandles } from "../platform-candles.ts";
import { type HourRun, runsOf } from "./hours.ts";

export interface CandleClose {
  closesAt: number;
  priceUsd: number;
}

export interface CandlePriceParts {
  upstream: Pick<Upstream, "candles">;
  store: Pick<Store, "candles" | "log">;
}

/** The closes of some hours of a token, ascending. */
export type CandlePrices = (token: TokenRef, hours: readonly number[]) => Promise<CandleClose[]>;

/** Hours per request: fewer candles than a page holds. */
const RUN_HOURS_MAX = 12;
const RUN_CANDLES_MAX = (RUN_HOURS_MAX * HOUR_MS) / MINUTE_MS;
/** Requests per replay; beyond that, the leader's own prices are used. */
const QUESTIONS_MAX = 200;

/** The prices of one replay, all within its limit and its call. */
export function candlePrices(
  { upstream, store }: CandlePriceParts,
  call: Parameters<Upstream["candles"]>[2],
): CandlePrices {
  let questions = 0;
  const readRun = async (token: TokenRef, { first, count }: HourRun): Promise<CandleClose[]> => {
    const [from, to] = [first * HOUR_MS, (first + count) * HOUR_MS];
    const { address, networkId } = token;
    const range = { address, networkId, interval: "1m" as const, from, to, limit: RUN_CANDLES_MAX };
    const { buckets }: CandlePage =
      (await platformCandles(upstream, range, call)) ?? (await capturedCandles(store, range));
    return buckets.map(({ opensAt, close }) => ({ closesAt: opensAt + MINUTE_MS, priceUsd: close }));
  };
  return async (token, hours) => {
    const closes: CandleClose[] = [];
    for (const run of runsOf(hours, RUN_HOURS_MAX)) {
      if (questions >= QUESTIONS_MAX) break;
      questions += 1;
      closes.push(...(await readRun(token, run)));
    }
    return closes;
  };
}
