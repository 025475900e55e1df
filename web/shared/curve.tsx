/** @jsxImportSource preact */
// A profit curve: an area around zero with a scale, and the figures of the bucket under the pointer or selected by the arrow
// keys.

import { useState } from "preact/hooks";
import { niceTicks, TimeTicks, ValueTicks } from "./axes.tsx";
import { Gain, Moment } from "./bits.tsx";
import { counted, signedUsd, usd } from "./format.ts";
import { useWidth } from "./use-width.ts";

export interface DrawnPoint {
  t: string;
  pnlUsd: number;
  equityUsd: number;
  realizedUsd: number;
  unrealizedUsd: number;
  volumeUsd: number;
  fills: number;
}

const HEIGHT = 240;
const FOOT = 22;
const RIGHT = 56;
const TOP = 8;

export function Curve({ points, label }: { points: readonly DrawnPoint[]; label: string }) {
  const [box, width] = useWidth<HTMLDivElement>(860, 240);
  const [chosen, setChosen] = useState<number | null>(null);
  const values = points.map((point) => point.pnlUsd);
  const ticks = niceTicks(Math.min(0, ...values), Math.max(0, ...values));
  const low = Math.min(ticks[0] ?? 0, ...values);
  const high = Math.max(ticks.at(-1) ?? 0, ...values);
  const x = (index: number) => (index / Math.max(1, points.length - 1)) * (width - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - FOOT - TOP);
  const line = values
    .map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const area = `${line}L${x(points.length - 1).toFixed(1)} ${y(0).toFixed(1)}L0 ${y(0).toFixed(1)}Z`;
  const [from, to] = [Date.parse(points[0]?.t ?? ""), Date.parse(points.at(-1)?.t ?? "")];
  const shown = chosen === null ? null : points[chosen];
  const point = (event: PointerEvent) => {
    const left = (event.currentTarget as Element).getBoundingClientRect().left;
    const index = Math.round(((event.clientX - left) / (width - RIGHT)) * (points.length - 1));
    setChosen(Math.max(0, Math.min(points.length - 1, index)));
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const from = chosen ?? points.length - (step > 0 ? 2 : 0);
    setChosen(Math.max(0, Math.min(points.length - 1, from + step)));
  };
  const last = values.at(-1) ?? 0;
  return (
    <div class="curve" ref={box}>
      <svg
        class={last >= 0 ? "gain" : "loss"}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move from bucket to bucket, which is read out.
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setChosen(null)}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
      >
        <ValueTicks ticks={ticks} y={y} width={width - RIGHT} words={usd} />
        <TimeTicks from={from} to={to} width={width - RIGHT} y={HEIGHT - 4} apart={130} />
        <path class="area" d={area} />
        <path class="line" d={line} />
        {shown && chosen !== null ? (
          <g class="cross">
            <line x1={x(chosen)} x2={x(chosen)} y1={TOP} y2={HEIGHT - FOOT} />
            <circle cx={x(chosen)} cy={y(shown.pnlUsd)} r="4" />
          </g>
        ) : null}
      </svg>
      <p class="reading" aria-live="polite">
        {shown ? (
          <>
            <b>
              <Moment at={Date.parse(shown.t)} />
            </b>{" "}
            <Gain usd={shown.pnlUsd} />
            <span class="soft">
              taken <Gain usd={shown.realizedUsd} quiet /> · open <Gain usd={shown.unrealizedUsd} quiet /> ·
              worth {usd(shown.equityUsd)} · {counted(shown.fills, "fill")}, {usd(shown.volumeUsd)}
            </span>
          </>
        ) : (
          <span class="soft">
            {points.length > 1
              ? `From ${signedUsd(values[0])} to ${signedUsd(last)}. Point at the curve, or use ← and →.`
              : ""}
          </span>
        )}
      </p>
    </div>
  );
}
