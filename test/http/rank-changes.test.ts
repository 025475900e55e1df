// Changes of rank on a leaderboard, over the served interface, compared with the platform's rankings at that time. Its clock
// is never pushed: the ranking of a new hour is captured a minute or two later.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";

let live: ServedService;

beforeAll(async () => {
  live = await startServedService({ traders: 200, historyDays: 2, eventsPerSecond: 0.1 });
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

test("says how each rank changed since the platform's ranking of that hour", async () => {
  for (const [window, hours] of [
    ["24h", 1],
    ["7d", 24],
    ["30d", 24],
    ["all", 24],
  ] as const) {
    const read = async () => {
      const { body } = await live.get("getLeaderboard", `/v2/leaderboard/${window}?limit=150`);
      const hour = Math.floor(Date.parse(String(body.asOf)) / HOUR_MS) - hours;
      return { traders: body.traders, hour: hour * HOUR_MS };
    };
    const sinceOf = ({ traders }: Awaited<ReturnType<typeof read>>) =>
      Date.parse(String(traders[0]?.rankChange?.since));
    await eventually(async () => {
      const board = await read();
      return sinceOf(board) === board.hour;
    }, `the ${window} board is compared with the hour before`);
    const board = await read();
    const { traders, hour } = board;
    const since = new Date(sinceOf(board)).toISOString();
    expect(sinceOf(board)).toBe(hour);
    const then = new Map(
      (await live.platform.api.leaderboard(window, hour)).rows.map(({ userId, rank }) => [userId, rank]),
    );
    for (const { userId, rank, rankChange } of traders) {
      const previousRank = then.get(userId) ?? null;
      const places = previousRank === null ? null : previousRank - rank;
      expect(rankChange).toEqual({ since, previousRank, places });
    }
    expect(new Set(traders.map(({ rankChange }) => rankChange?.places)).size).toBeGreaterThan(1);
  }
});

test("keeps the change of rank by profit in any order, and has none for a single chain", async () => {
  const read = async (query: string) =>
    await live.get("getLeaderboard", `/v2/leaderboard/7d?${query}limit=150`);
  let [byTrades, byProfit] = [await read("sort=trades&"), await read("")];
  // Ranks are of one moment: those of two moments can't be compared.
  await eventually(async () => {
    [byTrades, byProfit] = [await read("sort=trades&"), await read("")];
    return byTrades.body.asOf === byProfit.body.asOf;
  }, "both are of one moment");
  const moves = new Map(byProfit.body.traders.map(({ userId, rankChange }) => [userId, rankChange]));
  const both = byTrades.body.traders.filter(({ userId }) => moves.has(userId));
  expect(both.length).toBeGreaterThan(0);
  for (const { userId, rankChange } of both) expect(rankChange).toEqual(moves.get(userId) ?? null);
  const onChain = await live.get("getLeaderboard", "/v2/leaderboard/7d?chain=solana");
  expect(onChain.body.traders.map(({ rankChange }) => rankChange)).toEqual(
    onChain.body.traders.map(() => null),
  );
});
