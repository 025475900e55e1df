// A trader's history in every way it can be requested: walks, filters, fan-outs, positions and fills, compared with the
// platform's own record, while the world is frozen, while it moves, and while upstream fails.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../kit/units.ts";
import type { WirePosition, WireUser } from "../../protocol/protocol.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { isAnswered, quiet } from "./quiet.ts";
import { everyUser, readAndKept, still } from "./world.ts";

let live: ServedService;
let users: WireUser[];
/** The most active trader whose record stays within the platform's eight pages during the tests. */
let busy: WireUser;
const CLOSED_AT_START_MAX = 150;

beforeAll(async () => {
  live = await startServedService({ traders: 500, historyDays: 4, eventsPerSecond: 0.5 });
  users = everyUser(live.platform);
  busy = users
    .filter(({ userId }) => recorded(userId).closedTotal <= CLOSED_AT_START_MAX)
    .reduce((most, user) => (user.trades > most.trades ? user : most));
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(async () => {
  await live.misbehave();
  live.clock.release();
  // Past caches and breakers' cooldowns.
  live.clock.push(20_000);
  // An open breaker lets one call through, and closes.
  await live.ask(`/v2/users/${busy.userId}/trades`);
  live.clock.push(20_000);
});

type TradesPage = Awaited<ReturnType<typeof tradesPage>>;

async function tradesPage(who: string, query: string) {
  const answered = await live.get("listTrades", `/v2/users/${who}/trades?${query}`);
  const captured = answered.body.trades.filter((row) => row.source === "captured");
  return { ...answered.body, cost: answered.cost, captured };
}

async function walk(who: string, query: string, between: () => Promise<void> = async () => {}) {
  const pages: TradesPage[] = [];
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const page: TradesPage = await tradesPage(who, `${query}&cursor=${cursor}`);
    pages.push(page);
    await between();
    cursor = page.nextCursor;
  }
  return pages;
}

/** A trader who has not traded yet. */
function idler(): WireUser {
  const idle = everyUser(live.platform).find((user) => user.trades === 0);
  if (!idle) throw new Error("everybody has traded: this world is too busy for this test");
  return idle;
}

/** The platform's own pages. */
function recorded(userId: string): { open: WirePosition[]; closed: WirePosition[]; closedTotal: number } {
  const open: WirePosition[] = [];
  const closed: WirePosition[] = [];
  let closedTotal = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = live.platform.api.trades(userId, { sort: "recent", ...(cursor ? { cursor } : {}) });
    if (!page) throw new Error("the platform does not know its own trader");
    open.push(...page.open);
    closed.push(...page.closed);
    closedTotal = page.closedTotal;
    cursor = page.nextCursor;
  }
  return { open, closed, closedTotal };
}

const ids = (rows: readonly { tradeId: string }[]) => rows.map((row) => row.tradeId).sort();

describe("a walk", () => {
  test("returns the whole record once: open ones on the first page, 25 closed ones per page, null at the end", async () => {
    await still(live);
    const record = recorded(busy.userId);
    const pages = await walk(busy.handle, "");
    const rows = pages.flatMap((page) => page.captured);
    expect(record.closed.length).toBeGreaterThan(50);
    expect(ids(rows)).toEqual(ids([...record.open, ...record.closed]));
    expect(pages.map((page) => page.openCount)).toEqual([record.open.length, ...pages.slice(1).map(() => 0)]);
    expect(pages.slice(0, -1).every((page) => page.closedCount === 25)).toBe(true);
    expect(pages.every((page) => page.count === page.trades.length && page.cost === 250)).toBe(true);
    expect(pages.map((page) => page.truncated)).toEqual(pages.map((page) => page.nextCursor !== null));
    expect(pages.every((page) => !page.complete)).toBe(true);
    const isOrdered = rows.every((row) =>
      row.status === "open" ? row.closedAt === null : row.closedAt === row.ts,
    );
    expect(isOrdered).toBe(true);
  });

  test("with a smaller limit returns the same rows, none skipped and none repeated", async () => {
    await still(live);
    const record = recorded(busy.userId);
    for (const limit of [7, 25, 100]) {
      const pages = await walk(busy.handle, `limit=${limit}`);
      expect(pages.every((page) => page.count <= limit)).toBe(true);
      expect(ids(pages.flatMap((page) => page.captured))).toEqual(ids([...record.open, ...record.closed]));
    }
  });

  test("misses nothing that existed when it started, though positions open and close meanwhile", async () => {
    const moveOn = () => {
      live.clock.push(2 * MINUTE_MS);
      return live.platform.advance();
    };
    let before = recorded(busy.userId);
    let rows: TradesPage["captured"] = [];
    // Traders sleep: the walk is repeated until one closed something meanwhile.
    do {
      await still(live);
      before = recorded(busy.userId);
      rows = (await walk(busy.handle, "limit=4", moveOn)).flatMap((page) => page.captured);
    } while (recorded(busy.userId).closedTotal === before.closedTotal);
    const seen = new Set(ids(rows));
    expect(ids(before.open).filter((id) => !seen.has(id))).toEqual([]);
    // Upstream itself serves the newest 200: anything that newer ones pushed past that end is gone for everyone.
    const reachable = before.closed.slice(0, before.closed.length - 60);
    expect(ids(reachable).filter((id) => !seen.has(id))).toEqual([]);
    const named = rows.map((row) => `${row.tradeId} ${row.status}`);
    expect(named.length).toBe(new Set(named).size);
  });

  test("by status returns only those, and an empty answer still says that there are others", async () => {
    await still(live);
    const record = recorded(busy.userId);
    const open = await walk(busy.handle, "status=open");
    expect(ids(open.flatMap((page) => page.captured))).toEqual(ids(record.open));
    expect(open.map((page) => [page.nextCursor, page.complete])).toEqual([[null, true]]);
    const closed = await walk(busy.handle, "status=closed&limit=60");
    expect(ids(closed.flatMap((page) => page.captured))).toEqual(ids(record.closed));
    const { trades } = live.platform.api;
    live.platform.api.trades = (...asked) => {
      const page = trades(...asked);
      return page && { ...page, open: [] };
    };
    for (const query of ["status=open", "status=open&deep=2"]) {
      const page = await tradesPage(busy.userId, query);
      expect([page.count, page.available]).toEqual([0, true]);
    }
    live.platform.api.trades = trades;
  });

  test("of a trader without trades says that nothing is available, for the price of one call", async () => {
    const idle = idler();
    const page = await tradesPage(idle.handle, "cursor=start");
    expect(page).toMatchObject({ available: false, count: 0, trades: [], nextCursor: null, cost: 250 });
  });

  test("a cursor of another walk, or a made-up one, is refused for free", async () => {
    const other = users.find((user) => user.userId !== busy.userId);
    const swaps = await live.get("listSwaps", `/v2/users/${busy.handle}/swaps`);
    const first = await tradesPage(busy.handle, "cursor=start");
    const bad = [`/v2/users/${busy.handle}/trades?cursor=${swaps.body.nextCursor}`];
    bad.push(`/v2/users/${other?.handle}/trades?cursor=${first.nextCursor}`);
    for (const cursor of ["x", "live:0:", "live:rows:1:a:", "kept:x:1", "recent:1:a"])
      bad.push(`/v2/users/${busy.handle}/positions?cursor=${cursor}&sort=pnl`);
    bad.push(
      `/v2/users/${busy.handle}/trades?cursor=never`,
      `/v2/users/${busy.handle}/trades?cursor=${first.nextCursor}&deep=1`,
    );
    for (const path of bad) {
      const refused = await live.refused(path);
      expect([path, refused.status, refused.body.error, refused.cost]).toEqual([
        path,
        400,
        "invalid_parameter",
        0,
      ]);
    }
  });
});

test("every row adds up: amount, and entry price, which is null if nothing was bought", async () => {
  let received = 0;
  for (const user of users.slice(0, 60)) {
    const { captured } = await tradesPage(user.handle, "cursor=start");
    for (const row of captured) {
      const sum = row.boughtAmount - row.soldAmount + row.transferredInAmount - row.transferredOutAmount;
      const size = Math.max(row.boughtAmount, row.transferredInAmount, 1);
      expect(Math.abs(row.amount - sum)).toBeLessThanOrEqual(size * 1e-12);
      expect(row.avgEntryPrice === null).toBe(row.boughtAmount === 0);
      if (row.avgEntryPrice !== null)
        expect(row.avgEntryPrice).toBe(Number(row.costBasisUsd) / row.boughtAmount);
      if (row.boughtAmount === 0) received++;
      expect(row.userId).toBe(user.userId);
      expect(row.status === "closed").toBe(row.closedAt !== null);
    }
  }
  expect(received).toBeGreaterThan(0);
});

test("a trade that the feed reported and upstream does not list yet comes first, as a feed row, even in a deep read", async () => {
  await live.caughtUp();
  await still(live);
  // One that is still in flight would come before it.
  await quiet(live);
  const { api } = live.platform;
  const { trades } = api;
  const { events } = await live.service.store.log.page({ feed: "app", kinds: ["buy", "sell"], limit: 1 });
  const event = events[0];
  if (event?.feed !== "app" || !event.userId) throw new Error("the log holds no trade");
  api.trades = (userId, query) => {
    const page = trades(userId, query);
    const others = (rows: WirePosition[]) => rows.filter((row) => row.tradeId !== event.tradeId);
    return page && { ...page, open: others(page.open), closed: others(page.closed) };
  };
  const page = await live.get("listTrades", `/v2/users/${event.userId}/trades`);
  const deep = await live.get("listTrades", `/v2/users/${event.userId}/trades?deep=1`);
  const cut = await live.get("listTrades", `/v2/users/${event.userId}/trades?deep=1&limit=2`);
  api.trades = trades;
  for (const { body } of [page, deep, cut]) {
    const row = body.trades.find((each) => each.tradeId === event.tradeId);
    expect(row).toMatchObject({
      source: "feed",
      side: event.kind,
      sizeUsd: event.fillUsd,
      swapId: event.swapId,
    });
    expect(body.trades[0]?.source).toBe("feed");
    expect(body.count).toBe(body.trades.length);
  }
  expect(cut.body.count).toBeLessThanOrEqual(2);
});

test("a read right after a buy shows one that is not listed yet, within the limit, and listed a minute later", async () => {
  // One new position in three is listed late. Traders come in bursts, so positions are counted, not reads.
  const POSITIONS_MAX = 300;
  const positions = new Set<string>();
  const met = async (): Promise<{ userId: string; tradeId: string } | null> => {
    live.clock.push(5_000);
    await live.platform.advance();
    await live.caughtUp();
    const { events } = await live.service.store.log.page({ feed: "app", kinds: ["buy"], limit: 10 });
    for (const event of events) {
      if (event.feed !== "app" || event.userId === null || event.tradeId === null) continue;
      positions.add(event.tradeId);
      const { body } = await live.get("listTrades", `/v2/users/${event.userId}/trades?limit=3`);
      expect(body.count).toBeLessThanOrEqual(3);
      const [first] = body.trades;
      if (first?.source !== "feed") continue;
      expect(body.trades.length === 1 || body.trades.at(-1)?.source === "captured").toBe(true);
      return { userId: event.userId, tradeId: String(first.tradeId) };
    }
    return null;
  };
  let found: Awaited<ReturnType<typeof met>> = null;
  while (positions.size < POSITIONS_MAX && found === null) found = await met();
  if (found === null) throw new Error(`none of ${positions.size} positions was listed late`);
  const { userId, tradeId } = found;
  live.clock.push(60_000);
  await live.platform.advance();
  const pages = await walk(userId, "");
  expect(pages.flatMap((page) => page.captured).some((row) => row.tradeId === tradeId)).toBe(true);
});

describe("a deep read", () => {
  const NETWORKS = { solana: 1399811149, eth: 1, base: 8453, bsc: 56, altchain: 4663 };

  /** The platform returns 25 of them per page, and at least one page; in two orders. */
  function pagesOf(userId: string): number {
    const pages = Object.values(NETWORKS).map((networkId) => {
      const closed = live.platform.api.trades(userId, { networkId, sort: "recent" })?.closedTotal ?? 0;
      return Math.max(1, Math.ceil(closed / 25));
    });
    return 2 * pages.reduce((sum, count) => sum + count, 0);
  }

  test("queries every chain in both orders, returns each row once, and is charged by its calls", async () => {
    await still(live);
    const single = await tradesPage(busy.handle, "cursor=start");
    const deep = await tradesPage(busy.handle, "deep=1");
    expect([deep.upstreamCalls, deep.partial, deep.complete, deep.cost]).toEqual([10, false, false, 2_500]);
    expect(deep.closedCount).toBeGreaterThan(single.closedCount);
    const reported = new Set<string>();
    for (const [name, networkId] of Object.entries(NETWORKS)) {
      for (const sort of ["recent", "pnl"] as const) {
        const own = live.platform.api.trades(busy.userId, { networkId, sort });
        expect(deep.perChainClosedTotal?.[name]).toBe(Number(own?.closedTotal));
        for (const row of [...(own?.open ?? []), ...(own?.closed ?? [])]) reported.add(row.tradeId);
      }
    }
    expect(ids(deep.captured)).toEqual([...reported].sort());
    expect(deep.closedTotalOnUpstream).toBe(recorded(busy.userId).closedTotal);
    const again = await tradesPage(`@${busy.handle.toUpperCase()}`, "deep=true");
    expect(ids(again.captured)).toEqual(ids(deep.captured));
  });

  test("of N buys up to N upstream calls, if there are that many pages; totals of unqueried chains stay unknown", async () => {
    await still(live);
    const three = await tradesPage(busy.handle, "deep=3");
    expect([three.upstreamCalls, three.cost, three.closedTotalOnUpstream]).toEqual([3, 750, null]);
    const twenty = await tradesPage(busy.handle, "deep=20");
    expect(twenty.upstreamCalls).toBe(Math.min(20, pagesOf(busy.userId)));
    expect(twenty.cost).toBe(250 * Number(twenty.upstreamCalls));
    expect(twenty.count).toBeGreaterThan(three.count);
  });

  /** While it runs, upstream fails the selected calls. */
  async function failing<T>(
    fails: (sort: string, networkId: number) => boolean,
    run: () => Promise<T>,
  ): Promise<T> {
    const { api } = live.platform;
    const { trades } = api;
    api.trades = (userId, query) => {
      if (fails(query.sort, query.networkId ?? 0)) throw new Error("a fault of the world");
      return trades(userId, query);
    };
    try {
      return await run();
    } finally {
      api.trades = trades;
    }
  }

  test("with k failed calls is partial and charged without them", async () => {
    const failed = new Set([1399811149, 8453, 56]);
    const before = await live.remaining();
    const deep = await failing(
      (sort, networkId) => sort === "pnl" && failed.has(networkId),
      () => tradesPage(busy.handle, "deep=1"),
    );
    expect([deep.upstreamCalls, deep.partial, deep.complete, deep.cost]).toEqual([7, true, false, 1_750]);
    expect(before - (await live.remaining())).toBe(1_750);
    // A partial answer is not cached as if it were complete.
    expect((await tradesPage(busy.handle, "deep=1")).partial).toBe(false);
  });

  test("with all calls failed is a free, retryable 503", async () => {
    const before = await live.remaining();
    const refused = await failing(
      () => true,
      () => live.refused(`/v2/users/${busy.handle}/trades?deep=1`),
    );
    expect([refused.status, refused.body.error, refused.body.retryable]).toEqual([
      503,
      "upstream_timeout",
      true,
    ]);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await live.remaining()).toBe(before);
  });

  test("is refused beforehand when the balance does not cover its maximum cost", async () => {
    const key = await live.makeKey();
    const poor = await live.service.access.keys.create({
      accountId: key.accountId,
      name: null,
      monthlyCap: 2_000,
    });
    // Capture may make the same request by itself just then; a refused read that made requests would do so every time.
    await eventually(async () => {
      const asked = await live.asked(`/api/users/${busy.userId}/trades`);
      const refused = await live.refused(`/v2/users/${busy.handle}/trades?deep=9`, { key: poor });
      expect([refused.status, refused.body.error, refused.cost]).toEqual([402, "key_cap_reached", 0]);
      return (await live.asked(`/api/users/${busy.userId}/trades`)) === asked;
    }, "a read that is refused asks upstream nothing");
    expect((await live.ask(`/v2/users/${busy.handle}/trades?deep=2`, { key: poor })).cost).toBe(500);
  });
});

describe("while upstream does not answer", () => {
  test("captured data stands in, and its walk reaches every captured row once", async () => {
    const { traders, positions } = live.service.store;
    await eventually(async () => (await traders.byId(busy.userId)) !== null, "the directory has the trader");
    const read = async () => (await walk(busy.handle, "")).flatMap((page) => page.captured);
    await readAndKept(live, read);
    live.clock.push(60_000);
    await live.caughtUp();
    // Follow-up requests are paced by the clock, so most of them happen before it is held.
    await eventually(() => isAnswered(live), "no question is open");
    await still(live);
    await live.caughtUp();
    await eventually(() => isAnswered(live), "none is open that came last");
    // Nothing more arrives, from anywhere; everything in flight has arrived.
    await live.misbehave({ kind: "status", status: 500, path: "/api/" });
    await live.derived();
    const counts = await positions.counts(busy.userId);
    for (const query of ["", "limit=3", `limit=${Math.max(1, counts.open)}`, "status=open&limit=1"]) {
      const pages = await walk(busy.handle, query);
      const rows = pages.flatMap((page) => page.captured);
      expect(new Set(ids(rows)).size).toBe(rows.length);
      const wanted = query.startsWith("status=open") ? counts.open : counts.open + counts.closed;
      expect(rows.length).toBe(wanted);
      expect(pages.every((page) => page.note !== null && !page.complete && page.available)).toBe(true);
    }
  });
});
