// Traders as people: found by any of their names, who they follow, who follows them, their holdings; the cost of each miss,
// and the behaviour while upstream is slow or dead.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { WireUser } from "../../protocol/protocol.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, still } from "./world.ts";

let live: ServedService;
let users: WireUser[];
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  live = await startServedService({ traders: 1_000, historyDays: 1, eventsPerSecond: 0.1 });
  users = everyUser(live.platform);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(async () => {
  await live.misbehave();
  live.clock.release();
  // Past caches and breakers' cooldowns.
  live.clock.push(120_000);
});

function someone(wanted: (user: WireUser) => boolean, who: string): WireUser {
  const found = users.find(wanted);
  if (!found) throw new Error(`this world holds no ${who}`);
  return found;
}

describe("a trader", () => {
  test("is found by handle in any case, with or without @, and by userId, everywhere", async () => {
    await still(live);
    const { handle, userId } = someone(
      (user) => user.wallets.status === "resolved" && user.trades > 5,
      "trader",
    );
    const names = [handle, `@${handle}`, handle.toUpperCase(), `%40${handle}`, userId, userId.toUpperCase()];
    for (const name of names) {
      const one = await live.get("getTrader", `/v2/users/${name}`);
      expect([name, one.body.userId, one.cost]).toEqual([name, userId, 2_500]);
      expect((await live.get("getBalances", `/v2/users/${name}/balances`)).body.userId).toBe(userId);
      expect((await live.get("listFollowing", `/v2/users/${name}/following?limit=1`)).body.userId).toBe(
        userId,
      );
      expect((await live.get("listFollowers", `/v2/users/${name}/followers?limit=1`)).body.userId).toBe(
        userId,
      );
      expect((await live.get("getSpotlight", `/v2/users/${name}/spotlight`)).body.userId).toBe(userId);
      const trades = await live.get("listTrades", `/v2/users/${name}/trades`);
      expect(trades.body.kind).toBe(name.toLowerCase() === userId ? "userId" : "handle");
      for (const path of ["swaps", "positions"])
        expect((await live.ask(`/v2/users/${name}/${path}`)).status).toBe(200);
      expect((await live.ask(`/v2/thesis/user/${name}`)).status).toBe(200);
    }
    const byId = await live.get("getTraderById", `/v2/users/id/${userId}`);
    expect([byId.body.handle, byId.cost]).toEqual([handle, 10]);
  });

  test("that was renamed is found by the old name and by the new one", async () => {
    const renamed = someone(
      (user) => user.formerHandles.length > 0 && user.wallets.status === "resolved",
      "renamed trader",
    );
    for (const name of [renamed.handle, ...renamed.formerHandles]) {
      const { body } = await live.get("getTrader", `/v2/users/${name}`);
      expect([body.userId, body.handle]).toEqual([renamed.userId, renamed.handle]);
      expect((await live.get("listFollowers", `/v2/users/${name}/followers`)).body.handle).toBe(
        renamed.handle,
      );
    }
  });

  test("whose wallets are still unresolved long after is shown without them, for free, without waiting", async () => {
    const early = someone((user) => user.wallets.status === "resolving", "trader who is being resolved");
    const key = await live.makeKey();
    for (const [id, path] of [
      ["getTrader", `/v2/users/${early.handle}`],
      ["getTraderById", `/v2/users/id/${early.userId}`],
    ] as const) {
      const shown = await live.get(id, path, { key });
      expect([shown.body.wallets.status, shown.body.wallets.solana, shown.cost]).toEqual([
        "resolving",
        null,
        0,
      ]);
    }
    const me = await live.get("getMe", "/v2/me", { key });
    expect([me.body.credits.usedThisMonth, me.body.resolutions.usedThisMonth]).toEqual([0, 0]);
  });

  test("that is unknown costs what the interface says, and never a resolution", async () => {
    const key = await live.makeKey({ plan: "growth" });
    const prices: [string, number][] = [
      ["/v2/users/nobody_here", 250],
      [`/v2/users/id/${UNKNOWN_ID}`, 0],
      ["/v2/users/nobody_here/following", 0],
      ["/v2/users/nobody_here/followers", 0],
      ["/v2/users/nobody_here/spotlight", 0],
      [`/v2/users/${UNKNOWN_ID}/followers`, 0],
      ["/v2/users/nobody_here/trades", 250],
      ["/v2/users/nobody_here/trades?deep=1", 250],
      ["/v2/users/nobody_here/balances", 250],
      ["/v2/users/nobody_here/positions", 250],
      ["/v2/users/nobody_here/swaps", 250],
      ["/v2/thesis/user/nobody_here", 250],
      [`/v2/trades/${UNKNOWN_ID}`, 250],
      [`/v2/trades/${UNKNOWN_ID}/comments`, 250],
    ];
    let spent = 0;
    for (const [path, price] of prices) {
      const refused = await live.refused(path, { key });
      expect([path, refused.status, refused.body.error, refused.cost]).toEqual([
        path,
        404,
        "not_found",
        price,
      ]);
      spent += price;
    }
    const hit = await live.get("getTraderById", `/v2/users/id/${users[0]?.userId}`, { key });
    const { credits, resolutions } = (await live.get("getMe", "/v2/me", { key })).body;
    expect([credits.usedThisMonth, resolutions.usedThisMonth]).toEqual([spent + hit.cost, 1]);
  });

  test("has upstream's holdings and their sum; a rank on the leaderboard has the same profit", async () => {
    await still(live);
    for (const window of ["24h", "7d", "30d", "all"] as const) {
      const board = await live.get("getLeaderboard", `/v2/leaderboard/${window}?limit=5`);
      expect(board.body.traders.map((row) => row.rank)).toEqual([1, 2, 3, 4, 5]);
      for (const row of board.body.traders) {
        const one = await live.ask(`/v2/users/${row.handle}`);
        if (one.status === 409) continue;
        const trader = one.body as Awaited<ReturnType<typeof live.get<"getTrader">>>["body"];
        expect(trader.pnl[window]).toBe(row.pnlUsd);
        expect(trader.pnlUsd).toBe(trader.pnl.all);
        expect([trader.holdingsCount, trader.wallets.evm]).toEqual([row.holdings, row.wallets.evm]);
        if (window === "all") expect(trader.volumeUsd).toBe(row.volumeUsd);
        const { body } = await live.get("getBalances", `/v2/users/${row.handle}/balances`);
        expect(body.count).toBe(trader.holdingsCount);
        expect(trader.holdings).toEqual(body.holdings.slice(0, 10));
        const sum = body.holdings.reduce((total, each) => total + Number(each.valueUsd), 0);
        expect(body.totalValueUsd).toBeCloseTo(sum, 6);
        expect(
          body.holdings.every(
            (each) => Math.abs(Number(each.valueUsd) - each.amount * Number(each.priceUsd)) < 0.02,
          ),
        ).toBe(true);
      }
    }
  });

  test("while upstream is dead has the captured holdings, and is a free 503 without any", async () => {
    const { traders } = live.service.store;
    await eventually(async () => (await traders.count()) >= users.length, "the directory is read");
    await live.service.store.captures.save({
      userId: String(users[1]?.userId),
      capturedAt: live.clock.now(),
      openComplete: true,
      closedTotal: null,
    });
    await live.misbehave({ kind: "reset", path: "/api/users/" });
    const captured = await live.get("getBalances", `/v2/users/${users[1]?.userId}/balances`);
    expect(captured.body.note).toContain("captured");
    const paths = [
      `/v2/users/id/${users[2]?.userId}`,
      `/v2/users/${users[2]?.userId}/followers`,
      `/v2/users/${users[2]?.userId}/following`,
      `/v2/users/${users[2]?.userId}/spotlight`,
    ];
    for (const path of paths) {
      const refused = await live.refused(path);
      expect([path, refused.status, refused.body.error, refused.body.retryable, refused.cost]).toEqual([
        path,
        503,
        "upstream_timeout",
        true,
        0,
      ]);
    }
  });
});

describe("following", () => {
  const list = (userId: string, query = "") =>
    live.get("listFollowing", `/v2/users/${userId}/following?${query}`);

  test("walks pages of 50, is charged per page, and is complete only when it is the whole list", async () => {
    const some = someone(
      (user) => Number(user.following) > 60 && Number(user.following) < 150,
      "trader who follows some",
    );
    for (const [limit, pages] of [
      [1, 1],
      [50, 1],
      [51, 2],
      [300, Math.ceil(Number(some.following) / 50)],
    ] as const) {
      const { body, cost } = await list(some.userId, `limit=${limit}`);
      const count = Math.min(limit, Number(some.following));
      expect([limit, body.count, body.following.length, cost]).toEqual([limit, count, count, pages * 250]);
      const whole = count === Number(some.following);
      expect([body.complete, body.truncated, body.sourceCapped, body.total]).toEqual([
        whole,
        !whole,
        false,
        Number(some.following),
      ]);
    }
    const names = (await list(some.userId)).body.following.map((person) => person.userId);
    expect(new Set(names).size).toBe(Number(some.following));
  });

  test("of more than upstream serves says that it is capped", async () => {
    const many = someone((user) => Number(user.following) > 200, "trader who follows more than 200");
    const { body, cost } = await list(many.userId);
    expect([body.count, body.truncated, body.sourceCapped, body.complete, body.cap, cost]).toEqual([
      200,
      true,
      true,
      false,
      200,
      1_000,
    ]);
    expect(body.note).not.toBeNull();
    expect(await list(many.userId, "limit=200")).toMatchObject({ cost: 1_000 });
  });

  test("that upstream stops answering returns the pages that arrived, and only they are charged", async () => {
    const many = someone((user) => Number(user.following) > 120, "trader who follows more than 120");
    const { api } = live.platform;
    const { following } = api;
    api.following = (userId, cursor) => {
      if (cursor !== undefined) throw new Error("a fault of the world");
      return following(userId);
    };
    const slow = await list(many.userId);
    api.following = following;
    expect(slow.body).toMatchObject({ partial: true, retryable: true, complete: false, truncated: true });
    expect([slow.body.count, slow.cost]).toEqual([50, 250]);
    // A partial list is not cached as if it were complete.
    live.clock.push(20_000);
    const again = await list(many.userId);
    expect(again.body.count).toBe(Math.min(200, Number(many.following)));
    expect(again.body.partial).toBeUndefined();
  });

  test("needs the credits of all its pages beforehand", async () => {
    const { accountId } = await live.makeKey();
    const key = await live.service.access.keys.create({ accountId, name: null, monthlyCap: 999 });
    const refused = await live.refused(`/v2/users/${users[0]?.userId}/following`, { key });
    expect([refused.status, refused.cost]).toEqual([402, 0]);
    expect((await live.ask(`/v2/users/${users[0]?.userId}/following?limit=50`, { key })).status).toBe(200);
  });
});

test("followers are a sample of at most 200, and every answer says so", async () => {
  const loved = someone((user) => Number(user.followers) > 200, "trader with more than 200 followers");
  const many = await live.get("listFollowers", `/v2/users/${loved.userId}/followers`);
  expect([many.body.count, many.body.total, many.body.sourceCapped, many.body.cap, many.cost]).toEqual([
    200,
    loved.followers,
    true,
    200,
    250,
  ]);
  const some = someone(
    (user) => Number(user.followers) > 3 && Number(user.followers) < 100,
    "trader with some followers",
  );
  const few = await live.get("listFollowers", `/v2/users/${some.userId}/followers?limit=3`);
  expect([few.body.count, few.body.sourceCapped]).toEqual([3, false]);
  for (const { body } of [many, few]) {
    expect([body.complete, body.truncated]).toEqual([false, true]);
    expect(body.note).toContain(String(body.sourceCapped ? body.total : body.count));
    expect(body.wallets).toContain("/v2/users/{handle}");
    expect(body.followers.every((person) => !("wallets" in person))).toBe(true);
  }
});

test("balances include perps on other venues if there are any, and open ones here", async () => {
  await still(live);
  const balancesOf = (userId: string) => live.platform.api.balances(userId);
  const abroad = someone(({ userId }) => Boolean(balancesOf(userId)?.externalPerps?.length), "such trader");
  const { body } = await live.get("getBalances", `/v2/users/${abroad.userId}/balances`);
  expect(body.externalVenuePerps).toEqual(balancesOf(abroad.userId)?.externalPerps ?? []);
  const plain = someone(({ userId }) => {
    const balances = balancesOf(userId);
    return balances?.perpPnlUsd === null && balances.externalPerps?.length === 0;
  }, "trader without perps");
  const without = await live.get("getBalances", `/v2/users/${plain.userId}/balances`);
  for (const field of ["externalVenuePerps", "livePerpPnl"]) expect(without.body).not.toHaveProperty(field);
});

test("spotlight shows the trades that upstream chose, including best liked theses", async () => {
  await still(live);
  const writer = live.platform.api.theses({}).rows[0];
  const { body } = await live.get("getSpotlight", `/v2/users/${writer?.userId}/spotlight`);
  const own = live.platform.api.spotlight(String(writer?.userId));
  expect(body.bestTrades.map((trade) => trade.tradeId).sort()).toEqual(
    (own?.bestTrades ?? []).map((trade) => trade.tradeId).sort(),
  );
  expect(body.bestTheses.length).toBeGreaterThan(0);
  const likes = body.bestTheses.map((trade) => Number(trade.thesis?.likes));
  expect(likes).toEqual([...likes].sort((a, b) => b - a));
});
