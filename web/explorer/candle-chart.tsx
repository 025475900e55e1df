/** @jsxImportSource preact */
// Candles with volume, and a mark for each trade of a tracked trader; pointing at a candle says who, how much and why. The
// chart library is loaded only here, when it is needed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { CandlesAnswer, Thesis } from "../../client/src/generated.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { Moment } from "../shared/bits.tsx";
import { counted, price, usd } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import type { ChartAxis, ChartHandle } from "./candle-engine.ts";
import { type ChartSpan, type MarkedTrade, marksOf } from "./chart-marks.ts";
import type { MarkedFills } from "./use-marked-fills.ts";

const LENGTH_MS: Record<string, number> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": HOUR_MS,
  "4h": 14_400_000,
  "1d": DAY_MS,
};
/** Names listed for one candle; the rest are only counted. */
const NAMED_MAX = 4;

export interface CandleChartProps {
  candles: CandlesAnswer["candles"];
  interval: string;
  /** Newest first. */
  trades: readonly MarkedTrade[];
  /** Null when these are all the trades there are: those of one position. */
  marked: MarkedFills | null;
  theses: readonly Thesis[];
  symbol: string;
  /** The supply, when the axis shows market cap; null shows the price of one token. */
  supply?: number | null;
}

export function CandleChart(props: CandleChartProps) {
  const { candles, interval, trades, marked, theses, symbol, supply = null } = props;
  const axis: ChartAxis = supply === null ? { factor: 1, words: price } : { factor: supply, words: usd };
  const onAxis = (priceUsd: number) => axis.words(priceUsd * axis.factor);
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | null>(null);
  const [isReady, setReady] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const [shown, setShown] = useState<ChartSpan | null>(null);
  useEffect(() => {
    let isGone = false;
    void import("./candle-engine.ts").then(({ createCandles }) => {
      if (isGone || !box.current) return;
      chart.current = createCandles(box.current, {
        onPoint: setPointed,
        onRange: (from, to) => setShown({ from, to }),
      });
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
  const marks = marksOf(trades, bucketOf, new Set(candles.map(({ t }) => Date.parse(t))));
  useEffect(() => {
    chart.current?.show(candles, marks, axis);
  }, [isReady, candles, trades.length, trades[0]?.key, interval, supply]);
  const newest = Date.parse(candles.at(-1)?.t ?? "");
  const from = shown === null ? null : bucketOf(shown.from);
  // The range is open towards now: the tape continues there.
  const to = shown === null ? null : shown.to >= newest ? Number.POSITIVE_INFINITY : shown.to + lengthMs;
  useEffect(() => {
    if (from !== null && to !== null) marked?.look({ from, to });
  }, [from, to]);
  const inView = marks.filter(({ at }) => shown === null || (at >= (from ?? 0) && at <= shown.to));

  const here =
    pointed === null
      ? (candles.at(-1) ?? null)
      : (candles.find(({ t }) => Date.parse(t) === pointed) ?? null);
  const traded = here === null ? [] : trades.filter(({ at }) => bucketOf(at) === Date.parse(here.t));
  const last = candles.at(-1);
  return (
    <div class="candles">
      {isReady ? null : <Skeleton rows={8} />}
      <div
        class="candle-box"
        ref={box}
        role="img"
        aria-label={`${symbol}: ${candles.length} candles of ${interval}${last ? `, last ${supply === null ? "price" : "market cap"} ${onAxis(last.c)}` : ""}`}
      />
      {here ? (
        <p class="reading">
          <b>
            <Moment at={Date.parse(here.t)} />
          </b>{" "}
          <span class="num soft">
            O {onAxis(here.o)} · H {onAxis(here.h)} · L {onAxis(here.l)} · C {onAxis(here.c)} · {usd(here.v)}{" "}
            in {counted(here.trades, "trade")}
          </span>
        </p>
      ) : null}
      {traded.length > 0 ? (
        <ul class="marks">
          {traded.slice(0, NAMED_MAX).map((trade) => {
            const thesis = theses.find(({ tradeId }) => tradeId !== null && tradeId === trade.tradeId);
            return (
              <li key={trade.key}>
                <span class={`side ${trade.side}`}>{trade.side}</span>{" "}
                <a href={`/traders/${encodeURIComponent(trade.trader ?? "")}`}>{trade.trader}</a>{" "}
                <span class="num">{usd(trade.usd)}</span> at <span class="num">{price(trade.priceUsd)}</span>
                {thesis ? <q dir="auto">{thesis.text}</q> : null}
              </li>
            );
          })}
          {traded.length > NAMED_MAX ? <li class="soft">and {traded.length - NAMED_MAX} more</li> : null}
        </ul>
      ) : null}
      <p class="soft note">
        ▲ bought, ▼ sold{marked ? " by tracked traders" : ""}:{" "}
        {counted(
          inView.reduce((sum, { count }) => sum + count, 0),
          "trade",
        )}
        {marked ? " in view" : ""}.{" "}
        {marked && from !== null ? <MarksReach marked={marked} from={from} /> : null} Charts by{" "}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView
        </a>
        .
      </p>
    </div>
  );
}

/** The note on what the marks leave out, if anything. */
function MarksReach({ marked, from }: { marked: MarkedFills; from: number }) {
  if (marked.state === "failed") return <>Older ones could not be read; retrying.</>;
  if (marked.state === "reading") return <>Reading…</>;
  if (marked.cutAt !== null)
    return (
      <>
        Those before <Moment at={marked.cutAt} /> are not shown.{" "}
        <button type="button" class="plain small" onClick={marked.older}>
          Show older
        </button>
      </>
    );
  if (marked.coveredFrom === null || marked.coveredFrom <= from) return null;
  return (
    <>
      Some before <Moment at={marked.coveredFrom} /> may be missing.
    </>
  );
}
