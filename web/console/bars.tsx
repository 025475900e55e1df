/** @jsxImportSource preact */
// Columns over time with a scale, drawn to the available width.
import { niceTicks } from "../shared/axes.tsx";
import { compact } from "../shared/format.ts";
import { useWidth } from "../shared/use-width.ts";

const [HEIGHT, FOOT, LEFT] = [180, 20, 48];

export function Bars({ bars, label }: { bars: readonly { name: string; value: number }[]; label: string }) {
  const [box, width] = useWidth<HTMLDivElement>(900, 240);
  const ticks = niceTicks(0, Math.max(1, ...bars.map(({ value }) => value)));
  const high = ticks.at(-1) ?? 1;
  const y = (value: number) => 6 + (1 - value / high) * (HEIGHT - FOOT - 6);
  const step = (width - LEFT) / bars.length;
  const everyNth = Math.max(1, Math.ceil(56 / step));
  return (
    <div class="bars" ref={box}>
      <svg
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: ${bars.reduce((sum, { value }) => sum + value, 0).toLocaleString("en-US")} in all`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {compact(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ name, value }, index) => (
          <g key={name}>
            <rect
              x={LEFT + index * step + step * 0.15}
              y={y(value)}
              width={step * 0.7}
              height={Math.max(0, HEIGHT - FOOT - y(value))}
              rx="2"
            >
              <title>{`${name}: ${value.toLocaleString("en-US")}`}</title>
            </rect>
            {index % everyNth === 0 ? (
              <text x={LEFT + (index + 0.5) * step} y={HEIGHT - 4} text-anchor="middle">
                {name}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </div>
  );
}
