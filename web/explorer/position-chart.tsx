/** @jsxImportSource preact */
// A position as a small chart in its row: the token's price while it was held, and the trader's buys and sells. Its box exists
// from the start, so that nothing moves when the chart is drawn.
import { useEffect } from "preact/hooks";
import type { PositionChart } from "../../client/src/generated.ts";
import { useSeen } from "../shared/use-seen.ts";
import { CHART_HEIGHT, CHART_WIDTH, chartShape, chartWords } from "./chart-shape.ts";
import type { PositionCharts } from "./use-position-charts.ts";

const BOX = { width: CHART_WIDTH, height: CHART_HEIGHT, viewBox: `0 0 ${CHART_WIDTH} ${CHART_HEIGHT}` };

export function PositionChartCell(props: { tradeId: string; symbol: string; charts: PositionCharts }) {
  const { tradeId, symbol, charts } = props;
  const [box, isSeen] = useSeen<HTMLSpanElement>();
  useEffect(() => {
    if (isSeen) charts.see(tradeId);
  }, [isSeen, tradeId]);
  const chart = charts.of(tradeId);
  return (
    <span ref={box} class="trade-spark">
      {chart === null ? <svg {...BOX} aria-hidden="true" /> : <Drawn chart={chart} symbol={symbol} />}
    </span>
  );
}

function Drawn({ chart, symbol }: { chart: PositionChart; symbol: string }) {
  const { line, marks } = chartShape(chart);
  const words = chartWords(symbol, chart);
  return (
    <svg {...BOX} role="img" aria-label={words}>
      <title>{words}</title>
      {line === null ? null : <path class="line" d={line} />}
      {marks.map(({ kind, path }, index) => (
        <path key={index} class={`mark ${kind}`} d={path} />
      ))}
    </svg>
  );
}
