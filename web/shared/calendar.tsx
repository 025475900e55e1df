/** @jsxImportSource preact */
// Days as squares, week by week: how much was made or lost on each, by depth of colour, with the figure in words.
import { DAY_MS } from "../../kit/units.ts";
import { counted, day, signedUsd } from "./format.ts";

const CELL = 14;
const GAP = 3;
const WEEKDAYS = ["Mon", "", "Wed", "", "Fri", "", "Sun"];

export function Calendar({ days }: { days: readonly { t: string; gainUsd: number; fills: number }[] }) {
  if (days.length === 0) return null;
  const first = Date.parse(String(days[0]?.t));
  const weekday = (at: number) => (new Date(at).getUTCDay() + 6) % 7;
  const offset = weekday(first);
  const largest = Math.max(1e-9, ...days.map(({ gainUsd }) => Math.abs(gainUsd)));
  const weeks = Math.ceil((offset + days.length) / 7);
  return (
    <svg
      class="calendar"
      width={weeks * (CELL + GAP) + 30}
      height={7 * (CELL + GAP)}
      role="img"
      aria-label={`Profit by day: ${days.filter(({ gainUsd }) => gainUsd > 0).length} of ${days.length} days gained.`}
    >
      {WEEKDAYS.map((name, row) =>
        name === "" ? null : (
          <text key={name} x="0" y={row * (CELL + GAP) + 11}>
            {name}
          </text>
        ),
      )}
      {days.map(({ t, gainUsd, fills }, index) => {
        const place = offset + index;
        const depth =
          Math.abs(gainUsd) < 0.005 ? 0 : Math.min(4, 1 + Math.floor((Math.abs(gainUsd) / largest) * 3.99));
        return (
          <rect
            key={t}
            class={depth === 0 ? "none" : `${gainUsd > 0 ? "gain" : "loss"} d${depth}`}
            x={30 + Math.floor(place / 7) * (CELL + GAP)}
            y={(place % 7) * (CELL + GAP)}
            width={CELL}
            height={CELL}
            rx="3"
          >
            <title>{`${day(first + index * DAY_MS)}: ${signedUsd(gainUsd)}, ${counted(fills, "fill")}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
