/** @jsxImportSource preact */
// Candles with volume, and a mark for each trade of a tracked trader; pointing at a candle says who, how much and why.
// The chart itself is loaded only here, when it is needed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { CandlesAnswer, Thesis } from "../../client/src/generated.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { TapeEvent } from "../shared/feed.ts";
import { counted, day, price, usd } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import type { ChartHandle } from "./candle-engine.ts";
import { marksOf } from "./chart-marks.ts";

const LENGTH_MS: Record<string, number> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": HOUR_MS,
  "4h": 14_400_000,
  "1d": DAY_MS,
};
/** Names in one reading; more are counted. */
const NAMED_MAX = 4;

export interface CandleChartProps {
  candles: CandlesAnswer["candles"];
  interval: string;
  fills: readonly TapeEvent[];
  theses: readonly Thesis[];
  symbol: string;
}

export function CandleChart({ candles, interval, fills, theses, symbol }: CandleChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | null>(null);
  const [isReady, setReady] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    let isGone = false;
    void import("./candle-engine.ts").then(({ createCandles }) => {
      if (isGone || !box.current) return;
      chart.current = createCandles(box.current, setPointed);
      setReady(true);
    });
    return () => {
      isGone = true;
      chart.current?.remove();
      chart.current = null;
    };
  }, []);

  const lengthMs = LENGTH_MS[interval] ?? HOUR_MS;
  const bucketOf = (at: number) => Math.floor(at / lengthMs) * lengthMs;
  const trades = fills.filter((fill) => fill.alertType === "buy" || fill.alertType === "sell");
  useEffect(() => {
    chart.current?.show(candles, marksOf(trades, bucketOf, new Set(candles.map(({ t }) => Date.parse(t)))));
  }, [isReady, candles, trades.length, trades[0]?.seq, interval]);

  const here =
    pointed === null
      ? (candles.at(-1) ?? null)
      : (candles.find(({ t }) => Date.parse(t) === pointed) ?? null);
  const traded = here === null ? [] : trades.filter((fill) => bucketOf(fill.ts) === Date.parse(here.t));
  const last = candles.at(-1);
  return (
    <div class="candles">
      {isReady ? null : <Skeleton rows={8} />}
      <div
        class="candle-box"
        ref={box}
        role="img"
        aria-label={`${symbol}: ${candles.length} candles of ${interval}${last ? `, last price ${price(last.c)}` : ""}`}
      />
      {here ? (
        <p class="reading">
          <b class="num">{day(Date.parse(here.t), true)}</b>{" "}
          <span class="num soft">
            O {price(here.o)} · H {price(here.h)} · L {price(here.l)} · C {price(here.c)} · {usd(here.v)} in{" "}
            {counted(here.trades, "trade")}
          </span>
        </p>
      ) : null}
      {traded.length > 0 ? (
        <ul class="marks">
          {traded.slice(0, NAMED_MAX).map((fill) => {
            const thesis = theses.find(({ tradeId }) => tradeId !== null && tradeId === fill.tradeId);
            return (
              <li key={fill.seq}>
                <span class={`side ${fill.alertType}`}>{fill.alertType}</span>{" "}
                <a href={`/traders/${encodeURIComponent(fill.trader ?? "")}`}>{fill.trader}</a>{" "}
                <span class="num">{usd(fill.fillUsd)}</span> at{" "}
                <span class="num">{price(fill.priceUsd)}</span>
                {thesis ? <q dir="auto">{thesis.text}</q> : null}
              </li>
            );
          })}
          {traded.length > NAMED_MAX ? <li class="soft">and {traded.length - NAMED_MAX} more</li> : null}
        </ul>
      ) : null}
      <p class="soft note">
        ▲ bought, ▼ sold by tracked traders. Charts by{" "}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView
        </a>
        .
      </p>
    </div>
  );
}
