// Candles and now-trading tokens: figures that anyone can recompute from the captured fills themselves.

import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import type { ServedActivityRow, ServedCandle } from "../../contract/shapes/types.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import type { Fill } from "../../protocol/shapes/position.ts";
import { capturedCandles } from "../../service/api/captured-candles.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { stillness } from "./quiet.ts";

let live: LiveService;

beforeAll(async () => {
  live = await startLiveService({ traders: 150, historyDays: 2, eventsPerSecond: 2 });
  await live.captured();
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => live.clock.release());

async function fillsOf(
  token: { address: string; networkId: number },
  from = 0,
  to = live.clock.now(),
): Promise<Fill[]> {
  const page = await live.service.store.fills.byToken(token.address, {
    networkId: token.networkId,
    from,
    to,
    limit: 100_000,
  });
  return page.rows.toReversed();
}

async function busiest(count: number): Promise<ServedActivityRow[]> {
  return (await live.get("listTokenActivity", `/v2/tokens/activity?window=24h&limit=${count}`)).body.tokens;
}

describe("candles", () => {
  const LENGTH_MS = { "1m": 1, "5m": 5, "15m": 15, "1h": 60, "4h": 240, "1d": 1_440 } as const;
  const candles = async (row: ServedActivityRow, query: string) =>
    (await live.get("listCandles", `/v2/token/${row.token.address}/candles?${query}`)).body;

  function computed(fills: readonly Fill[], lengthMs: number): Omit<ServedCandle, "closed">[] {
    const buckets = new Map<number, Fill[]>();
    for (const fill of fills) {
      const opens = Math.floor(fill.at / lengthMs) * lengthMs;
      buckets.set(opens, [...(buckets.get(opens) ?? []), fill]);
    }
    const usd = (part: Fill[], side: string) =>
      part.reduce(
        (sum, fill) => sum + (fill.side !== side ? 0 : side === "buy" ? fill.tokenOut.usd : fill.tokenIn.usd),
        0,
      );
    return [...buckets].map(([opens, part]) => {
      const prices = part.map((fill) => fill.priceUsd);
      return {
        t: new Date(opens).toISOString(),
        o: Number(prices[0]),
        h: Math.max(...prices),
        l: Math.min(...prices),
        c: Number(prices.at(-1)),
        v: usd(part, "buy") + usd(part, "sell"),
        buyV: usd(part, "buy"),
        sellV: usd(part, "sell"),
        trades: part.length,
      };
    });
  }

  function expectSame(given: readonly ServedCandle[], wanted: readonly Omit<ServedCandle, "closed">[]): void {
    expect(given.map((candle) => [candle.t, candle.trades])).toEqual(
      wanted.map((candle) => [candle.t, candle.trades]),
    );
    for (const [index, candle] of given.entries()) {
      for (const field of ["h", "l", "v", "buyV", "sellV"] as const) {
        const own = Number(wanted[index]?.[field]);
        expect(Math.abs(candle[field] - own)).toBeLessThanOrEqual(Math.abs(own) * 1e-9 + 1e-12);
      }
    }
  }

  test("of captured fills match the sums of the fills, for every length", async () => {
    await stillness(live);
    const { store } = live.service;
    const [now, began] = [live.clock.now(), await store.log.beganAt()];
    for (const row of await busiest(4)) {
      const fills = await fillsOf(row.token);
      for (const [interval, minutes] of Object.entries(LENGTH_MS)) {
        const lengthMs = minutes * MINUTE_MS;
        const page = await capturedCandles(store, {
          address: row.token.address,
          networkId: row.token.networkId,
          from: null,
          limit: 1_000,
          interval: interval as keyof typeof LENGTH_MS,
          to: Math.ceil((now + 1) / lengthMs) * lengthMs,
        });
        expect(page.coveredFrom).toBe(began);
        const shown = page.buckets.map(({ opensAt, open, high, low, close, buyUsd, sellUsd, trades }) => ({
          t: new Date(opensAt).toISOString(),
          o: open,
          h: high,
          l: low,
          c: close,
          v: buyUsd + sellUsd,
          buyV: buyUsd,
          sellV: sellUsd,
          trades,
          closed: true,
        }));
        expectSame(shown, computed(fills, lengthMs).slice(-1_000));
      }
    }
  });

  test("of the platform reach back before capture began: ascending, none twice, only the last one open", async () => {
    await stillness(live);
    for (const row of await busiest(4)) {
      for (const [interval, minutes] of Object.entries(LENGTH_MS)) {
        const lengthMs = minutes * MINUTE_MS;
        const body = await candles(row, `interval=${interval}&limit=200`);
        const times = body.candles.map((candle) => Date.parse(candle.t));
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        const isOpen = times.map((opens) => opens + lengthMs > live.clock.now());
        expect(body.candles.map((candle) => !candle.closed)).toEqual(isOpen);
        expect(isOpen.slice(0, -1)).not.toContain(true);
        expect(Date.parse(body.coveredFrom)).toBeLessThan(await live.service.store.log.beganAt());
        expect(body.complete).toBe(
          Number(times[0]) >= Math.floor(Date.parse(body.coveredFrom) / lengthMs) * lengthMs &&
            body.candles.length < 200,
        );
        const few = await candles(row, `interval=${interval}&limit=3`);
        expect(few.candles).toEqual(body.candles.slice(-3));
      }
    }
  });

  test("from a start on are paged forward, and a bucket is never split", async () => {
    await stillness(live);
    const [row] = await busiest(1);
    if (!row) throw new Error("there are no trades");
    const whole = (await candles(row, "interval=5m&limit=1000")).candles;
    const from = Date.parse(String(whole[0]?.t));
    const paged: ServedCandle[] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const body: AnswerOf<Routes["listCandles"]> = await candles(
        row,
        `interval=5m&limit=7&from=${from}&cursor=${cursor}`,
      );
      expect(body.complete).toBe(body.nextCursor === null);
      paged.push(...body.candles);
      cursor = body.nextCursor;
    }
    expect(paged.slice(-whole.length)).toEqual(whole);
    const inside = Date.parse(String(whole.at(-2)?.t)) + MINUTE_MS;
    const cut = await candles(row, `interval=5m&from=${from}&to=${inside}&limit=1000`);
    expect(cut.candles).toEqual(whole.slice(0, -1));
    const refused = await live.refused(`/v2/token/${row.token.address}/candles?from=${from}&to=${from}`);
    expect([refused.status, refused.body.param]).toEqual([400, "from"]);
  });

  test("of a token outside the directory need its chain", async () => {
    for (const path of ["candles", "devs", "stats"]) {
      const address = "0x00000000000000000000000000000000deadbeef";
      const refused = await live.refused(`/v2/token/${address}/${path}`);
      expect([refused.status, refused.body.error, refused.body.param, refused.cost]).toEqual([
        400,
        "network_required",
        "networkId",
        0,
      ]);
      expect(refused.body.message).toContain("networkId");
      const missing = await live.refused(`/v2/token/${address}/${path}?networkId=8453`);
      expect([missing.status, missing.cost]).toEqual([404, 250]);
    }
  });
});

describe("tokens that traders trade now", () => {
  test("matches the sums of the window's fills", async () => {
    await stillness(live);
    for (const [window, minutes] of [
      ["1h", 60],
      ["24h", 1_440],
    ] as const) {
      const { body } = await live.get("listTokenActivity", `/v2/tokens/activity?window=${window}&limit=100`);
      const to = Date.parse(body.asOf);
      for (const row of body.tokens.slice(0, 15)) {
        const fills = await fillsOf(row.token, to - minutes * MINUTE_MS, to);
        const users = (side?: string) =>
          new Set(fills.filter((fill) => !side || fill.side === side).map((fill) => fill.userId)).size;
        expect([row.traders, row.buyers, row.sellers]).toEqual([users(), users("buy"), users("sell")]);
        const buyUsd = fills.reduce((sum, fill) => sum + (fill.side === "buy" ? fill.tokenOut.usd : 0), 0);
        expect(row.buyUsd).toBeCloseTo(buyUsd, 4);
        expect(row.netUsd).toBeCloseTo(row.buyUsd - row.sellUsd, 6);
        expect([row.firstTradeAt, row.lastTradeAt]).toEqual(
          [fills[0], fills.at(-1)].map((fill) => new Date(Number(fill?.at)).toISOString()),
        );
      }
      expect(body.tokens.map((row) => row.rank)).toEqual(body.tokens.map((_, index) => index + 1));
    }
  });

  test("is ordered, filtered and paged as requested", async () => {
    await stillness(live);
    const list = async (query: string) =>
      (await live.get("listTokenActivity", `/v2/tokens/activity?window=24h&limit=100&${query}`)).body;
    const falling = (values: number[]) => expect(values).toEqual(values.toSorted((a, b) => b - a));
    falling((await list("")).tokens.map((row) => row.traders));
    falling((await list("sort=netUsd")).tokens.map((row) => row.netUsd));
    falling((await list("sort=recent")).tokens.map((row) => Date.parse(row.lastTradeAt)));
    falling((await list("side=sell")).tokens.map((row) => row.sellers));
    expect((await list("minTraders=3")).tokens.every((row) => row.traders >= 3)).toBe(true);
    const few = async (query: string) => (await list(`chain=base&${query}`)).tokens;
    const all = await few("");
    expect(all.length).toBeWithin(2, 100);
    const caps = all.flatMap(({ marketCapUsd }) => marketCapUsd ?? []).sort((a, b) => a - b);
    const middle = Math.round(caps[Math.floor(caps.length / 2)] ?? 0);
    const [small, large] = [await few(`maxMarketCapUsd=${middle}`), await few(`minMarketCapUsd=${middle}`)];
    for (const tokens of [small, large]) expect(tokens.length).toBeWithin(1, all.length);
    expect(small.length + large.length).toBe(caps.length);
    const young = await few("launchedWithin=7d");
    const isYoung = ({ launchedAt }: ServedActivityRow) =>
      launchedAt !== null && Date.parse(launchedAt) > live.clock.now() - 7 * DAY_MS;
    expect(young.map(({ token }) => token.address)).toEqual(
      all.filter(isYoung).map(({ token }) => token.address),
    );
    const board = await live.service.store.leaderboards.find("30d");
    const best = new Set(board?.value.rows.slice(0, 20).map(({ userId }) => userId));
    const chosen = await few("top=20");
    expect(chosen.length).toBeGreaterThan(0);
    for (const { topTraders } of chosen) for (const { userId } of topTraders) expect(best).toContain(userId);
    const noBoard = spyOn(live.service.store.leaderboards, "find").mockResolvedValueOnce(null);
    expect(await list("top=7")).toMatchObject({ count: 0, complete: false });
    noBoard.mockRestore();
    const crossed = await live.refused("/v2/tokens/activity?minMarketCapUsd=2&maxMarketCapUsd=1");
    expect([crossed.status, crossed.body.param]).toEqual([400, "minMarketCapUsd"]);
    expect((await list("chain=altchain")).tokens.every((row) => row.chainId === 4663)).toBe(true);
    const first = await list("");
    const paged: string[] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const { body }: { body: AnswerOf<Routes["listTokenActivity"]> } = await live.get(
        "listTokenActivity",
        `/v2/tokens/activity?window=24h&limit=9&cursor=${cursor}`,
      );
      paged.push(...body.tokens.map((row) => row.token.address));
      cursor = body.nextCursor;
    }
    expect(paged.slice(0, 100)).toEqual(first.tokens.map((row) => row.token.address));
    expect(new Set(paged).size).toBe(paged.length);
    expect((await live.refused("/v2/tokens/activity?cursor=a:999999999999999:0")).status).toBe(400);
  });
});
