// Positions as small charts: their prices are the candles', their marks the position's own fills.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { POSITION_CHARTS_MAX } from "../../contract/routes/position-charts.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { still } from "./world.ts";

let live: ServedService;
let handle = "";

beforeAll(async () => {
  live = await startServedService({ traders: 60, historyDays: 3, eventsPerSecond: 0.5 });
  const { body } = await live.get("getLeaderboard", "/v2/leaderboard/7d?sort=trades&limit=1");
  handle = String(body.traders[0]?.handle);
  // Current prices change until the world has caught up with the clock.
  await still(live);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

const charts = (query = "") => live.get("listPositionCharts", `/v2/users/${handle}/positions/charts${query}`);

describe("positions as charts", () => {
  test("have the closes of the candles and a mark for every fill and transfer, for the price of one call", async () => {
    const { body: listed } = await live.get("listPositions", `/v2/users/${handle}/positions?limit=6`);
    const ids = listed.positions.map(({ tradeId }) => tradeId);
    const { body, cost } = await charts(`?tradeIds=${ids.join(",")}`);
    expect(cost).toBe(250);
    expect(body.charts.map(({ tradeId }) => tradeId)).toEqual(ids);
    for (const chart of body.charts) {
      const { body: trade } = await live.get("getTrade", `/v2/trades/${chart.tradeId}`);
      const own = [...trade.swaps, ...trade.transfers].map(({ at }) => at).sort();
      expect(chart.marks.map(({ t }) => t).sort()).toEqual(own.filter((at) => at < body.asOf));
      expect(chart.moves).toBe(chart.marks.length);
      for (const swap of trade.swaps.filter(({ at }) => at < body.asOf)) {
        const mark = chart.marks.find(({ t, kind }) => t === swap.at && kind === swap.side);
        expect(mark?.priceUsd).toBeCloseTo(swap.priceUsd ?? Number.NaN, 12);
      }
      const of = `networkId=${trade.chainId}&interval=${chart.interval}&from=${chart.from}&to=${chart.to}`;
      const candles = await live.get("listCandles", `/v2/token/${trade.token.address}/candles?${of}`);
      expect(chart.prices).toEqual(candles.body.candles.map(({ t, c }) => ({ t, c })));
    }
    expect(body.charts.some(({ prices }) => prices.length > 1)).toBe(true);
  });

  test("are the newest ones if none is named, and only this trader's", async () => {
    const { body } = await charts();
    expect(body.charts).toHaveLength(body.count);
    expect(body.count).toBeLessThanOrEqual(POSITION_CHARTS_MAX);
    expect(body.count).toBeGreaterThan(0);
    const stranger = "0d5b7f3c-91aa-5e0e-8a44-6f1f6f0a9d21";
    const some = await charts(`?tradeIds=${stranger},${body.charts[0]?.tradeId}`);
    expect(some.body.charts.map(({ tradeId }) => tradeId)).toEqual([String(body.charts[0]?.tradeId)]);
    const none = await charts(`?tradeIds=${stranger}`);
    expect([none.body.count, none.cost]).toEqual([0, 250]);
  });

  test("need a bounded list of ids, a known trader and a plan with on-chain data", async () => {
    const path = `/v2/users/${handle}/positions/charts`;
    const { body } = await charts();
    const id = String(body.charts[0]?.tradeId);
    const many = Array.from({ length: 16 }, (_, n) => `${id.slice(0, -2)}${10 + n}`).join(",");
    for (const bad of ["", "nonsense", `${id},`, many])
      expect(await live.refused(`${path}?tradeIds=${bad}`)).toMatchObject({ status: 400, cost: 0 });
    expect((await live.refused("/v2/users/nobody_at_all/positions/charts")).status).toBe(404);
    expect((await live.refused(path, { key: "starter" })).status).toBe(403);
  });
});
