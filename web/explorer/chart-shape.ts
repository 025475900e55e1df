// The geometry and the words of a position's small chart: a line of prices over time, and marks on it that differ in shape as
// well as in colour.
import type { PositionChart } from "../../client/src/generated.ts";
import { price, span } from "../shared/format.ts";

export const CHART_WIDTH = 112;
export const CHART_HEIGHT = 32;
/** Room for half a mark on every side. */
const EDGE = 5;
const MARK = 3.6;

export interface ChartShape {
  /** Null where fewer than two prices are known. */
  line: string | null;
  marks: { kind: PositionChart["marks"][number]["kind"]; path: string }[];
}

export function chartShape({ from, to, prices, marks }: PositionChart): ChartShape {
  const known = [...prices.map(({ c }) => c), ...marks.flatMap(({ priceUsd }) => priceUsd ?? [])];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const [begins, ends] = [Date.parse(from), Date.parse(to)];
  const x = (at: string) => {
    const share = (Date.parse(at) - begins) / Math.max(1, ends - begins);
    return EDGE + Math.min(1, Math.max(0, share)) * (CHART_WIDTH - 2 * EDGE);
  };
  const y = (value: number) =>
    high > low
      ? CHART_HEIGHT - EDGE - ((value - low) / (high - low)) * (CHART_HEIGHT - 2 * EDGE)
      : CHART_HEIGHT / 2;
  const line = prices.map(
    ({ t, c }, index) => `${index === 0 ? "M" : "L"}${x(t).toFixed(1)} ${y(c).toFixed(1)}`,
  );
  return {
    line: line.length < 2 ? null : line.join(""),
    // One without a known price is drawn at the bottom: its time is known.
    marks: marks.map(({ t, kind, priceUsd }) => ({
      kind,
      path: markPath(kind, x(t), priceUsd === null ? CHART_HEIGHT - EDGE : y(priceUsd)),
    })),
  };
}

/** Up for a buy, down for a sell, a square for tokens received or sent. */
function markPath(kind: ChartShape["marks"][number]["kind"], x: number, y: number): string {
  const at = (dx: number, dy: number) => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  if (kind === "buy") return `M${at(0, -MARK)}L${at(MARK, MARK)}L${at(-MARK, MARK)}Z`;
  if (kind === "sell") return `M${at(0, MARK)}L${at(MARK, -MARK)}L${at(-MARK, -MARK)}Z`;
  const half = MARK * 0.7;
  return `M${at(-half, -half)}L${at(half, -half)}L${at(half, half)}L${at(-half, half)}Z`;
}

const NAMES = {
  buy: ["buy", "buys"],
  sell: ["sell", "sells"],
  receive: ["transfer in", "transfers in"],
  send: ["transfer out", "transfers out"],
} as const;
const KINDS = ["buy", "sell", "receive", "send"] as const;

export function chartWords(symbol: string, { prices, marks, moves, from, to }: PositionChart): string {
  const [first, last] = [prices[0], prices.at(-1)];
  const length = span(Date.parse(to) - Date.parse(from));
  const moved =
    first && last
      ? `price of ${symbol} over ${length}, from ${price(first.c)} to ${price(last.c)}`
      : `no prices of ${symbol} over ${length}`;
  const done = KINDS.flatMap((kind) => {
    const many = marks.filter((mark) => mark.kind === kind).length;
    return many === 0 ? [] : [`${many} ${NAMES[kind][many === 1 ? 0 : 1]}`];
  });
  const rest = moves > marks.length ? `; ${moves - marks.length} more are not marked` : "";
  return `${moved}; ${done.join(", ") || "no moves"}${rest}`;
}
