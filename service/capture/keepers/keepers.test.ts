import { describe, expect, test } from "bun:test";
import { createPace } from "../../../kit/pace.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Board } from "../../../protocol/shapes/board.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { appEvent, fill, MIDNIGHT, position, token, trader } from "../../../test/support/nouns.ts";
import { testClock } from "../../../test/support/steered-clock.ts";
import { hourOf } from "../../model/tape.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import type { Capture } from "../capture.ts";
import { captureOn, closedAfterEach } from "../test-support.ts";
import { scriptedUpstream } from "../test-upstream.ts";
import { boardsKeeper } from "./boards.ts";
import type { RetentionDays } from "./retention.ts";

const { cleanUps, openStore } = closedAfterEach();

function begin(upstream: Upstream, store: Store, retentionDays?: RetentionDays): Capture {
  const capture = captureOn(upstream, store, retentionDays ? { retentionDays } : {});
  cleanUps.push(() => capture.stop());
  capture.start();
  return capture;
}

const rounds = (capture: Capture, name: string) =>
  capture.status().keepers.find((keeper) => keeper.name === name)?.rounds ?? 0;

describe("the boards keeper", () => {
  const row = {
    rank: 1,
    token: appEvent().token,
    holders: 1,
    priceUsd: 1,
    change24h: 0,
    marketCapUsd: 1,
    volume24hUsd: 1,
  };
  const board = (asOf: number, rows: unknown[]) => ({ board: "trending", asOf, rows }) as Board;

  test("an empty or failed answer never replaces a good board, and the others are kept all the same", async () => {
    const store = await openStore();
    let answer: Board | null = board(1, [row]);
    const upstream: Upstream = {
      ...scriptedUpstream(),
      board: async (name) =>
        answer && name === "trending" ? { kind: "found", value: answer } : { kind: "timedOut" },
      leaderboard: async () => ({ kind: "found", value: { asOf: 1, rows: [] } }),
    };
    const keeper = boardsKeeper({
      upstream,
      store,
      clock: testClock,
      pages: createPace(testClock, 1_000),
    });
    const round = () => keeper.round(new AbortController().signal).catch(() => undefined);
    await round();
    expect((await store.boards.find("trending"))?.value.asOf).toBe(1);
    for (const bad of [null, board(2, [])]) {
      answer = bad;
      await round();
      expect((await store.boards.find("trending"))?.value.asOf).toBe(1);
    }
    answer = board(3, [row]);
    await round();
    expect((await store.boards.find("trending"))?.value.asOf).toBe(3);
    expect(await store.leaderboards.find("24h")).toBeNull();
  });
});

describe("retention", () => {
  test("what is older than the settings is forgotten, in chunks; the rest stays", async () => {
    const store = await openStore();
    const lease = await store.leases.acquire("test", "test", 60_000);
    if (!lease) throw new Error("no lease");
    const now = testClock.now();
    // Of a kind that makes no fills, so that nothing is derived while old things are forgotten.
    const listing = () => appEvent({ kind: "listing", userId: null, handle: null, tradeId: null });
    const old = Array.from({ length: 1_200 }, listing);
    await store.log.append(lease, { events: old, capturedAt: now - 10 * DAY_MS });
    await store.log.append(lease, { events: [listing()], capturedAt: now });
    const hourAt = (at: number) => ({ hour: hourOf(at), ticks: [], covered: [], readAt: now });
    await store.tape.save(token(), [hourAt(now - 8 * DAY_MS), hourAt(now)], 1e6);
    await store.fills.save([fill({ at: now - 40 * DAY_MS }), fill({ at: now })]);
    const closed = { status: "closed", closedAt: MIDNIGHT } as const;
    await store.positions.save(
      [
        position({ ...closed, tradeId: "old-closed", lastActivityAt: now - 40 * DAY_MS }),
        position({ tradeId: "old-open", lastActivityAt: now - 40 * DAY_MS }),
      ],
      now,
    );
    const capture = begin(scriptedUpstream(), store, { log: 5, fills: 30, tape: 7 });
    await eventually(() => rounds(capture, "retention") > 0, "retention has done a round");
    expect((await store.log.oldest()).seq).toBe(1_201);
    expect(await store.fills.count()).toBe(1);
    const hours = [hourOf(now - 8 * DAY_MS), hourOf(now)];
    expect((await store.tape.hours(token(), hours)).map(({ hour }) => hour)).toEqual([hourOf(now)]);
    expect(await store.positions.byId("old-closed")).toBeNull();
    expect(await store.positions.byId("old-open")).not.toBeNull();
  });
});

describe("the positions keeper", () => {
  test("a position that upstream no longer lists as open is asked for and closed", async () => {
    const store = await openStore();
    const someone = trader();
    const open = position({ userId: someone.userId, handle: someone.handle });
    await store.traders.save([someone], 1);
    await store.positions.save([open], 1);
    const closed = { ...open, status: "closed" as const, closedAt: MIDNIGHT + 5, soldAmount: 10 };
    const upstream: Upstream = {
      ...scriptedUpstream(),
      trades: async () => ({
        kind: "found",
        value: { open: [], closed: [], closedTotal: 30, nextCursor: null },
      }),
      trade: async () => ({ kind: "found", value: { ...closed, swaps: [], transfers: [] } }),
    };
    begin(upstream, store);
    await eventually(
      async () => (await store.positions.byId(open.tradeId))?.status === "closed",
      "the position was asked for",
    );
    // The question may be answered before the slice that raised it is marked.
    await eventually(
      async () => (await store.captures.find(someone.userId)) !== null,
      "the trader is marked",
    );
    expect(await store.captures.find(someone.userId)).toMatchObject({ openComplete: true, closedTotal: 30 });
  });
});

describe("what events leave open", () => {
  test("an unknown trader, a new handle, an unknown token and an unknown position are asked for", async () => {
    const store = await openStore();
    const now = testClock.now();
    const known = trader({ handle: "before" });
    await store.traders.save([known], 1);
    const asked: string[] = [];
    const note = (what: string) => {
      asked.push(what);
      return { kind: "notFound" } as const;
    };
    const upstream = {
      ...scriptedUpstream(),
      traderById: async (userId: string) => note(`trader ${userId}`),
      token: async (address: string) => note(`token ${address}`),
      trade: async (tradeId: string) => note(`trade ${tradeId}`),
    };
    const stranger = appEvent({ at: now });
    const renamed = appEvent({ at: now, userId: known.userId, handle: "after" });
    upstream.put("app", stranger, renamed, { ...stranger, eventId: appEvent().eventId });
    const capture = begin(upstream, store);
    const expected = [
      `trader ${stranger.userId}`,
      `trader ${known.userId}`,
      `token ${stranger.token?.address}`,
      `trade ${stranger.tradeId}`,
      `trade ${renamed.tradeId}`,
    ].sort();
    await eventually(() => asked.length >= expected.length, "all were asked for");
    await eventually(() => capture.status().derivedSeq === 3, "all events were derived");
    expect([...new Set(asked)].sort()).toEqual(expected);
  });
});
