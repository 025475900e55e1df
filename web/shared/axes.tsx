/** @jsxImportSource preact */
// The axes of a drawn chart: round values next to it, and times by the visitor's clock under it.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { useClockOffset } from "./bits.tsx";
import { day } from "./format.ts";

/** A line for each value, up to `width`, with its label after it. */
export function ValueTicks(props: {
  ticks: readonly number[];
  width: number;
  y: (value: number) => number;
  words: (value: number) => string;
}) {
  const { ticks, width, y, words } = props;
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} class="tick">
          <line x1="0" x2={width} y1={y(tick)} y2={y(tick)} class={tick === 0 ? "zero" : ""} />
          <text x={width + 6} y={y(tick) + 4}>
            {words(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Times roughly this many pixels apart, or more. */
export function TimeTicks(props: { from: number; to: number; width: number; y: number; apart: number }) {
  const { from, to, width, y, apart } = props;
  const offsetMs = useClockOffset(to || 0);
  return (
    <>
      {timeTicks(from + offsetMs, to + offsetMs, Math.max(2, Math.floor(width / apart))).map(
        ({ at, label }) => (
          <text
            key={at}
            class="date"
            x={((at - from - offsetMs) / (to - from)) * width}
            y={y}
            text-anchor={at === from + offsetMs ? "start" : "middle"}
          >
            {label}
          </text>
        ),
      )}
    </>
  );
}

/** Three to six round values that span the range, zero among them. */
export function niceTicks(low: number, high: number): number[] {
  const range = high - low;
  if (!(range > 0)) return [0];
  const rough = range / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** From an hour to many years: the first step with few enough ticks is used. */
const STEPS_MS = [
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10, 30, 90, 365, 1_825].map((days) => days * DAY_MS),
];

/** The ticks of a time axis: whole hours, or starts of days, by the clock of `from` and `to`. */
export function timeTicks(from: number, to: number, max: number): { at: number; label: string }[] {
  const step = STEPS_MS.find((each) => (to - from) / each <= max) ?? to - from;
  if (!(step > 0)) return [];
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => {
    const at = first + index * step;
    return { at, label: step < DAY_MS ? new Date(at).toISOString().slice(11, 16) : day(at) };
  });
}
