// Conformance tests for every upstream adapter, over a live world. An adapter passes by answering as its platform
// does, to the last page, within its deadline, and by missing nothing in a feed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freshUuid } from "../../kit/ids.ts";
import { type Platform, UNSUPPORTED } from "../../protocol/protocol.ts";
import { BOARD_NAMES } from "../../protocol/shapes/board.ts";
import { FEEDS, type FeedName } from "../../protocol/shapes/event.ts";
import { PNL_WINDOWS, type Trader } from "../../protocol/shapes/trader.ts";
import type { Call, Outcome, Page, Upstream } from "./port.ts";

const CALL: Call = { deadlineMs: 10_000 };
const NOWHERE = "0x000000000000000000000000000000000000dEaD";
/** How many traders and tokens the sweeps check; each takes a dozen calls. */
const SAMPLE = 40;

interface Opened {
  platform: Platform;
  upstream: Upstream;
  close(): Promise<void>;
}

export function upstreamSuite(name: string, open: () => Promise<Opened>): void {
  describe(`${name} upstream`, () => {
    let opened: Opened;
    let upstream: Upstream;
    let traders: Trader[];
    let busiest: Trader;
    beforeAll(async () => {
      opened = await open();
      upstream = opened.upstream;
      traders = found(await upstream.users(null, CALL)).rows;
      busiest = traders.reduce((most, trader) => (trader.trades > most.trades ? trader : most));
    });
    afterAll(() => opened.close());

    test("is there, with people and tokens", async () => {
      const { users, tokens } = found(await upstream.ping(CALL));
      expect(users).toBeGreaterThan(0);
      expect(tokens).toBeGreaterThan(0);
    });

    test("gives the whole directory, everyone once", async () => {
      const people = await walk((cursor) => upstream.users(cursor, CALL));
      const tokens = await walk((cursor) => upstream.tokens(cursor, CALL));
      const status = await opened.platform.api.status();
      expect(new Set(people.map((trader) => trader.userId)).size).toBe(people.length);
      expect(people.length).toBeLessThanOrEqual(status.users);
      expect(people.length).toBeGreaterThan(status.users * 0.95);
      expect(new Set(tokens.map((token) => `${token.networkId}:${token.address}`)).size).toBe(tokens.length);
      expect(tokens.length).toBeGreaterThan(status.tokens * 0.95);
    });

    test("finds a trader by handle in any case, by a former handle and by id", async () => {
      const shouted = found(await upstream.traderByHandle(busiest.handle.toUpperCase(), CALL));
      expect(shouted.userId).toBe(busiest.userId);
      expect(found(await upstream.traderById(busiest.userId, CALL)).handle).toBe(busiest.handle);
      const people = await walk((cursor) => upstream.users(cursor, CALL));
      const renamed = people.find((trader) => trader.formerHandles.length > 0);
      if (!renamed) throw new Error("the world should have someone who was renamed");
      const former = found(await upstream.traderByHandle(renamed.formerHandles[0] ?? "", CALL));
      expect(former.userId).toBe(renamed.userId);
    });

    test("returns notFound for unknown subjects", async () => {
      const missing = freshUuid();
      const outcomes = await Promise.all([
        upstream.traderByHandle("nobody-has-this-handle", CALL),
        upstream.traderById(missing, CALL),
        upstream.trades(missing, { sort: "recent" }, CALL),
        upstream.balances(missing, CALL),
        upstream.following(missing, null, CALL),
        upstream.followers(missing, CALL),
        upstream.spotlight(missing, CALL),
        upstream.swaps(missing, {}, CALL),
        upstream.userTheses(missing, {}, CALL),
        upstream.trade(missing, CALL),
        upstream.comments(missing, null, CALL),
        upstream.token(NOWHERE, null, CALL),
        upstream.tokenStats(NOWHERE, null, CALL),
        upstream.tokenDevs(NOWHERE, null, CALL),
        upstream.tokenTheses(NOWHERE, { page: 1 }, CALL),
      ]);
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(outcomes.map(() => "notFound"));
    });

    test("walks a trader's positions: open ones first, 25 closed a page, no more than eight pages", async () => {
      for (const sort of ["recent", "pnl"] as const) {
        const seen = new Set<string>();
        let cursor: string | null = null;
        let pages = 0;
        do {
          const query: { sort: "recent" | "pnl"; cursor?: string } = cursor ? { sort, cursor } : { sort };
          const page = found(await upstream.trades(busiest.userId, query, CALL));
          expect(page.closed.length).toBeLessThanOrEqual(25);
          expect(page.closed.every((position) => position.status === "closed")).toBe(true);
          if (pages > 0) expect(page.open).toEqual([]);
          for (const position of page.closed) {
            expect(seen.has(position.tradeId)).toBe(false);
            seen.add(position.tradeId);
          }
          cursor = page.nextCursor;
          pages += 1;
        } while (cursor !== null);
        expect(seen.size).toBeGreaterThan(0);
        expect(pages).toBeLessThanOrEqual(8);
      }
    });

    test("walks a following list in pages of 50 up to 200, and gives a sample of followers", async () => {
      const social = traders.reduce((most, trader) =>
        Number(trader.following) > Number(most.following) ? trader : most,
      );
      const first = found(await upstream.following(social.userId, null, CALL));
      expect(first.rows.length).toBe(Math.min(50, first.total));
      const all = await walk((cursor) => upstream.following(social.userId, cursor, CALL));
      expect(all.length).toBe(Math.min(200, first.total));
      const popular = traders.reduce((most, trader) =>
        Number(trader.followers) > Number(most.followers) ? trader : most,
      );
      const followers = found(await upstream.followers(popular.userId, CALL));
      expect(followers.rows.length).toBe(Math.min(200, followers.total));
    });

    test("walks swaps to the end, each once, and opens the position they belong to", async () => {
      const page = found(await upstream.swaps(busiest.userId, {}, CALL));
      expect(page.rows.length).toBeLessThanOrEqual(100);
      const fills = await walk((cursor) => upstream.swaps(busiest.userId, cursor ? { cursor } : {}, CALL));
      expect(new Set(fills.map((fill) => fill.swapId)).size).toBe(fills.length);
      const shown = found(await upstream.trades(busiest.userId, { sort: "recent" }, CALL));
      const tradeId = shown.closed[0]?.tradeId ?? shown.open[0]?.tradeId ?? "";
      const detail = found(await upstream.trade(tradeId, CALL));
      expect(detail.userId).toBe(busiest.userId);
      expect(detail.swaps.every((fill) => fill.tradeId === tradeId)).toBe(true);
    });

    test("ranks traders in every window and tokens on every board", async () => {
      for (const window of PNL_WINDOWS) {
        const { rows } = found(await upstream.leaderboard(window, null, CALL));
        expect(rows[0]?.rank).toBe(1);
        expect(rows.every((row, index) => index === 0 || row.pnlUsd <= (rows[index - 1]?.pnlUsd ?? 0))).toBe(
          true,
        );
      }
      for (const board of BOARD_NAMES) {
        const { rows } = found(await upstream.board(board, CALL));
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.every((row) => (row.holders === null) === (board === "most-held"))).toBe(true);
      }
    });

    test("walks theses and gives those of a token and of a trader", async () => {
      const first = found(await upstream.theses({}, CALL));
      expect(first.rows.every((row) => row.likes === null)).toBe(true);
      const second = found(await upstream.theses({ cursor: first.nextCursor ?? "" }, CALL));
      const ids = [...first.rows, ...second.rows].map((row) => row.id);
      expect(new Set(ids).size).toBe(ids.length);
      const [row] = first.rows;
      if (!row) throw new Error("the world should have theses");
      const ofToken = found(await upstream.tokenTheses(row.token.address, { page: 1 }, CALL));
      expect(ofToken.rows.every((other) => other.token.address === row.token.address)).toBe(true);
      const ofUser = found(await upstream.userTheses(row.userId, { token: row.token.address }, CALL));
      expect(ofUser.rows.map((other) => other.id)).toContain(row.id);
    });

    test("searches people and tokens, no more than requested", async () => {
      const byHandle = found(await upstream.search(busiest.handle, 5, CALL));
      expect(byHandle.traders.map((person) => person.userId)).toContain(busiest.userId);
      const broad = found(await upstream.search("a", 3, CALL));
      expect(broad.traders.length).toBeLessThanOrEqual(3);
      expect(broad.tokens.length).toBeLessThanOrEqual(3);
    });

    test("decodes whatever the world holds of many traders and tokens", async () => {
      for (const { userId } of sampleOf(traders)) {
        found(await upstream.balances(userId, CALL));
        found(await upstream.spotlight(userId, CALL));
        found(await upstream.userTheses(userId, {}, CALL));
        found(await upstream.swaps(userId, {}, CALL));
        const { open, closed } = found(await upstream.trades(userId, { sort: "pnl" }, CALL));
        for (const { tradeId } of [...open, ...closed].slice(0, 5)) {
          found(await upstream.trade(tradeId, CALL));
          found(await upstream.comments(tradeId, null, CALL));
        }
      }
      for (const { address, networkId } of sampleOf(found(await upstream.tokens(null, CALL)).rows)) {
        expect(found(await upstream.token(address, networkId, CALL)).networkId).toBe(networkId);
        found(await upstream.tokenStats(address, networkId, CALL));
        found(await upstream.tokenDevs(address, networkId, CALL));
        found(await upstream.tokenTheses(address, { page: 1, networkId, sort: "likes" }, CALL));
      }
    });

    test.each(FEEDS)(
      "reads the %s feed to its end in pages of any size, missing and refusing nothing",
      async (feed) => {
        const { oldest, newest } = found(await upstream.feed(feed, 0, 1, CALL));
        const after = Math.max(oldest - 1, newest - 2_000);
        const wanted = await truth(opened.platform, feed, after, newest);
        expect(wanted.length).toBeGreaterThan(100);
        expect(await eventsOf(upstream, feed, after, newest, 1_000)).toEqual(wanted);
        expect(await eventsOf(upstream, feed, newest - 100, newest, 7)).toEqual(
          await truth(opened.platform, feed, newest - 100, newest),
        );
      },
    );

    test("says when a feed moved, and what moved it is there", async () => {
      const { newest } = found(await upstream.feed("chain", 0, 1, CALL));
      await new Promise<void>((resolve, reject) => {
        const stop = upstream.watch(async (feed) => {
          if (feed !== "chain") return;
          const outcome = await upstream.feed("chain", newest, 10, CALL);
          if (outcome.kind !== "found") return reject(new Error(JSON.stringify(outcome)));
          if (outcome.value.items.length === 0) return;
          stop();
          resolve();
        });
      });
    });

    test("a deadline that has passed and a caller who left are timedOut", async () => {
      expect(await upstream.board("trending", { deadlineMs: 0 })).toEqual({ kind: "timedOut" });
      const signal = AbortSignal.abort();
      expect(await upstream.board("trending", { ...CALL, signal })).toEqual({ kind: "timedOut" });
    });

    test("a question upstream does not take is refused, not an error", async () => {
      const refused = { kind: "failed", reason: "refused" } as const;
      expect(await upstream.users("not.a.cursor", CALL)).toEqual(refused);
      expect(await upstream.trades(busiest.userId, { sort: "pnl", cursor: "zz" }, CALL)).toEqual(refused);
      expect(await upstream.search("x".repeat(500), 5, CALL)).toEqual(refused);
      expect(await upstream.feed("app", 0, 0, CALL)).toEqual(refused);
    });
  });
}

function found<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "found") throw new Error(`expected an answer, got ${JSON.stringify(outcome)}`);
  return outcome.value;
}

async function walk<Row>(page: (cursor: string | null) => Promise<Outcome<Page<Row>>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const next: Page<Row> = found(await page(cursor));
    rows.push(...next.rows);
    cursor = next.nextCursor;
  } while (cursor !== null);
  return rows;
}

function sampleOf<T>(rows: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  return rows.filter((_, index) => index % step === 0);
}

/** Which events a feed contains, read from the platform itself. */
async function truth({ api }: Platform, feed: FeedName, after: number, until: number): Promise<string[]> {
  const read = { app: api.appFeed, push: api.pushFeed, chain: api.chainFeed }[feed];
  const ids: string[] = [];
  for (let last = after; last < until; ) {
    const page = await read?.(last, 500);
    if (page === undefined || page === UNSUPPORTED) throw new Error(`the platform has no ${feed} feed`);
    const { items } = page;
    for (const { position, item } of items) if (position <= until) ids.push(`${position} ${item.eventId}`);
    last = items.at(-1)?.position ?? until;
  }
  return ids;
}

async function eventsOf(
  upstream: Upstream,
  feed: FeedName,
  after: number,
  until: number,
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  let last = after;
  while (last < until) {
    const { items } = found(await upstream.feed(feed, last, limit, CALL));
    for (const item of items) {
      if ("refused" in item)
        throw new Error(`${item.position}: ${item.refused.reason} ${item.refused.sample}`);
      if (item.position <= until) ids.push(`${item.position} ${item.event.eventId}`);
      last = item.position;
    }
  }
  return ids;
}
