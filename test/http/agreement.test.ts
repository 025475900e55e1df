// Routes that report the same thing in different ways agree: holders and balances, boards and stats, sums and parts. The world
// is a quiet one, so that captured data has time to catch up with live data.

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { freshlyKept, quiet } from "./quiet.ts";

let live: LiveService;

beforeAll(async () => {
  live = await startLiveService({ traders: 150, historyDays: 2, eventsPerSecond: 0.02 });
  await live.captured();
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => live.clock.release());

test("a token's holders agree with their balances in the end, and every holder is among them", async () => {
  // Captured positions follow the world closely, not instantly: a transfer has to be fetched first.
  await eventually(async () => {
    live.clock.release();
    live.clock.push(MINUTE_MS);
    live.clock.hold();
    const { body: board } = await live.get("getMostHeldTokens", "/v2/leaderboard/tokens/most-held?limit=3");
    const { body: ranked } = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=5");
    const wrong: string[] = [];
    for (const { token } of board.tokens) wrong.push(...(await disagreements(token.address)));
    for (const { userId } of ranked.traders) {
      const { body } = await live.get("getBalances", `/v2/users/${userId}/balances`);
      for (const { token, amount } of body.holdings.slice(0, 3)) {
        const list = await live.get("listHolders", `/token/${token.address}/holders?limit=100`);
        const own = list.body.holders.find((holder) => holder.userId === userId);
        if (!isAbout(own?.amount, amount)) wrong.push(`${userId} ${token.symbol}`);
      }
    }
    return wrong.length === 0;
  }, "holders agree with balances");
});

const isAbout = (a: number | undefined, b: number) => Math.abs(Number(a) - b) <= Math.abs(b) * 1e-9;

/** Inconsistencies in a list of holders. */
async function disagreements(address: string): Promise<string[]> {
  const { body } = await live.get("listHolders", `/token/${address}/holders?limit=100`);
  expect(body.available).toBe(true);
  expect(body.count).toBeGreaterThan(3);
  expect([body.truncated, body.count]).toEqual([
    body.coverage.holders > 100,
    Math.min(100, body.coverage.holders),
  ]);
  const amounts = body.holders.map((holder) => holder.amount);
  expect(amounts).toEqual(amounts.toSorted((x, y) => y - x));
  const wrong: string[] = [];
  for (const holder of body.holders.slice(0, 12)) {
    const balances = await live.get("getBalances", `/v2/users/${holder.userId}/balances`);
    const held = balances.body.holdings.find((each) => each.token.address === address);
    if (!isAbout(held?.amount, holder.amount)) wrong.push(`${holder.handle} ${address}`);
    expect(holder.valueUsd).toBeCloseTo(holder.amount * Number(holder.priceUsd), 6);
  }
  const stats = await live.get("getTokenStats", `/v2/token/${address}/stats`);
  if (stats.body.holders !== body.coverage.holders) wrong.push(`${address} holders`);
  const { tradersCaptured, tradersTracked } = body.coverage;
  if (tradersCaptured !== tradersTracked) wrong.push("coverage");
  return wrong;
}

test("the holders of a token that was never captured are not available, for an ordinary call", async () => {
  const unknown = await live.get("listHolders", "/token/0x00000000000000000000000000000000deadbeef/holders");
  expect(unknown.body).toMatchObject({ available: false, count: 0, holders: [], token: null });
  expect(unknown.cost).toBe(250);
});

test("a token's figures add up, its board and its stats agree, and no developers prove nothing", async () => {
  // A board that another test read may be minutes old; everything due by then happens first.
  freshlyKept(live);
  await quiet(live);
  const { body: board } = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=10");
  for (const row of board.tokens) {
    const { body } = await live.get("getTokenStats", `/v2/token/${row.token.address}/stats`);
    expect(body.holders).toBe(row.holders);
    for (const flow of Object.values(body.windows)) {
      expect(flow.netVolumeUsd).toBeCloseTo(flow.buyVolumeUsd - flow.sellVolumeUsd, 9);
      expect(flow.buySellRatio).toBe(flow.sells === 0 ? null : flow.buys / flow.sells);
    }
    const day = body.windows["24h"];
    expect(day.buyVolumeUsd + day.sellVolumeUsd).toBeCloseTo(Number(row.volume24hUsd), 4);
    const devs = await live.get("listDevs", `/v2/token/${row.token.address}/devs`);
    if (devs.body.count === 0) expect(devs.body.note).toContain("the token is safe");
    expect(devs.body.count).toBe(devs.body.devs.length);
  }
});

test("every picture named in answers can be fetched by its URL alone", async () => {
  const answers = [
    (await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=3")).body,
    (await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=3")).body,
    (await live.get("listTheses", "/v2/thesis?limit=3")).body,
    (await live.get("search", "/v2/search?q=a&limit=5")).body,
  ];
  const pictures = new Set(
    [...JSON.stringify(answers).matchAll(/"(?:avatar|image|imageUrl|tokenImage)":"([^"]+)"/g)].map(
      ([, address]) => String(address),
    ),
  );
  expect(pictures.size).toBeGreaterThan(8);
  for (const address of pictures) {
    const answer = await fetch(address);
    expect([address, answer.status, answer.headers.get("content-type")]).toEqual([
      address,
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    expect(await answer.text()).toStartWith("<svg ");
  }
});

test("every route shows the same price of a token at one moment, and states the moment", async () => {
  live.clock.push(6 * MINUTE_MS);
  live.clock.hold();
  await quiet(live);
  const now = live.clock.now();
  const { body: board } = await live.get("getMostHeldTokens", "/v2/leaderboard/tokens/most-held?limit=3");
  const { body: activity } = await live.get("listTokenActivity", "/v2/tokens/activity?window=24h&limit=100");
  let compared = 0;
  let gains = 0;
  for (const { token } of board.tokens) {
    const query = `networkId=${token.networkId}`;
    const { body: overview } = await live.get("getToken", `/v2/token/${token.address}?${query}`);
    const { priceUsd } = overview.quote;
    const { body: list } = await live.get("listHolders", `/token/${token.address}/holders?limit=5`);
    expect(list.holders.map((holder) => holder.priceUsd)).toEqual(list.holders.map(() => priceUsd));
    const isIt = (row: { token: { address: string } }) => row.token.address === token.address;
    for (const row of activity.tokens.filter(isIt)) expect(row.priceUsd).toBe(priceUsd);
    const { body: past } = await live.get(
      "getHolderHistory",
      `/v2/token/${token.address}/holders/history?${query}&limit=24`,
    );
    const hours = past.points.slice(0, -1).map(({ t }) => Date.parse(t) % HOUR_MS);
    expect(hours).toEqual(hours.map(() => 0));
    expect(past.points.at(-1)?.holders).toBeGreaterThan(0);
    const moments = [list.asOf, activity.asOf, past.asOf];
    for (const { userId, pnlUsd, tradeId, amount } of list.holders) {
      const trader = `/v2/users/${userId}`;
      const { body: held } = await live.get("getBalances", `${trader}/balances`);
      const { body: trades } = await live.get("listTrades", `${trader}/trades?status=open`);
      // Captured data follows live data: where both know the same amount, the profit is the same.
      const own = trades.trades.find((trade) => trade.tradeId === tradeId);
      if (own && "pnlUsd" in own && isAbout(own.amount ?? undefined, amount)) {
        expect(pnlUsd).toBeCloseTo(Number(own.pnlUsd), 4);
        gains += 1;
      }
      const { body: profile } = await live.get("getTrader", trader);
      const shown = [
        ...held.holdings.filter(isIt),
        ...trades.trades.filter(isIt),
        ...profile.holdings.filter(isIt),
      ].map((row) => row.priceUsd);
      expect(shown).toEqual(shown.map(() => priceUsd));
      compared += shown.length;
      moments.push(trades.asOf);
    }
    expect(moments).toEqual(moments.map(() => new Date(now).toISOString()));
  }
  expect(compared).toBeGreaterThan(30);
  expect(gains).toBeGreaterThan(3);
});
