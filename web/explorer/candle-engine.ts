// A small interface to the chart library: created once, given candles and marks, coloured by the theme, removed.
import {
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type UTCTimestamp,
} from "lightweight-charts";
import type { CandlesAnswer } from "../../client/src/generated.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { price } from "../shared/format.ts";
import type { ChartMark } from "./chart-marks.ts";

/** The unit of the axis: dollars per token, or for the whole supply. */
export interface ChartAxis {
  /** The axis shows the price times this. */
  factor: number;
  words(value: number): string;
}

export interface ChartHandle {
  show(candles: CandlesAnswer["candles"], marks: readonly ChartMark[], axis: ChartAxis): void;
  remove(): void;
}

export interface ChartWatcher {
  /** The candle under the pointer; null without one. */
  onPoint(at: number | null): void;
  /** The first and the last visible candle. */
  onRange(from: number, to: number): void;
}

/** The scale reaches below zero to make room for the volume, and a value near zero is a rounding error; neither is a price. */
const LEAST_PRICE_USD = 1e-14;

/** Below this width, the figures of adjacent candles overlap. */
const COUNTED_FROM_PX = 14;

/**
 * One offset for all candles: otherwise, when clocks are put back, an hour of the axis would occur twice, which the library
 * refuses.
 */
const offsetAt = (at: number) => -new Date(at).getTimezoneOffset() * MINUTE_MS;

export function createCandles(box: HTMLElement, { onPoint, onRange }: ChartWatcher): ChartHandle {
  let axis: ChartAxis = { factor: 1, words: price };
  const axisWords = (value: number) => (value / axis.factor < LEAST_PRICE_USD ? "" : axis.words(value));
  // The library needs computed colours, not variables.
  const probe = document.createElement("span");
  box.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const looks = () => ({
    layout: {
      background: { type: ColorType.Solid as const, color: colour("card") },
      textColor: colour("soft"),
      attributionLogo: false,
      fontFamily: getComputedStyle(box).fontFamily,
      fontSize: 11,
    },
    grid: { vertLines: { color: colour("line") }, horzLines: { color: colour("line") } },
    rightPriceScale: { borderColor: colour("line") },
    timeScale: { borderColor: colour("line"), timeVisible: true, secondsVisible: false },
  });
  const chart = createChart(box, { ...looks(), autoSize: true, localization: { priceFormatter: axisWords } });
  const candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: "custom", formatter: axisWords, minMove: 1e-12 },
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceFormat: { type: "volume" },
    priceScaleId: "volume",
    lastValueVisible: false,
    priceLineVisible: false,
  });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.12, bottom: 0.24 } });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const markers = createSeriesMarkers(candles, []);
  let shown: [CandlesAnswer["candles"], readonly ChartMark[]] = [[], []];
  let isFirst = true;
  // The library knows only UTC, so times are shifted to the reader's clock.
  let offsetMs = 0;
  const seconds = (at: number) => Math.floor((at + offsetMs) / 1_000) as UTCTimestamp;

  const draw = () => {
    const [rows] = shown;
    offsetMs = offsetAt(Date.parse(rows.at(-1)?.t ?? "") || 0);
    chart.applyOptions(looks());
    const [gain, loss] = [colour("gain"), colour("loss")];
    candles.applyOptions({
      upColor: gain,
      downColor: loss,
      wickUpColor: gain,
      wickDownColor: loss,
      borderVisible: false,
    });
    candles.setData(
      rows.map(({ t, o, h, l, c }) => ({
        time: seconds(Date.parse(t)),
        open: o * axis.factor,
        high: h * axis.factor,
        low: l * axis.factor,
        close: c * axis.factor,
      })),
    );
    const [bought, sold] = [colour("gain-soft"), colour("loss-soft")];
    volume.setData(
      rows.map(({ t, v, o, c }) => ({
        time: seconds(Date.parse(t)),
        value: v,
        color: c >= o ? bought : sold,
      })),
    );
    drawMarks(gain, loss);
    if (isFirst && rows.length > 0) chart.timeScale().fitContent();
    if (rows.length > 0) isFirst = false;
  };
  /** Shows how many trades a mark stands for, if candles are wide enough to tell whose number it is. */
  const isRoomy = () => {
    const range = chart.timeScale().getVisibleLogicalRange();
    return range !== null && chart.timeScale().width() / (range.to - range.from) >= COUNTED_FROM_PX;
  };
  let isCounted = false;
  const drawMarks = (gain: string, loss: string) => {
    isCounted = isRoomy();
    markers.setMarkers(
      shown[1].map(({ at, side, count }) => ({
        time: seconds(at),
        size: 0.6,
        position: side === "buy" ? ("belowBar" as const) : ("aboveBar" as const),
        shape: side === "buy" ? ("arrowUp" as const) : ("arrowDown" as const),
        color: side === "buy" ? gain : loss,
        ...(count > 1 && isCounted ? { text: String(count) } : {}),
      })),
    );
  };
  const point = (event: { time?: unknown }) =>
    onPoint(typeof event.time === "number" ? event.time * 1_000 - offsetMs : null);
  chart.subscribeCrosshairMove(point);
  chart.timeScale().subscribeVisibleTimeRangeChange((range) => {
    if (isRoomy() !== isCounted) drawMarks(colour("gain"), colour("loss"));
    if (range) onRange(Number(range.from) * 1_000 - offsetMs, Number(range.to) * 1_000 - offsetMs);
  });
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", draw);
  addEventListener("themechange", draw);
  return {
    show(rows, marks, shownAs) {
      shown = [rows, marks];
      axis = shownAs;
      draw();
    },
    remove() {
      scheme.removeEventListener("change", draw);
      removeEventListener("themechange", draw);
      chart.remove();
    },
  };
}
