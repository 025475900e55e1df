/** @jsxImportSource preact */
// The days of the last weeks, a week per row: the date, its profit or loss, and a colour depth by the amount.
import { DAY_MS } from "../../kit/units.ts";
import { counted, day, shortGain, signedUsd } from "./format.ts";

const [WIDTH, HEIGHT, GAP, HEAD] = [46, 32, 3, 14];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The size of a calendar of this many days. */
const boxOf = (offset: number, days: number) =>
  `0 0 ${7 * (WIDTH + GAP)} ${HEAD + Math.ceil((offset + days) / 7) * (HEIGHT + GAP)}`;

const weekdayOf = (at: number) => (new Date(at).getUTCDay() + 6) % 7;

/** An empty placeholder as large as the calendar of the days up to this moment. */
export function CalendarRoom({ until, days }: { until: number; days: number }) {
  const offset = weekdayOf(until - (days - 1) * DAY_MS);
  return <svg class="calendar" width="100%" viewBox={boxOf(offset, days)} aria-hidden="true" />;
}

export function Calendar({ days }: { days: readonly { t: string; gainUsd: number; fills: number }[] }) {
  if (days.length === 0) return null;
  const first = Date.parse(String(days[0]?.t));
  const offset = weekdayOf(first);
  const largest = Math.max(1e-9, ...days.map(({ gainUsd }) => Math.abs(gainUsd)));
  return (
    <svg
      class="calendar"
      width="100%"
      viewBox={boxOf(offset, days.length)}
      role="img"
      aria-label={`Profit by day: ${days.filter(({ gainUsd }) => gainUsd > 0).length} of ${days.length} days gained.`}
    >
      {WEEKDAYS.map((name, column) => (
        <text key={name} x={column * (WIDTH + GAP)} y="10">
          {name}
        </text>
      ))}
      {days.map(({ t, gainUsd, fills }, index) => {
        const place = offset + index;
        const depth =
          Math.abs(gainUsd) < 0.005 ? 0 : Math.min(4, 1 + Math.floor((Math.abs(gainUsd) / largest) * 3.99));
        const [x, y] = [(place % 7) * (WIDTH + GAP), HEAD + Math.floor(place / 7) * (HEIGHT + GAP)];
        const at = first + index * DAY_MS;
        return (
          <g key={t}>
            <title>{`${day(at)}: ${signedUsd(gainUsd)}, ${counted(fills, "fill")}`}</title>
            <rect
              class={depth === 0 ? "none" : `${gainUsd > 0 ? "gain" : "loss"} d${depth}`}
              x={x}
              y={y}
              width={WIDTH}
              height={HEIGHT}
              rx="4"
            />
            <text x={x + 5} y={y + 12}>
              {new Date(at).getUTCDate()}
            </text>
            <text class="figure" x={x + WIDTH - 4} y={y + 26}>
              {depth === 0 ? "" : shortGain(gainUsd)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
