// The small charts of positions: where their marks are, their descriptions, and which call loads them.
import { expect, test } from "bun:test";
import type { PositionChart } from "../../client/src/generated.ts";
import { POSITION_CHARTS_MAX } from "../../contract/routes/position-charts.ts";
import { CHART_HEIGHT, CHART_WIDTH, chartShape, chartWords } from "./chart-shape.ts";
import { CHARTS_A_CALL, chartsPath } from "./use-position-charts.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 15, minute)).toISOString();
const chart = (more: Partial<PositionChart> = {}): PositionChart => ({
  tradeId: "t",
  interval: "1m",
  from: at(0),
  to: at(40),
  prices: [
    { t: at(0), c: 1 },
    { t: at(20), c: 3 },
    { t: at(40), c: 2 },
  ],
  marks: [
    { t: at(0), kind: "buy", priceUsd: 1, usd: 10 },
    { t: at(20), kind: "sell", priceUsd: 3, usd: 15 },
    { t: at(40), kind: "send", priceUsd: null, usd: null },
  ],
  moves: 3,
  complete: true,
  ...more,
});
const numbers = (path: string) => path.match(/-?[\d.]+/g)?.map(Number) ?? [];

test("the line goes from left to right, higher prices are higher up, and a mark is at its time and price", () => {
  const { line, marks } = chartShape(chart());
  expect(line).toBe("M5.0 27.0L56.0 5.0L107.0 16.0");
  // A buy points up and a sell down: by shape, not by colour alone.
  const [buy, sell, send] = marks.map(({ path }) => numbers(path));
  expect(buy?.slice(0, 2)).toEqual([5, 23.4]);
  expect(sell?.slice(0, 2)).toEqual([56, 8.6]);
  expect(send).toHaveLength(8);
  const all = marks.flatMap(({ path }) => numbers(path));
  expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...all)).toBeLessThanOrEqual(Math.max(CHART_WIDTH, CHART_HEIGHT));
});

test("one price, no price, a constant price or a mark out of range break nothing", () => {
  expect(chartShape(chart({ prices: [], marks: [] }))).toEqual({ line: null, marks: [] });
  expect(chartShape(chart({ prices: [{ t: at(3), c: 1 }] })).line).toBeNull();
  const still = chartShape(
    chart({
      prices: [
        { t: at(0), c: 2 },
        { t: at(40), c: 2 },
      ],
      marks: [{ t: at(90), kind: "buy", priceUsd: 2, usd: 1 }],
    }),
  );
  expect(still.line).toBe("M5.0 16.0L107.0 16.0");
  expect(numbers(String(still.marks[0]?.path))[0]).toBe(107);
  const unknown = chartShape(
    chart({ prices: [], marks: [{ t: at(1), kind: "receive", priceUsd: null, usd: null }] }),
  );
  expect(unknown.marks[0]?.path).not.toContain("NaN");
});

test("a chart has a description in words", () => {
  expect(chartWords("PICKLE", chart())).toBe(
    "price of PICKLE over 40 min, from $1.00 to $2.00; 1 buy, 1 sell, 1 transfer out",
  );
  const buy = { t: at(0), kind: "buy", priceUsd: 1, usd: 10 } as const;
  expect(chartWords("PICKLE", chart({ prices: [], marks: [buy, buy], moves: 9 }))).toBe(
    "no prices of PICKLE over 40 min; 2 buys; 7 more are not marked",
  );
  expect(chartWords("PICKLE", chart({ marks: [], moves: 0 }))).toEndWith("; no moves");
});

test("a page of the list is one call, whichever of its rows is seen first", () => {
  const ids = Array.from({ length: 20 }, (_, index) => `id${index}`);
  expect(CHARTS_A_CALL).toBe(POSITION_CHARTS_MAX);
  const first = chartsPath("cobra", ids, "id0");
  expect(first).toBe(`/v2/users/cobra/positions/charts?tradeIds=${ids.slice(0, 15).join("%2C")}`);
  expect(chartsPath("cobra", ids, "id14")).toBe(first);
  expect(chartsPath("cobra", ids, "id15")).toEndWith("tradeIds=id15%2Cid16%2Cid17%2Cid18%2Cid19");
  expect(chartsPath("cobra", ids, "gone")).toBeNull();
});
