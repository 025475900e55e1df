// Lists are capped as the platform caps them, walks neither repeat nor skip anything, and a cursor works only where it was
// issued.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { WireAppItem, WireSwap, WireTradesPage } from "../../protocol/protocol.ts";
import { NETWORKS } from "../world/networks.ts";
import { smallWorld } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";
import { BadCursor } from "./cursors.ts";
import { closedCount } from "./pnl.ts";
import { View } from "./view.ts";

// Few traders and many fills: the busiest has closed several times as many positions as one walk can show.
const world = smallWorld("many pages", { seconds: 26_000, rate: 1, traders: 30 });
world.advance(Number.POSITIVE_INFINITY);
const api = createApi(world);
const busiest = api.leaderboard("all").rows.sort((a, b) => b.trades - a.trades)[0]?.userId ?? "";
const CURSOR = /^[A-Za-z0-9_.:-]{1,160}$/;

function walkTrades(query: { networkId?: number; sort: "recent" | "pnl" }): WireTradesPage[] {
  const pages: WireTradesPage[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = api.trades(busiest, cursor === undefined ? query : { ...query, cursor });
    if (!page) throw new Error("the trader is gone");
    pages.push(page);
    if (page.nextCursor === null) return pages;
    expect(page.nextCursor).toMatch(CURSOR);
    cursor = page.nextCursor;
  }
}

const idsOf = (pages: WireTradesPage[]) => pages.flatMap((page) => page.closed.map((trade) => trade.tradeId));

describe("trades", () => {
  test("come 25 per page, eight pages deep, with the open ones on the first", () => {
    const pages = walkTrades({ sort: "recent" });
    expect(pages).toHaveLength(8);
    expect(pages.every((page) => page.closed.length === 25)).toBe(true);
    expect(pages[0]?.open.length).toBeGreaterThan(0);
    expect(pages.slice(1).every((page) => page.open.length === 0)).toBe(true);
    expect(pages[0]?.closedTotal).toBeGreaterThan(400);
    expect(new Set(idsOf(pages)).size).toBe(200);
  });

  test("are in the requested order", () => {
    const recent = walkTrades({ sort: "recent" }).flatMap((page) =>
      page.closed.map((trade) => trade.closedAt as number),
    );
    expect(recent).toEqual([...recent].sort((a, b) => b - a));
    const best = walkTrades({ sort: "pnl" }).flatMap((page) =>
      page.closed.map((trade) => trade.realizedPnlUsd ?? 0),
    );
    expect(best).toEqual([...best].sort((a, b) => b - a));
  });

  test("of all networks and both orders together are several times as many as one walk shows", () => {
    const found = new Set<string>();
    let total = 0;
    for (const { id } of NETWORKS) {
      total += api.trades(busiest, { sort: "recent", networkId: id })?.closedTotal ?? 0;
      for (const sort of ["recent", "pnl"] as const) {
        const pages = walkTrades({ networkId: id, sort });
        for (const page of pages) for (const trade of page.closed) expect(trade.token.networkId).toBe(id);
        for (const tradeId of idsOf(pages)) found.add(tradeId);
      }
    }
    expect(total).toBe(api.trades(busiest, { sort: "recent" })?.closedTotal as number);
    expect(found.size).toBeGreaterThan(2 * 200);
  });

  test("that close between two pages are not repeated", () => {
    const growing = smallWorld("growing", { seconds: 20_000, rate: 1, traders: 30 });
    growing.advance(growing.context.genesis + 15_000_000);
    const before = createApi(growing);
    const trader = before.leaderboard("all").rows.sort((a, b) => b.trades - a.trades)[0]?.userId ?? "";
    const first = before.trades(trader, { sort: "recent" });
    growing.advance(growing.context.genesis + 20_000_000);
    const second = before.trades(trader, { sort: "recent", cursor: first?.nextCursor ?? "" });
    expect(before.trades(trader, { sort: "recent" })?.closedTotal).toBeGreaterThan(
      first?.closedTotal as number,
    );
    const seen = new Set(first?.closed.map((trade) => trade.tradeId));
    const oldest = first?.closed.at(-1)?.closedAt as number;
    for (const trade of second?.closed ?? []) {
      expect(seen.has(trade.tradeId)).toBe(false);
      expect(trade.closedAt as number).toBeLessThanOrEqual(oldest);
    }
  });
});

test("a closed position is counted once it is listed", () => {
  const fresh = smallWorld("late counts", { seconds: 600, rate: 4, traders: 40 });
  const platform = createApi(fresh);
  const view = new View(fresh);
  let late = 0;
  for (let second = 20; second <= 600; second += 20) {
    fresh.advance(fresh.context.genesis + second * 1000);
    for (const { index } of fresh.context.population.traders) {
      for (const { id } of NETWORKS) {
        const page = platform.trades(view.userId(index), { sort: "recent", networkId: id });
        if (page?.nextCursor === null) expect(page.closed).toHaveLength(page.closedTotal);
      }
      const all = platform.trades(view.userId(index), { sort: "recent" });
      late += closedCount(view, index) - (all?.closedTotal ?? 0);
    }
  }
  // Some were closed before they were listed, or this test proves nothing.
  expect(late).toBeGreaterThan(0);
});

test("a third of new positions are in the feed before they are listed, and none a minute later", () => {
  const fresh = smallWorld("late lists", { seconds: 2_400, rate: 0.7, traders: 300 });
  const platform = createApi(fresh);
  fresh.advance(fresh.context.genesis + 600_000);
  const listed = ({ userId, tradeId }: { userId: string | null; tradeId: string | null }) => {
    const page = platform.trades(userId ?? "", { sort: "recent" });
    return [...(page?.open ?? []), ...(page?.closed ?? [])].some((row) => row.tradeId === tradeId);
  };
  const known = new Set<string | null>();
  const late: WireAppItem[] = [];
  let position = platform.appFeed(0, 1).newest;
  let opened = 0;
  for (let second = 601; second <= 2_300; second++) {
    fresh.advance(fresh.context.genesis + second * 1000);
    for (const { position: at, item } of platform.appFeed(position, 1000).items) {
      position = at;
      // A late first fill, as one in a hundred is, says nothing about the list.
      const isNew = item.kind === "buy" && !known.has(item.tradeId) && fresh.time - item.at < 2_000;
      known.add(item.tradeId);
      if (!isNew || platform.trade(item.tradeId ?? "")?.swaps.length !== 1) continue;
      opened++;
      if (!listed(item)) late.push(item);
    }
  }
  expect(opened).toBeGreaterThan(250);
  expect(late.length / opened).toBeWithin(0.25, 0.42);
  fresh.advance(fresh.context.genesis + 2_400_000);
  expect(late.filter((item) => !listed(item))).toEqual([]);
});

describe("other lists", () => {
  test("swaps come 100 per page, latest first, each once", () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = api.swaps(busiest, cursor === undefined ? {} : { cursor });
      expect(page?.rows.length).toBeLessThanOrEqual(100);
      for (const swap of page?.rows ?? []) seen.push(swap.swapId);
      if (!page?.nextCursor) break;
      expect(page.rows).toHaveLength(100);
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(api.userById(busiest)?.swapCount as number);
  });

  test("fills are in the order of their blocks, even those that a re-org moved", () => {
    // Everybody trades every few seconds, so that a moved fill overlaps with others of the same trader.
    const busy = smallWorld("moved fills", { seconds: 1_200, rate: 8, traders: 30 });
    busy.advance(Number.POSITIVE_INFINITY);
    const platform = createApi(busy);
    for (const { userId, swapCount } of platform.users().rows) {
      const fills: WireSwap[] = [];
      let cursor: string | undefined;
      do {
        const page = platform.swaps(userId, cursor === undefined ? {} : { cursor });
        fills.push(...(page?.rows ?? []));
        cursor = page?.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(fills.map((fill) => fill.at)).toEqual(fills.map((fill) => fill.at).sort((a, b) => b - a));
      expect(new Set(fills.map((fill) => fill.swapId)).size).toBe(swapCount);
      for (const tradeId of new Set(fills.map((fill) => fill.tradeId))) {
        const times = platform.trade(tradeId)?.swaps.map((swap) => swap.at) ?? [];
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }
    }
  });

  test("following stops at 200 names in pages of 50, the follower sample at 200; totals are true", () => {
    const crowd = createApi(smallWorld("crowd", { seconds: 1, rate: 1, traders: 1_500 }));
    const users = crowd.users().rows;
    const keen = users.sort((a, b) => Number(b.following) - Number(a.following))[0];
    expect(keen?.following).toBeGreaterThan(200);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = crowd.following(keen?.userId ?? "", cursor);
      expect(page?.rows.length).toBeLessThanOrEqual(50);
      expect(page?.total).toBe(keen?.following as number);
      names.push(...(page?.rows ?? []).map((person) => person.userId));
      cursor = page?.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(names).toHaveLength(200);
    const star = users.sort((a, b) => Number(b.followers) - Number(a.followers))[0];
    const sample = crowd.followers(star?.userId ?? "");
    expect(sample?.total).toBe(star?.followers as number);
    expect(sample?.total).toBeGreaterThan(200);
    expect(sample?.rows).toHaveLength(200);
  });

  test("theses come 95 per page; only the global list has no likes", () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = api.theses(cursor === undefined ? {} : { cursor });
      pages++;
      for (const thesis of page.rows) {
        expect("likes" in thesis).toBe(false);
        expect(seen.has(thesis.id)).toBe(false);
        expect(thesis.text).not.toMatch(/[{}]|undefined|NaN/);
        seen.add(thesis.id);
      }
      if (page.nextCursor !== null) expect(page.rows).toHaveLength(95);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    const [first] = api.theses({}).rows;
    const ofToken = api.tokenTheses(first?.token.address ?? "", { page: 1, sort: "recent" });
    expect(ofToken?.rows.some((thesis) => thesis.id === first?.id && typeof thesis.likes === "number")).toBe(
      true,
    );
    const ofUser = api.userTheses(first?.userId ?? "", {});
    expect(ofUser?.rows.some((thesis) => thesis.id === first?.id)).toBe(true);
  });

  test("the directory has everybody once, the oldest account first", () => {
    const crowd = createApi(smallWorld("directory", { seconds: 1, rate: 1, traders: 1_200 }));
    const created: number[] = [];
    const handles = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = crowd.users(cursor);
      expect(page.rows.length).toBeLessThanOrEqual(500);
      for (const user of page.rows) {
        created.push(user.createdAt);
        handles.add(user.handle.toLowerCase());
        expect(user.handle).toMatch(/^[a-z0-9_]{3,20}$/);
        for (const former of user.formerHandles) expect(crowd.userByHandle(former)?.userId).toBe(user.userId);
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(handles.size).toBe(1_200);
    expect(created).toEqual([...created].sort((a, b) => a - b));
  });

  test("comments belong to a thesis, replies to an earlier comment, and their number is given", () => {
    const talked = api.theses({}).rows.filter((thesis) => (thesis.replies ?? 0) > 3);
    expect(talked.length).toBeGreaterThan(0);
    for (const thesis of talked.slice(0, 10)) {
      const rows = api.comments(thesis.tradeId)?.rows ?? [];
      expect(rows.length).toBe(Number(thesis.replies));
      const seen = new Set<string>();
      for (const comment of rows) {
        if (comment.parentId !== null) expect(seen.has(comment.parentId)).toBe(true);
        expect(comment.createdAt).toBeGreaterThanOrEqual(thesis.createdAt);
        seen.add(comment.id);
      }
    }
  });
});

describe("cursors", () => {
  test("that were made up, altered or issued elsewhere are refused", () => {
    const good = api.trades(busiest, { sort: "recent" })?.nextCursor ?? "";
    expect(() => api.trades(busiest, { sort: "pnl", cursor: good })).toThrow(BadCursor);
    expect(() => api.swaps(busiest, { cursor: good })).toThrow(BadCursor);
    expect(() => api.users(good)).toThrow(BadCursor);
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (cursor) => {
        expect(() => api.trades(busiest, { sort: "recent", cursor })).toThrow(BadCursor);
        expect(() => api.theses({ cursor })).toThrow(BadCursor);
      }),
    );
  });

  test("are the same in the same world after a restart", () => {
    const again = smallWorld("many pages", { seconds: 26_000, rate: 1, traders: 30 });
    again.advance(Number.POSITIVE_INFINITY);
    const cursor = api.trades(busiest, { sort: "pnl" })?.nextCursor ?? "";
    const expected = api.trades(busiest, { sort: "pnl", cursor });
    expect(createApi(again).trades(busiest, { sort: "pnl", cursor })).toEqual(expected as WireTradesPage);
  });
});

test("unknown subjects are not found", () => {
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect(api.userById(unknown)).toBeUndefined();
  expect(api.userByHandle("nobody_at_all")).toBeUndefined();
  expect(api.trade(unknown)).toBeUndefined();
  expect(api.trades(unknown, { sort: "recent" })).toBeUndefined();
  expect(api.token("So11111111111111111111111111111111111111112")).toBeUndefined();
  expect(api.tokenStats("0x0000000000000000000000000000000000000000")).toBeUndefined();
});
