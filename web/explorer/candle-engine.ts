// The chart library behind one small door: made once, given candles and marks, coloured by the theme, removed.
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

export interface ChartHandle {
  show(candles: CandlesAnswer["candles"], marks: readonly ChartMark[]): void;
  remove(): void;
}

/** The scale reaches below zero for the volume's sake, and what is nearly zero is a rounding error; no price is either. */
const LEAST_PRICE_USD = 1e-14;
const axisPrice = (value: number) => (value < LEAST_PRICE_USD ? "" : price(value));

/** One for all candles: where clocks are put back, an hour of the axis would come twice otherwise, which the library refuses. */
const offsetAt = (at: number) => -new Date(at).getTimezoneOffset() * MINUTE_MS;

export function createCandles(box: HTMLElement, onPoint: (at: number | null) => void): ChartHandle {
  // The library reads colours as they are computed, not as variables.
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
  const chart = createChart(box, { ...looks(), autoSize: true, localization: { priceFormatter: axisPrice } });
  const candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: "custom", formatter: axisPrice, minMove: 1e-12 },
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
  // The library knows only UTC: by the reader's clock is that much further.
  let offsetMs = 0;
  const seconds = (at: number) => Math.floor((at + offsetMs) / 1_000) as UTCTimestamp;

  const draw = () => {
    const [rows, marks] = shown;
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
      rows.map(({ t, o, h, l, c }) => ({ time: seconds(Date.parse(t)), open: o, high: h, low: l, close: c })),
    );
    const [bought, sold] = [colour("gain-soft"), colour("loss-soft")];
    volume.setData(
      rows.map(({ t, v, o, c }) => ({
        time: seconds(Date.parse(t)),
        value: v,
        color: c >= o ? bought : sold,
      })),
    );
    markers.setMarkers(
      marks.map(({ at, side, count }) => ({
        time: seconds(at),
        size: 0.6,
        position: side === "buy" ? ("belowBar" as const) : ("aboveBar" as const),
        shape: side === "buy" ? ("arrowUp" as const) : ("arrowDown" as const),
        color: side === "buy" ? gain : loss,
        ...(count > 1 ? { text: String(count) } : {}),
      })),
    );
    if (isFirst && rows.length > 0) chart.timeScale().fitContent();
    if (rows.length > 0) isFirst = false;
  };
  const point = (event: { time?: unknown }) =>
    onPoint(typeof event.time === "number" ? event.time * 1_000 - offsetMs : null);
  chart.subscribeCrosshairMove(point);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", draw);
  addEventListener("themechange", draw);
  return {
    show(rows, marks) {
      shown = [rows, marks];
      draw();
    },
    remove() {
      scheme.removeEventListener("change", draw);
      removeEventListener("themechange", draw);
      chart.remove();
    },
  };
}
