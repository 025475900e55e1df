/** @jsxImportSource preact */
// Buys and sells of a token, hour by hour: up and down from one line, with the figures of the selected hour.
import { useState } from "preact/hooks";
import type { Candle, CandlesAnswer } from "../../client/src/generated.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { niceTicks, TimeTicks, ValueTicks } from "../shared/axes.tsx";
import { Card, Gain, Moment } from "../shared/bits.tsx";
import { counted, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { useWidth } from "../shared/use-width.ts";
import { pathOf } from "./answers.ts";

const HOURS = 48;

export interface FlowHour {
  at: number;
  boughtUsd: number;
  soldUsd: number;
  trades: number;
}

/** Every hour up to the current one: zero for one without a trade, unknown for one before `coveredFrom`. */
export function hoursOf(
  { candles, coveredFrom }: { candles: readonly Candle[]; coveredFrom: string },
  now: number,
): FlowHour[] {
  const traded = new Map(candles.map((candle) => [Date.parse(candle.t), candle]));
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_MS)
    .filter((at) => traded.has(at) || at >= Date.parse(coveredFrom))
    .map((at) => {
      const candle = traded.get(at);
      return {
        at,
        boughtUsd: candle?.buyV ?? 0,
        soldUsd: candle?.sellV ?? 0,
        trades: candle?.trades ?? 0,
      };
    });
}

export function FlowByHour({ base, networkId }: { base: string; networkId: number }) {
  const { renderedAt } = usePage();
  const from = Math.floor(renderedAt / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const answer = useAnswer<CandlesAnswer>(
    pathOf(`${base}/candles`, { networkId, interval: "1h", from: new Date(from).toISOString(), limit: 100 }),
    { everyMs: 60_000 },
  );
  return (
    <Card title="Bought and sold by hour" class="flow-card">
      <Loaded
        answer={answer}
        rows={6}
        isEmpty={(body) => body.candles.length === 0}
        empty="Nothing was traded in the last 48 hours."
      >
        {(body) => <FlowBars hours={hoursOf(body, answer.at ?? renderedAt)} />}
      </Loaded>
    </Card>
  );
}

const HEIGHT = 190;
const FOOT = 20;
const RIGHT = 56;
const TOP = 8;
const BAR_SHARE = 0.72;

function FlowBars({ hours }: { hours: readonly FlowHour[] }) {
  const [box, width] = useWidth<HTMLDivElement>(860, 240);
  const [chosen, setChosen] = useState<number | null>(null);
  const ticks = niceTicks(
    -Math.max(...hours.map(({ soldUsd }) => soldUsd)),
    Math.max(...hours.map(({ boughtUsd }) => boughtUsd)),
  );
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 0];
  const step = (width - RIGHT) / hours.length;
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - FOOT - TOP);
  const [from, to] = [hours[0]?.at ?? 0, (hours.at(-1)?.at ?? 0) + HOUR_MS];
  const shown = hours[chosen ?? hours.length - 1];
  const bought = hours.reduce((sum, { boughtUsd }) => sum + boughtUsd, 0);
  const sold = hours.reduce((sum, { soldUsd }) => sum + soldUsd, 0);
  const choose = (index: number) => setChosen(Math.max(0, Math.min(hours.length - 1, index)));
  const point = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    choose(Math.floor((event.clientX - left) / step));
  };
  const press = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    choose((chosen ?? hours.length - 1) + by);
  };
  return (
    <div class="curve flow-hours" ref={box}>
      <svg
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`In ${hours.length} hours ${usd(bought)} was bought and ${usd(sold)} sold`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move from hour to hour, which is read out.
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setChosen(null)}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
      >
        <ValueTicks ticks={ticks} y={y} width={width - RIGHT} words={(value) => usd(Math.abs(value))} />
        <TimeTicks from={from} to={to} width={width - RIGHT} y={HEIGHT - 4} apart={100} />
        {hours.map(({ at, boughtUsd, soldUsd }, index) => {
          const place = { x: index * step + (step * (1 - BAR_SHARE)) / 2, width: step * BAR_SHARE };
          return (
            <g key={at} class={index === chosen ? "pointed" : undefined}>
              <rect class="gain" {...place} y={y(boughtUsd)} height={y(0) - y(boughtUsd)} />
              <rect class="loss" {...place} y={y(0)} height={y(-soldUsd) - y(0)} />
            </g>
          );
        })}
      </svg>
      {shown ? (
        <p class="reading" aria-live={chosen === null ? "off" : "polite"}>
          <b>
            <Moment at={shown.at} />
          </b>{" "}
          <span class="soft">
            bought <span class="num">{usd(shown.boughtUsd)}</span> · sold{" "}
            <span class="num">{usd(shown.soldUsd)}</span> · net{" "}
            <Gain usd={shown.boughtUsd - shown.soldUsd} quiet /> · {counted(shown.trades, "trade")}
          </span>
        </p>
      ) : null}
    </div>
  );
}
