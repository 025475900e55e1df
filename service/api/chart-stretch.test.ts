// A small chart has few prices, whatever its time range.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { CHART_MARKS_MAX, CHART_PRICES_MAX } from "../../contract/routes/position-charts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { INTERVALS } from "./candles.ts";
import { chartStretch, reachesBack, shownMoves, thinned } from "./chart-stretch.ts";

const NOW = Date.UTC(2026, 2, 14, 15, 9, 26);

test("the stretch covers the whole position in whole candles, as fine as its price limit allows", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 900 * DAY_MS }), fc.nat(30 * DAY_MS), (length, ago) => {
      const ends = NOW - ago;
      const { interval, from, to } = chartStretch(ends - length, ends, NOW);
      const { lengthMs } = INTERVALS[interval];
      expect([from % lengthMs, to % lengthMs]).toEqual([0, 0]);
      expect(from).toBeLessThanOrEqual(ends - length);
      expect(to).toBeGreaterThan(ends);
      if (interval !== "1d") expect((to - from) / lengthMs).toBeLessThanOrEqual(CHART_PRICES_MAX);
      expect((to - from) / lengthMs).toBeLessThanOrEqual(1_000);
    }),
  );
  const of = (length: number) => chartStretch(NOW - length, NOW, NOW).interval;
  expect([0, 2 * HOUR_MS, DAY_MS, 3 * DAY_MS, 20 * DAY_MS].map(of)).toEqual(["1m", "5m", "1h", "4h", "1d"]);
  // An old position begins with the oldest candle that may be read.
  const old = chartStretch(NOW - 5_000 * DAY_MS, NOW, NOW);
  expect(old.to - old.from).toBe(1_000 * DAY_MS);
  expect(chartStretch(NOW - MINUTE_MS, NOW, NOW).to).toBeLessThanOrEqual(NOW + MINUTE_MS);
});

test("a chart is whole only if its prices begin no later than the position did", () => {
  const whole = (days: number, coveredFrom: number) => {
    const openedAt = NOW - days * DAY_MS;
    return reachesBack(chartStretch(openedAt, NOW, NOW), openedAt, coveredFrom);
  };
  expect([whole(0.1, 0), whole(900, 0)]).toEqual([true, true]);
  // More days than may be read: the candles begin after the position opened.
  expect([whole(999, 0), whole(1_001, 0), whole(5_000, 0)]).toEqual([true, false, false]);
  // Prices may begin with the token's first trade, which may open the position, but not after it.
  expect([whole(10, NOW - 10 * DAY_MS), whole(10, NOW - 10 * DAY_MS + 1)]).toEqual([true, false]);
});

test("too many prices are thinned evenly, and of too many moves the first and the newest are shown", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  const few = thinned(many);
  expect([few.length, few[0], few.at(-1)]).toEqual([CHART_PRICES_MAX, 0, 999]);
  expect(new Set(few).size).toBe(CHART_PRICES_MAX);
  expect(thinned([1, 2])).toEqual([1, 2]);
  const moves = shownMoves(many);
  expect([moves.length, moves[0], moves[1], moves.at(-1)]).toEqual([CHART_MARKS_MAX, 0, 961, 999]);
  expect(shownMoves([1, 2])).toEqual([1, 2]);
});
