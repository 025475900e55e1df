// A trader's fills and captured positions, and one trade in full, against the platform's own record.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import type { ServedPosition, ServedSwap } from "../../contract/shapes/types.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { WireUser } from "../../protocol/protocol.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, readAndKept, still } from "./world.ts";

let live: ServedService;
/** The most active traders. */
let busy: WireUser;

beforeAll(async () => {
  live = await startServedService({ traders: 300, historyDays: 4, eventsPerSecond: 0.5 });
  busy = everyUser(live.platform).reduce((most, user) => (user.trades > most.trades ? user : most));
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => {
  live.clock.release();
  // Past the caches.
  live.clock.push(20_000);
});

const ids = (rows: readonly { tradeId: string }[]) => rows.map((row) => row.tradeId);

/** Reads the whole history once, which also captures it. */
async function readIn(): Promise<ServedPosition[]> {
  const rows: ServedPosition[] = [];
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const { body }: { body: AnswerOf<Routes["listTrades"]> } = await live.get(
      "listTrades",
      `/v2/users/${busy.handle}/trades?cursor=${cursor}`,
    );
    rows.push(...body.trades.filter((row) => row.source === "captured"));
    cursor = body.nextCursor;
  }
  return rows;
}

type SwapsPage = Awaited<ReturnType<typeof swapsPage>>;
const swapsPage = (query: string) => live.get("listSwaps", `/v2/users/${busy.handle}/swaps?${query}`);

describe("fills", () => {
  test("come newest first, 100 per page, and the first call already returns the next cursor", async () => {
    await still(live);
    const own: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = live.platform.api.swaps(busy.userId, cursor ? { cursor } : {});
      own.push(...(page?.rows ?? []).map((row) => row.swapId));
      cursor = page?.nextCursor ?? null;
    }
    for (const limit of [100, 33]) {
      const rows: ServedSwap[] = [];
      for (let cursor: string | null = "start"; cursor !== null; ) {
        const page: SwapsPage = await swapsPage(`limit=${limit}&cursor=${cursor}`);
        expect(page.body.count).toBe(
          page.body.nextCursor === null ? page.body.count : Math.min(limit, page.body.count),
        );
        expect(page.cost).toBe(250);
        rows.push(...page.body.swaps);
        cursor = page.body.nextCursor;
      }
      expect(rows.map((row) => row.swapId)).toEqual(own);
    }
    const first = await live.get("listSwaps", `/v2/users/${busy.handle}/swaps`);
    expect([first.body.count, first.body.nextCursor === null]).toEqual([100, false]);
  });

  test("new ones that arrive during a walk neither delay it nor cause repeats", async () => {
    await still(live);
    const seen: string[] = [];
    let cursor: string | null = "start";
    for (let pages = 0; pages < 12 && cursor !== null; pages++) {
      const page: SwapsPage = await swapsPage(`limit=9&cursor=${cursor}`);
      seen.push(...page.body.swaps.map((row) => row.swapId));
      cursor = page.body.nextCursor;
      live.clock.push(5 * MINUTE_MS);
      await live.platform.advance();
    }
    expect(seen.length).toBe(new Set(seen).size);
  });
});

/** All of the captured ones. */
async function pagedBy(sort: string): Promise<ServedPosition[]> {
  const rows: ServedPosition[] = [];
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const path: string = `/v2/users/${busy.userId}/positions?sort=${sort}&limit=40&cursor=${cursor}`;
    const { body }: { body: AnswerOf<Routes["listPositions"]> } = await live.get("listPositions", path);
    rows.push(...body.positions);
    cursor = body.nextCursor;
    // A page is sorted by its displayed values: current prices, which change between two pages.
    const values = body.positions.map((row) =>
      sort === "pnl"
        ? Number(row.realizedPnlUsd) + Number(row.unrealizedPnlUsd)
        : Number(row.amount) * Number(row.priceUsd),
    );
    if (sort !== "recent") expect(values).toEqual([...values].sort((a, b) => b - a));
  }
  return rows;
}

test("positions are paged in every order without losing or repeating one, and filters hold", async () => {
  await readAndKept(live, readIn);
  await still(live);
  const whole = await live.get("listPositions", `/v2/users/${busy.userId}/positions?limit=500`);
  expect(whole.body.complete).toBe(true);
  for (const sort of ["recent", "pnl", "size"])
    expect(ids(await pagedBy(sort)).toSorted()).toEqual(ids(whole.body.positions).toSorted());
  const [first] = (await live.get("listPositions", `/v2/users/${busy.userId}/positions?limit=1`)).body
    .positions;
  const same = await live.get(
    "listPositions",
    `/v2/users/${busy.userId}/positions?token=${first?.token.address}&status=${first?.status}&chain=${first?.chain}`,
  );
  expect(same.body.positions.length).toBeGreaterThan(0);
  expect(
    same.body.positions.every(
      (row) => row.token.address === first?.token.address && row.status === first?.status,
    ),
  ).toBe(true);
});

test("one trade in full: its figures follow from its fills, and an unknown id costs an ordinary call", async () => {
  await still(live);
  const captured = await readIn();
  for (const row of captured.slice(0, 30)) {
    const { body, cost } = await live.get("getTrade", `/v2/trades/${row.tradeId}`);
    expect(cost).toBe(250);
    expect(body).toMatchObject({ tradeId: row.tradeId, trader: { userId: busy.userId }, amount: row.amount });
    const bought = body.swaps.filter((swap) => swap.side === "buy").map((swap) => swap.tokenOut);
    const sum = (parts: { amount: number }[]) => parts.reduce((total, part) => total + part.amount, 0);
    expect(sum(bought)).toBeCloseTo(row.boughtAmount, 4);
    expect(sum(body.transfers.filter((part) => part.direction === "in"))).toBeCloseTo(
      row.transferredInAmount,
      4,
    );
    const comments = await live.get("listComments", `/v2/trades/${row.tradeId}/comments?limit=3`);
    const all = await live.get("listComments", `/v2/trades/${row.tradeId}/comments?limit=100`);
    expect(comments.body.comments).toEqual(all.body.comments.slice(0, 3));
    if (comments.body.nextCursor !== null) {
      const next = await live.get(
        "listComments",
        `/v2/trades/${row.tradeId}/comments?limit=100&cursor=${comments.body.nextCursor}`,
      );
      expect([...comments.body.comments, ...next.body.comments]).toEqual(all.body.comments);
    }
  }
  const missing = await live.refused("/v2/trades/00000000-0000-4000-8000-000000000000");
  expect([missing.status, missing.body.error, missing.cost]).toEqual([404, "not_found", 250]);
});
