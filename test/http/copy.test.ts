// The profit from following, over the served interface: the bridge adds up, the leader's profit is that of /pnl, other terms
// move the figures in the right direction, and a second replay requests no tape from the platform.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { countOf } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { createLog } from "../../kit/log.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kit/units.ts";
import { createBoardWork } from "../../service/api/copy/board.ts";
import { finishReplay, holdReplay } from "../../service/store/money/replays.ts";
import { inProcessUpstream } from "../../service/upstream/in-process.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, stillOnTheHour } from "./world.ts";

type Copy = AnswerOf<Routes["getCopy"]>;

const SETTLE_MS = 6 * MINUTE_MS;

let live: ServedService;
let busy: string[];

beforeAll(async () => {
  live = await startServedService({
    traders: 300,
    historyDays: 3,
    eventsPerSecond: 0.3,
    // The simulated app shows a few fills up to three minutes late, and a follow copies those when they arrive. The clock
    // jumps here, and anything shown during a jump is read after it, so the tests wait for that as well.
    settings: { PAPER_SETTLE_SECONDS: String(SETTLE_MS / SECOND_MS) },
  });
  await stillOnTheHour(live);
  // A replay's id includes the log's position.
  await live.caughtUp();
  busy = everyUser(live.platform)
    .sort((a, b) => b.swapCount - a.swapCount)
    .slice(0, 5)
    .map(({ handle }) => handle);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

/** A cached answer may be of an earlier moment: comparisons use a size that no other test uses. */
const copyOf = async (handle: string, terms = ""): Promise<Copy> =>
  (await live.get("getCopy", `/v2/users/${handle}/copy?window=7d${terms}`)).body;

const directUpstream = () =>
  inProcessUpstream(live.platform, { clock: live.clock, log: createLog("silent", live.clock.now) });

/** Saves all trades up to now, as the service does with each one that it requests. */
async function captureEveryTrade(): Promise<void> {
  const upstream = directUpstream();
  const { fills } = live.service.store;
  const call = { deadlineMs: MINUTE_MS };
  const fillsOf = async (tradeId: string) => {
    const trade = await upstream.trade(tradeId, call);
    if (trade.kind !== "found") throw new Error(`${tradeId} was ${trade.kind}`);
    return trade.value.swaps;
  };
  for (const { userId } of everyUser(live.platform)) {
    const books = await upstream.books(userId, live.clock.now(), call);
    if (books.kind !== "found") throw new Error(`the books of ${userId} were ${books.kind}`);
    const own = books.value.rows.map(({ position }) => position.tradeId);
    await fills.save((await Promise.all(own.map(fillsOf))).flat());
  }
}

const cents = (usd: number) => Math.round(usd * 100);

describe("the profit from following", () => {
  test(
    "adds up to the cent, from the leader's /pnl to the follower",
    async () => {
      for (const handle of busy) {
        const { bridge, follower, leader, curve, ladder, terms } = await copyOf(handle, "&size=101");
        const { leaderUsd, skippedUsd, delayUsd, impactUsd, feesUsd, netUsd } = bridge;
        const sum = [leaderUsd, skippedUsd, delayUsd, impactUsd, feesUsd].map(cents).reduce((a, b) => a + b);
        expect([handle, sum]).toEqual([handle, cents(netUsd)]);
        expect(follower.pnlUsd).toBe(netUsd);
        expect(curve.at(-1)?.pnlUsd).toBe(netUsd);
        expect(ladder.find(({ delaySeconds }) => delaySeconds === terms.delaySeconds)?.pnlUsd).toBe(netUsd);
        const pnl = await live.get("getPnl", `/v2/users/${handle}/pnl?window=7d`);
        expect(leader.pnlUsd).toBe(pnl.body.pnlUsd);
      }
    },
    START_MS_MAX,
  );

  test("is based on the tape for nearly all of its orders", async () => {
    for (const handle of busy) {
      const { coverage, follower } = await copyOf(handle);
      expect(follower.orders).toBeGreaterThan(0);
      expect(coverage?.tape).toBeGreaterThan(0.95);
    }
  });

  test("requests no tape from the platform the second time, and says what is covered", async () => {
    const [handle = ""] = busy;
    const first = await copyOf(handle, "&size=150");
    const asked = spyOn(live.platform.api, "ticks");
    const second = await copyOf(handle, "&size=200");
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(second.tape).toEqual(first.tape);
    expect(first.tape.ticks).toBeGreaterThan(0);
    expect(first.tape.coveredHours / first.tape.hours).toBeGreaterThan(0.9);
  });

  test("falls with the bot's fee, and skips orders that can't be paid", async () => {
    const [handle = ""] = busy;
    const rich = "&capital=1000000";
    const nets = await Promise.all(
      [0, 100, 300].map(async (fee) => (await copyOf(handle, `${rich}&botFeeBps=${fee}`)).bridge.netUsd),
    );
    expect(nets).toEqual(nets.toSorted((a, b) => b - a));
    const poor = await copyOf(handle, "&capital=50");
    expect(poor.follower.orders).toBe(0);
    expect(poor.skipped.find(({ reason }) => reason === "capital")?.count).toBeGreaterThan(0);
  });

  test("of one trade is that trade's part, and someone else's trade is not found", async () => {
    const [handle = "", other = ""] = busy;
    const { body } = await live.get("listPositions", `/v2/users/${handle}/positions?status=closed&limit=100`);
    // A follower neither buys nor sells tokens that were received or sent.
    const isCopied = ({ chain, boughtAmount, soldAmount }: (typeof body.positions)[number]) =>
      chain !== "perps" && Number(boughtAmount) > 0 && Number(soldAmount) > 0;
    const closed = body.positions.filter(isCopied).slice(0, 3);
    expect(closed.length).toBe(3);
    for (const { tradeId, pnlUsd } of closed) {
      const path = `/v2/users/${handle}/copy?tradeId=${tradeId}&capital=100000`;
      const one = (await live.get("getCopy", path)).body;
      expect(one).toMatchObject({ tradeId, verdict: "too_few" });
      expect(one.leader.pnlUsd).toBeCloseTo(Number(pnlUsd), 2);
      // A position that was also received may be sold before it is bought, which a follower skips.
      const skipped = one.skipped.reduce((sum, { count }) => sum + count, 0);
      expect(one.follower.orders + skipped).toBeGreaterThan(1);
      expect(one.follower.orders).toBeGreaterThan(0);
      expect(one.bridge.netUsd).toBe(one.follower.pnlUsd);
    }
    const refused = await live.refused(`/v2/users/${other}/copy?tradeId=${closed[0]?.tradeId}`);
    expect(refused.status).toBe(404);
  });

  test("says too few, as a miss with a note, for a trader with nothing to copy", async () => {
    const [handle = ""] = busy;
    const answer = await live.get("getCopy", `/v2/users/${handle}/copy?window=7d&capital=50`);
    expect(answer.body).toMatchObject({ verdict: "too_few", coverage: null, note: expect.any(String) });
    expect(answer.cost).toBe(250);
  });

  test("refuses wrong terms in a sentence that names them", async () => {
    for (const [term, value] of [
      ["delay", "3601"],
      ["size", "0"],
      ["exit", "later"],
      ["window", "all"],
    ]) {
      const { status, body } = await live.ask(`/v2/users/${busy[0]}/copy?${term}=${value}`);
      expect([status, (body as { param?: string }).param]).toEqual([400, term]);
    }
  });
});

describe("the board of traders worth following", () => {
  test(
    "is ranked by the lower bound, with the figures of /copy, and says who is still to be replayed",
    async () => {
      const path = "/v2/leaderboard/copy/7d?limit=150";
      const { store } = live.service;
      const nobody = await live.get("getCopyLeaderboard", path);
      expect(nobody.body).toMatchObject({ count: 0, replayed: 0, of: 0, complete: false, asOf: null });
      expect(nobody.cost).toBe(0);
      const log = createLog("silent", live.clock.now);
      const upstream = directUpstream();
      const parts = { upstream, store, clock: live.clock, log, tapeBytesMax: 1e8, isWriting: () => true };
      const work = createBoardWork({ ...parts, tradersMax: 12 });
      const { signal } = new AbortController();
      await work.enter(signal);
      for (let left = 12; left > 0; left--) {
        const userId = await store.copyBoard.nextDue(live.clock.now());
        if (left === 1) break;
        await work.replay(String(userId), signal);
      }
      // The service reads the names page by page after its start, and a trader without one is not listed.
      const ranked = (await store.copyBoard.ranked("7d", 150)).map(({ userId }) => userId);
      await eventually(
        async () => (await store.traders.byIds(ranked)).length === ranked.length,
        "the names are read",
      );
      // With another limit, so that it is not the previous answer.
      const { body, cost } = await live.get("getCopyLeaderboard", "/v2/leaderboard/copy/7d?limit=149");
      expect(cost).toBe(250);
      expect(body).toMatchObject({ replayed: 11, of: 12, complete: false, note: expect.any(String) });
      const isThin = ({ doubts }: (typeof body.traders)[number]) =>
        doubts.includes("roundTrips") || doubts.includes("coverage");
      const order = body.traders.map((row) => [isThin(row) ? 1 : 0, -row.low90Usd] as const);
      expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
      expect(body.traders.map(({ rank }) => rank)).toEqual(body.traders.map((_, index) => index + 1));
      expect(body.count).toBeGreaterThan(5);
      const last = await store.copyBoard.nextDue(live.clock.now());
      await work.replay(String(last), signal);
      expect(await store.copyBoard.standing()).toMatchObject({ traders: 12, replayed: 12 });
      const row = (await store.copyBoard.ranked("7d", 150)).find(({ userId }) => userId === last);
      const { follower, verdict } = await copyOf(String(last));
      const { pnlUsd, roi, roundTrips, orders } = follower;
      expect(row ?? null).toEqual(
        orders === 0 ? null : expect.objectContaining({ pnlUsd, roi, roundTrips, orders, verdict }),
      );
    },
    START_MS_MAX,
  );
});

type Replay = AnswerOf<Routes["createReplay"]>;
type Terms = Record<string, unknown>;

const post = (body: Terms, key: "scale" | "growth" = "scale") =>
  live.get("createReplay", "/v2/replays", { method: "POST", body, key });

async function ordersOf({ id }: Replay) {
  const orders: AnswerOf<Routes["listReplayOrders"]>["orders"] = [];
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const page: AnswerOf<Routes["listReplayOrders"]> = (
      await live.get("listReplayOrders", `/v2/replays/${id}/orders?cursor=${cursor}`)
    ).body;
    orders.push(...page.orders);
    cursor = page.nextCursor;
  }
  return orders;
}

describe("a replay with custom terms", () => {
  test("equals /copy with the same terms, and is charged once", async () => {
    const [trader = ""] = busy;
    const size = { mode: "fixed", value: 137 };
    const { from: _, asOf, bridge, ladder, follower } = await copyOf(trader, "&size=137");
    const first = await post({ trader, window: "7d", size });
    expect(first.body).toMatchObject({ status: "done", progressPct: 100, handle: trader, asOf });
    expect(first.body.answer).toMatchObject({ bridge, ladder, follower });
    const isMiss = first.body.answer?.verdict === "too_few";
    expect([first.cost, first.body.creditsCharged]).toEqual(isMiss ? [250, 250] : [1_250, 1_250]);
    const left = await live.remaining();
    const again = await post({ window: "7d", size, trader: `@${trader.toUpperCase()}` });
    expect(again.body).toEqual(first.body);
    expect((await live.get("getReplay", `/v2/replays/${first.body.id}`)).body).toEqual(first.body);
    expect([again.cost, await live.remaining()]).toEqual([0, left]);
  });

  test("lists every order, filled or skipped, so that the sum can be recomputed", async () => {
    const [trader = ""] = busy;
    const now = live.clock.now();
    const endingAt = async (to: number) => {
      const { body } = await post({
        trader,
        from: new Date(now - 2 * DAY_MS).toISOString(),
        to: new Date(to).toISOString(),
        capitalUsd: 400,
        size: { mode: "share", value: 50, maxUsd: 120 },
        exit: "rules",
        maxHoldSeconds: 60,
        filters: { firstBuyOnly: true },
      });
      const orders = await ordersOf(body);
      const made = (wanted: "buy" | "sell") =>
        orders.filter(({ side, skipped }) => side === wanted && skipped === null);
      return { body, orders, bought: made("buy"), sold: made("sell") };
    };
    // Anything bought in the last minute is still held: the end is chosen so that nothing is.
    let ended = await endingAt(now - DAY_MS);
    for (let minutes = 7; ended.bought.length !== ended.sold.length && minutes < 90; minutes += 7)
      ended = await endingAt(now - DAY_MS - minutes * MINUTE_MS);
    const { body, orders, bought, sold } = ended;
    const filled = orders.filter(({ skipped }) => skipped === null);
    expect(orders.map(({ index }) => index)).toEqual(orders.map((_, index) => index));
    expect([orders.length, filled.length]).toEqual([body.orders, Number(body.answer?.follower.orders)]);
    expect(filled.length).toBeGreaterThan(0);
    const skips = Object.entries(Object.groupBy(orders, ({ skipped }) => skipped ?? "none"));
    const counted = skips.map(([reason, those]) => ({ reason, count: those?.length }));
    expect(body.answer?.skipped).toEqual(
      expect.arrayContaining(counted.filter(({ reason }) => reason !== "none")),
    );
    for (const { at, tickAt, source } of filled)
      if (source === "tape") expect(tickAt && tickAt <= at).toBe(true);
    expect(new Set(sold.map(({ cause }) => cause))).toEqual(new Set(["maxHold"]));
    const paid = bought.reduce((sum, { usd, feeUsd }) => sum + usd + feeUsd, 0);
    const received = sold.reduce((sum, { usd, feeUsd }) => sum + usd - feeUsd, 0);
    expect(bought.length).toBe(sold.length);
    expect(received - paid).toBeCloseTo(Number(body.answer?.bridge.netUsd), 2);
  });

  test("of several traders is one account, and with one of them the same replay", async () => {
    const [trader = "", other = ""] = busy;
    const alone = await post({ trader, window: "7d", delaySeconds: 9 });
    const named = await post({ traders: [trader], window: "7d", delaySeconds: 9 });
    expect(named.body).toEqual(alone.body);
    const { body } = await post({ traders: [trader, other], window: "7d", capitalUsd: 250 });
    expect([body.handle, body.leaders.map(({ handle }) => handle)]).toEqual([null, [trader, other]]);
    expect(body.fills).toBe(body.leaders.reduce((sum, { fills }) => sum + fills, 0));
    const orders = await ordersOf(body);
    expect(new Set(orders.map(({ handle }) => handle))).toEqual(new Set([trader, other]));
    let cash = 250;
    for (const { side, skipped, usd, feeUsd } of orders) {
      if (skipped !== null) continue;
      cash += side === "buy" ? -usd - feeUsd : usd - feeUsd;
      if (side === "buy") expect(cash).toBeGreaterThan(-1e-6);
    }
  });

  /** Done, even if it takes longer than a call waits. */
  const doneReplay = async (terms: Terms): Promise<Replay> => {
    const { body } = await post(terms);
    const asked = async () => (await live.get("getReplay", `/v2/replays/${body.id}`)).body;
    await eventually(async () => (await asked()).status === "done", "the replay is done");
    return asked();
  };

  test("of the leaderboard's leaders follows each choice until the next one", async () => {
    await live.caughtUp();
    const from = new Date(live.clock.now() - 2 * DAY_MS).toISOString();
    // Anything older than the feeds is captured with a requested trader's books, after the answer.
    for (const handle of busy) await copyOf(handle);
    const { fills } = live.service.store;
    await eventually(
      async () => ((await fills.oldestAt()) ?? Number.POSITIVE_INFINITY) < Date.parse(from),
      "fills of before the first choice are captured",
    );
    const select = { board: "24h", top: 3, every: "1d" };
    const body = await doneReplay({ select, from });
    expect(body.terms.select).toEqual(select as never);
    const next = new Date(Date.parse(from) + DAY_MS).toISOString();
    expect(body.choices?.map(({ at }) => at)).toEqual([from, next]);
    for (const { traders } of body.choices ?? []) expect(traders.length).toBeWithin(1, 4);
    const chosenAt = (at: string) =>
      body.choices
        ?.filter((choice) => choice.at <= at)
        .at(-1)
        ?.traders.map(({ handle }) => handle);
    const orders = await ordersOf(body);
    expect(orders.length).toBeGreaterThan(0);
    for (const { side, handle, leaderAt } of orders)
      if (side === "buy") expect(chosenAt(String(leaderAt))).toContain(handle);
  });

  test("of the leaders names those that only the platform knows so far", async () => {
    await live.caughtUp();
    // As right after a start, before the directory is read.
    const known = spyOn(live.service.store.traders, "byId").mockResolvedValue(null);
    try {
      const from = new Date(live.clock.now() - 2 * DAY_MS).toISOString();
      const body = await doneReplay({ select: { board: "24h", top: 2, every: "1d" }, from });
      const names = new Map(everyUser(live.platform).map(({ userId, handle }) => [String(userId), handle]));
      const chosen = body.choices?.flatMap(({ traders }) => traders) ?? [];
      expect(chosen.length).toBeGreaterThan(0);
      for (const each of [...chosen, ...body.leaders])
        expect(each.handle).toBe(names.get(String(each.userId)) ?? "");
    } finally {
      known.mockRestore();
    }
  });

  test("of the leaders keeps one who has left since, without a name", async () => {
    await live.caughtUp();
    const now = live.clock.now();
    const from = new Date(now - 2 * DAY_MS).toISOString();
    const replayed = (minutesAgo: number) => {
      const to = new Date(now - minutesAgo * MINUTE_MS).toISOString();
      const select = { board: "24h", top: 3, every: "1d" };
      return doneReplay({ select, from, to });
    };
    const boughtIn = async (replay: Replay) => (await ordersOf(replay)).filter(({ side }) => side === "buy");
    // Books are live; for a trader who leaves, the books captured by then are used, which may lack the last minutes.
    const settledBy = new Date(now - 2 * HOUR_MS).toISOString();
    type Order = Awaited<ReturnType<typeof boughtIn>>[number];
    const settled = (orders: Order[]) => orders.filter(({ leaderAt }) => String(leaderAt) < settledBy);
    /** As if the platform no longer knew them. Books of a moment that was requested before are cached. */
    const without = async (userId: string | null) => {
      const { books } = live.platform.api;
      const asked = spyOn(live.platform.api, "books").mockImplementation((of, at) =>
        of === userId ? undefined : books?.(of, at),
      );
      try {
        return await replayed(2);
      } finally {
        asked.mockRestore();
      }
    };
    // The service itself captures older trades only when it has a reason to request them, and the choices change with them.
    await captureEveryTrade();
    const before = await replayed(1);
    const bought = settled(await boughtIn(before));
    const chosen = before.choices?.flatMap(({ traders }) => traders) ?? [];
    const gone = chosen.find(({ handle }) => bought.some((order) => order.handle === handle));
    const own = bought.filter((order) => order.handle === gone?.handle);
    expect(own.length).toBeGreaterThan(0);
    const after = await without(String(gone?.userId));
    const nameless = { handle: null, userId: null };
    expect(after.choices).toEqual(
      before.choices?.map((choice) => ({
        ...choice,
        traders: choice.traders.map((place) =>
          place.userId === gone?.userId ? { ...place, ...nameless } : place,
        ),
      })) as never,
    );
    expect(after.leaders.filter((leader) => leader.handle === null).length).toBe(1);
    const copied = await boughtIn(after);
    const unnamed = settled(copied).filter((order) => order.handle === null);
    expect(unnamed.map(({ leaderAt }) => leaderAt)).toEqual(own.map(({ leaderAt }) => leaderAt));
    expect(JSON.stringify([after, copied])).not.toContain(String(gone?.handle));
  });

  test("refuses wrong terms in a sentence that names the field, for nothing", async () => {
    const [trader] = busy;
    const wrong: [string, Terms][] = [
      ["trader", {}],
      ["traders", { traders: [] }],
      ["traders", { traders: Array.from({ length: 26 }, (_, place) => `t${place}`) }],
      ["traders", { traders: [trader, `@${trader}`] }],
      ["traders", { trader, traders: [trader] }],
      ["select", { trader, select: {} }],
      ["select", { traders: [trader], select: {} }],
      ["select.top", { select: { top: 26 } }],
      ["select.every", { select: { every: "1h" } }],
      ["select.board", { select: { board: "copy" } }],
      ["size.value", { trader, size: { value: -5 } }],
      ["size.mode", { trader, size: { mode: "all" } }],
      ["size.much", { trader, size: { much: 1 } }],
      ["size.maxUsd", { trader, size: { minUsd: 5, maxUsd: 4 } }],
      ["size", { trader, size: 100 }],
      ["delaySeconds", { trader, delaySeconds: 3_601 }],
      ["filters.maxOpen", { trader, filters: { maxOpen: 0 } }],
      ["filters.chains", { trader, filters: { chains: ["nowhere"] } }],
      ["costs.botFeeBps", { trader, costs: { botFeeBps: 1.5 } }],
      ["exit", { trader, exit: "rules" }],
      ["window", { trader, window: "7d", from: "2026-05-01" }],
      ["from", { trader, to: "2026-05-01" }],
      ["to", { trader, from: "2026-05-02", to: "2026-05-01" }],
      ["from", { trader, from: "2025-05-02", to: "2026-05-01" }],
      ["to", { trader, from: "2026-05-02", to: "2036-05-01" }],
      ["leverage", { trader, leverage: 3 }],
    ];
    for (const [param, body] of wrong) {
      const refused = await live.refused("/v2/replays", { method: "POST", body });
      expect([refused.status, refused.body.param, refused.cost]).toEqual([400, param, 0]);
      expect(refused.body.message).toContain(param);
    }
  });

  test("stays when its account has many, even on a node whose clock is behind", async () => {
    const { database } = live.service.store;
    const key = await live.makeKey({ plan: "scale" });
    const at = live.clock.now() + SECOND_MS;
    for (let index = 0; index < 205; index++) {
      const name = { accountId: key.accountId, replayId: `rpl_${index}`, holder: "another node" };
      await database.write(async (tx) => {
        await holdReplay(tx, name, "{}", at);
        await finishReplay(tx, name, { answer: "{}", orders: 0, credits: 0 }, at);
      });
    }
    const made = await live.ask("/v2/replays", {
      method: "POST",
      body: { trader: busy[0], window: "24h" },
      key,
    });
    expect([made.status, (made.body as Replay).status]).toEqual([200, "done"]);
    expect(await live.ask(`/v2/replays/${(made.body as Replay).id}`, { key })).toMatchObject({ status: 200 });
    const ofAccount = sql`FROM replay WHERE account_id = ${key.accountId}`;
    expect(await countOf(database.read, ofAccount)).toBe(201);
  });

  test("is visible to its own account only", async () => {
    const { body } = await post({ trader: busy[1], window: "24h" });
    for (const path of [`/v2/replays/${body.id}`, `/v2/replays/${body.id}/orders`])
      expect((await live.refused(path, { key: "growth" })).status).toBe(404);
    expect((await live.refused(`/v2/replays/${body.id}`, { key: "growth", method: "DELETE" })).status).toBe(
      404,
    );
  });

  test("continues as a 202, can be cancelled for free, and requested again", async () => {
    const body = { trader: busy[2], window: "24h", delaySeconds: 7 };
    // Books of a moment that was not requested before have to be fetched.
    await pass(MINUTE_MS);
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { books: read } = live.platform.api;
    const books = spyOn(live.platform.api, "books").mockImplementation((async (
      userId: string,
      at: number,
    ) => {
      await blocked;
      return read?.(userId, at);
    }) as never);
    const left = await live.remaining("growth");
    const others = [31, 32, 33, 34].map((delaySeconds) =>
      live.ask("/v2/replays", { method: "POST", body: { ...body, delaySeconds }, key: "scale" }),
    );
    const asked = live.ask("/v2/replays", { method: "POST", body, key: "growth" });
    await eventually(() => books.mock.calls.length > 0, "the replay is at work");
    const second = await live.ask("/v2/replays", { method: "POST", body, key: "growth" });
    const { id } = second.body as Replay;
    expect([second.status, (second.body as Replay).status]).toEqual([202, "running"]);
    const cancelling = live.get("cancelReplay", `/v2/replays/${id}`, { method: "DELETE", key: "growth" });
    await eventually(
      async () =>
        (await live.get("getReplay", `/v2/replays/${id}`, { key: "growth" })).body.status === "cancelled",
      "the replay is cancelled",
    );
    release();
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 429, 429]);
    expect((await cancelling).body.status).toBe("cancelled");
    expect((await asked).status).toBe(409);
    books.mockRestore();
    expect(await live.remaining("growth")).toBe(left);
    const done = await post(body, "growth");
    expect([done.body.id, done.body.status]).toEqual([id, "done"]);
  });
});

type Follow = AnswerOf<Routes["getFollow"]>;

const follow = (body: Terms, key: "scale" | "growth" | { secret: string } = "scale") =>
  live.get("createFollow", "/v2/follows", { method: "POST", body, key });
const followOf = async ({ id }: Follow): Promise<Follow> =>
  (await live.get("getFollow", `/v2/follows/${id}`)).body;
const paperOf = async ({ id }: Follow, cursor = "start") =>
  (await live.get("listFollowOrders", `/v2/follows/${id}/orders?cursor=${cursor}`)).body;

/** The world continues, and the service with it. */
async function pass(milliseconds: number) {
  live.clock.push(milliseconds);
  await live.platform.advance();
  await live.caughtUp();
}

describe("a paper follow", () => {
  test(
    "has the orders of a replay over the same time, and pays for each hundred filled",
    async () => {
      const [trader = ""] = busy;
      const how = { trader, capitalUsd: 20_000, delaySeconds: 10, costs: { networkFeeUsd: 0.05 } };
      const made = await follow({ ...how, stopLossPct: 10, maxHoldSeconds: 900 });
      expect([made.status, made.cost]).toEqual([201, 0]);
      expect(made.body).toMatchObject({ status: "active", handle: trader, orders: 0, pnlUsd: 0, roi: null });
      // Long enough for a few orders, whatever the leader does.
      for (let part = 0; part < 18 || (part < 100 && (await followOf(made.body)).filled < 5); part++)
        await pass(100 * SECOND_MS);
      const until = live.clock.now() - SETTLE_MS - 2 * MINUTE_MS;
      await eventually(
        async () => Date.parse((await followOf(made.body)).asOf) >= until,
        "the follow has come up to the world",
      );
      const path = `/v2/follows/${made.body.id}`;
      const stopped = (await live.get("stopFollow", path, { method: "DELETE" })).body;
      const { orders } = await paperOf(stopped);
      const filled = orders.filter(({ skipped }) => skipped === null);
      expect([orders.length, filled.length]).toEqual([stopped.orders, stopped.filled]);
      expect(filled.length).toBeGreaterThan(4);
      expect(stopped).toMatchObject({
        status: "stopped",
        creditsCharged: 125 * Math.ceil(filled.length / 100),
      });
      await pass(2 * MINUTE_MS);
      const replayed = await post({
        ...how,
        stopLossPct: 10,
        maxHoldSeconds: 900,
        from: stopped.from,
        to: stopped.asOf,
      });
      const same = (await ordersOf(replayed.body)).filter(({ skipped }) => skipped !== "afterWindow");
      const plain = same.map(({ handle: _, ...order }) => order);
      expect(orders.map(({ bookedAt: _, correction: __, ...order }) => order)).toEqual(plain as never);
      expect(stopped.pnlUsd).toBeCloseTo(Number(replayed.body.answer?.follower.pnlUsd), 2);
    },
    START_MS_MAX,
  );

  test("is visible to its own account only, and only a limited number run at a time", async () => {
    const made = (await follow({ trader: busy[1] }, "growth")).body;
    for (const [path, method] of [
      [`/v2/follows/${made.id}`, "GET"],
      [`/v2/follows/${made.id}/orders`, "GET"],
      [`/v2/follows/${made.id}`, "DELETE"],
    ] as const)
      expect([path, (await live.refused(path, { method })).status]).toEqual([path, 404]);
    for (let more = 1; more < 10; more++) await follow({ trader: busy[1] }, "growth");
    const refused = await live.refused("/v2/follows", {
      method: "POST",
      body: { trader: busy[1] },
      key: "growth",
    });
    expect([refused.status, refused.cost]).toEqual([409, 0]);
    const { body } = await live.get("listFollows", "/v2/follows", { key: "growth" });
    expect([body.count, body.limit]).toEqual([10, 10]);
    for (const { id } of body.follows)
      await live.get("stopFollow", `/v2/follows/${id}`, { method: "DELETE", key: "growth" });
  });

  test("refuses wrong terms in a sentence that names the field, and an unknown trader", async () => {
    for (const [param, body] of [
      ["trader", {}],
      ["window", { trader: busy[0], window: "7d" }],
      ["size.maxUsd", { trader: busy[0], size: { minUsd: 5, maxUsd: 4 } }],
      ["exit", { trader: busy[0], exit: "rules" }],
    ] as const) {
      const refused = await live.refused("/v2/follows", { method: "POST", body });
      expect([refused.status, refused.body.param, refused.cost]).toEqual([400, param, 0]);
    }
    const unknown = await live.refused("/v2/follows", { method: "POST", body: { trader: "nobody_at_all" } });
    expect(unknown.status).toBe(404);
  });
});
