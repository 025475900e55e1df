// Conformance tests for every platform that know only the protocol: answers are well-formed and agree with each other,
// declared questions are answered, others are refused as such, and feeds can be read to their end in pages of any size.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { derivedUuid } from "../kit/ids.ts";
import { DAY_MS, HOUR_MS } from "../kit/units.ts";
import { type Capabilities, QUESTION_NAMES, type QuestionName } from "./capabilities.ts";
import { type FeedBatch, readFeedPage } from "./feeds.ts";
import { type AnswerTo, type CallName, QUESTIONS } from "./questions.ts";
import type { Schema } from "./schema.ts";
import { BOARD_NAMES } from "./shapes/board.ts";
import { FEEDS, type FeedEvent, type FeedName } from "./shapes/event.ts";
import type { Position } from "./shapes/position.ts";
import { CANDLE_INTERVALS, type TokenInfo } from "./shapes/token.ts";
import { PNL_WINDOWS, type Trader } from "./shapes/trader.ts";
import { faultOf, isClose } from "./suite-positions.ts";
import { checkRankings } from "./suite-rankings.ts";
import { holdTicks } from "./suite-ticks.ts";

export type SuiteAnswer =
  | { kind: "found"; value: unknown }
  | { kind: "unknown" }
  | { kind: "unsupported" }
  | { kind: "refused" };
type SuiteParameters = Record<string, string | number>;

/** A platform to test: how it is called, and how to be notified that a feed moved. */
export interface SuiteSubject {
  ask(name: CallName, parameters: SuiteParameters): Promise<SuiteAnswer>;
  onMove(listener: (feed: FeedName) => void): () => void;
  /** Makes something happen that its feeds report, where it doesn't on its own. */
  stir?(): Promise<void>;
  close(): Promise<void>;
}

/** Some platforms start a chain of their own first, on a busy machine. */
const OPEN_MS_MAX = 120_000;

/** How many traders and tokens are looked at; each is some calls. */
const SAMPLE = 25;
/** What a feed is read back by: enough to see every kind of item on a busy platform. */
const FEED_TAIL = 2_000;
const PAGES_MAX = 50;

export function platformSuite(name: string, open: () => Promise<SuiteSubject>): void {
  describe(`${name}, as a platform`, () => {
    let subject: SuiteSubject;
    let declared: Capabilities;
    let traders: Trader[] = [];
    let tokens: TokenInfo[] = [];

    const has = (...questions: QuestionName[]) =>
      questions.every((each) => declared.questions.includes(each));
    const answer = async <Name extends CallName>(
      question: Name,
      given: SuiteParameters = {},
    ): Promise<AnswerTo<Name>> => {
      const asked = await subject.ask(question, given);
      if (asked.kind !== "found") throw new Error(`${question} ${JSON.stringify(given)}: ${asked.kind}`);
      const schema = QUESTIONS[question].answer as Schema<AnswerTo<Name>, unknown>;
      return schema.read(asked.value, "not an object", () => {
        throw new Error(`${question} ${JSON.stringify(given)} holds a row that is not in form`);
      });
    };
    /** Every page of a walk, up to a bound. */
    const walk = async <Row>(
      page: (cursor: SuiteParameters) => Promise<{ rows: Row[]; nextCursor: string | null }>,
    ): Promise<Row[]> => {
      const rows: Row[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const read: { rows: Row[]; nextCursor: string | null } = await page(
          cursor === null ? {} : { cursor },
        );
        rows.push(...read.rows);
        if (read.nextCursor === null) break;
        cursor = read.nextCursor;
      }
      return rows;
    };
    const feedPage = async (feed: FeedName, after: number, limit: number): Promise<FeedBatch> => {
      const asked = await subject.ask("feed", { feed, after, limit });
      if (asked.kind !== "found") throw new Error(`${feed} after ${after}: ${asked.kind}`);
      return readFeedPage(asked.value, feed, after, limit);
    };
    const readFeed = async (feed: FeedName, after: number, until: number, limit: number) => {
      const events: { position: number; event: FeedEvent }[] = [];
      for (let last = after; last < until; ) {
        const { items, oldest } = await feedPage(feed, last, limit);
        if (items.length === 0) break;
        for (const item of items) {
          if ("refused" in item) throw new Error(`${feed} ${item.position}: ${item.refused.reason}`);
          if (item.position <= until) events.push(item);
          expect(item.position).toBeGreaterThanOrEqual(oldest);
          last = item.position;
        }
      }
      return events;
    };

    beforeAll(async () => {
      subject = await open();
      const status = await answer("status");
      if (!status.capabilities) throw new Error("a platform has to declare its capabilities");
      declared = status.capabilities;
      if (has("users")) traders = await walk((cursor) => answer("users", cursor));
      if (has("tokens")) tokens = await walk((cursor) => answer("tokens", cursor));
    }, OPEN_MS_MAX);
    afterAll(() => subject.close(), OPEN_MS_MAX);

    test("declares each thing once, and its source for good", async () => {
      for (const list of [declared.questions, declared.feeds, declared.chains] as unknown[][])
        expect(new Set(list).size).toBe(list.length);
      expect((await answer("status")).capabilities?.source).toBe(declared.source);
    });

    test("says unsupported to what it did not declare, never an empty or made-up answer", async () => {
      for (const question of QUESTION_NAMES) {
        if (has(question)) continue;
        expect({ question, asked: (await subject.ask(question, SOMETHING[question])).kind }).toEqual({
          question,
          asked: "unsupported",
        });
      }
      for (const feed of FEEDS) {
        if (declared.feeds.includes(feed)) continue;
        expect((await subject.ask("feed", { feed, after: 0, limit: 1 })).kind).toBe("unsupported");
      }
    });

    test("answers that an unknown subject does not exist, and takes no question out of form", async () => {
      for (const [question, given] of Object.entries(MISSING) as [QuestionName, SuiteParameters][]) {
        if (!has(question)) continue;
        expect({ question, asked: (await subject.ask(question, given)).kind }).toEqual({
          question,
          asked: "unknown",
        });
      }
      if (has("users")) expect((await subject.ask("users", { cursor: "not.a.cursor" })).kind).toBe("refused");
      expect((await subject.ask("feed", { feed: "app", after: 0, limit: 0 })).kind).toBe("refused");
    });

    test("has everyone and every token once in its directory, and finds each again", async () => {
      expect(new Set(traders.map((trader) => trader.userId)).size).toBe(traders.length);
      expect(new Set(tokens.map(tokenName)).size).toBe(tokens.length);
      for (const trader of sampleOf(traders)) {
        if (has("userById"))
          expect((await answer("userById", { userId: trader.userId })).userId).toBe(trader.userId);
        if (!has("userByHandle")) continue;
        for (const handle of [trader.handle.toUpperCase(), ...trader.formerHandles.slice(0, 1)])
          expect((await answer("userByHandle", { handle })).userId).toBe(trader.userId);
      }
      for (const token of has("token") ? sampleOf(tokens) : []) {
        const { address, networkId } = token;
        expect(tokenName(await answer("token", { address, networkId }))).toBe(tokenName(token));
      }
    });

    test("walks positions, each once, whose parts add up", async () => {
      if (!has("trades")) return;
      for (const trader of sampleOf(traders)) {
        const positions: Position[] = [];
        for (let cursor: string | null = null, pages = 0; pages < PAGES_MAX; pages++) {
          const given: SuiteParameters = {
            userId: trader.userId,
            sort: "recent",
            ...(cursor === null ? {} : { cursor }),
          };
          const page: AnswerTo<"trades"> = await answer("trades", given);
          expect(page.open.every((each) => each.status === "open")).toBe(true);
          expect(page.closed.every((each) => each.status === "closed")).toBe(true);
          if (pages > 0) expect(page.open).toEqual([]);
          positions.push(...page.open, ...page.closed);
          if (page.nextCursor === null) break;
          cursor = page.nextCursor;
        }
        expect(new Set(positions.map((each) => each.tradeId)).size).toBe(positions.length);
        for (const position of positions) expect(faultOf(position, trader)).toBeNull();
        for (const position of has("trade") ? positions.slice(0, 3) : []) await checkDetail(position);
      }
    });

    const checkDetail = async (position: Position) => {
      const detail = await answer("trade", { tradeId: position.tradeId });
      expect(detail.swaps.every((fill) => fill.tradeId === position.tradeId)).toBe(true);
      const isOrdered = (rows: { at: number }[]) => rows.every((row, n) => row.at >= (rows[n - 1]?.at ?? 0));
      expect(isOrdered(detail.swaps) && isOrdered(detail.transfers)).toBe(true);
      // Past this many a platform may leave out the rest.
      if (detail.swaps.length >= 500 || detail.transfers.length >= 500) return;
      const sum = (side: "buy" | "sell") =>
        detail.swaps
          .filter((fill) => fill.side === side)
          .reduce((total, fill) => total + (side === "buy" ? fill.tokenOut : fill.tokenIn).amount, 0);
      // What is sold may have been a gift.
      const scale = detail.boughtAmount + detail.transferredInAmount;
      expect(isClose(sum("buy"), detail.boughtAmount, scale)).toBe(true);
      expect(isClose(sum("sell"), detail.soldAmount, scale)).toBe(true);
    };

    test("walks fills to the end, newest first, each once", async () => {
      if (!has("swaps")) return;
      for (const { userId } of sampleOf(traders).slice(0, 8)) {
        const fills = await walk((cursor) => answer("swaps", { userId, ...cursor }));
        expect(new Set(fills.map((fill) => fill.swapId)).size).toBe(fills.length);
        expect(fills.every((fill, n) => fill.at <= (fills[n - 1]?.at ?? Number.MAX_VALUE))).toBe(true);
        expect(fills.every((fill) => fill.userId === userId)).toBe(true);
      }
    });

    test("ranks by what it shows: leaderboards by profit, boards by their own ranks", async () => {
      for (const window of has("leaderboard") ? PNL_WINDOWS : []) {
        const { rows } = await answer("leaderboard", { window });
        expect(rows.every((row, n) => row.pnlUsd <= (rows[n - 1]?.pnlUsd ?? Number.MAX_VALUE))).toBe(true);
        expect(new Set(rows.map((row) => row.userId)).size).toBe(rows.length);
      }
      if (has("ranking")) await checkRankings(answer, traders.length);
      for (const board of has("board") ? BOARD_NAMES : []) {
        const asked = await subject.ask("board", { board });
        if (asked.kind !== "unsupported") expect((await answer("board", { board })).board).toBe(board);
      }
    });

    test("answers everything else that it declares in form", async () => {
      for (const { userId } of sampleOf(traders)) {
        for (const question of ["balances", "spotlight", "following", "followers", "userTheses"] as const)
          if (has(question)) await answer(question, { userId });
      }
      for (const { address, networkId } of sampleOf(tokens)) {
        for (const question of ["tokenStats", "tokenDevs", "tokenTheses"] as const)
          if (has(question)) await answer(question, { address, networkId });
      }
      if (has("theses")) await answer("theses");
      if (has("search")) {
        const [person] = traders;
        const { users } = await answer("search", { q: person?.handle ?? "a", limit: 5 });
        if (person) expect(users.map((user) => user.userId)).toContain(person.userId);
        expect(users.length).toBeLessThanOrEqual(5);
      }
    });

    test("gives candles that lie within their range and hold their own extremes, and quotes as of a time", async () => {
      const { worldTime } = await answer("status");
      const now = worldTime ?? Math.max(0, ...tokens.map((token) => token.asOf ?? 0));
      for (const { address, networkId } of has("candles") ? sampleOf(tokens).slice(0, 8) : []) {
        for (const interval of CANDLE_INTERVALS) {
          const from = Math.max(0, now - DAY_MS);
          const given = { address, networkId, interval, from, to: now, limit: 50 };
          const { rows, nextFrom } = await answer("candles", given);
          expect(rows.length).toBeLessThanOrEqual(50);
          expect(rows.every((row, n) => row.t > (rows[n - 1]?.t ?? -1))).toBe(true);
          for (const { o, h, l, c, t } of rows) {
            expect(l <= Math.min(o, c) && h >= Math.max(o, c)).toBe(true);
            expect(t < given.to).toBe(true);
          }
          if (nextFrom !== null) expect(nextFrom).toBeGreaterThan(rows.at(-1)?.t ?? given.from);
        }
      }
      if (!has("quotes") || tokens.length === 0) return;
      const asked = sampleOf(tokens).slice(0, 20);
      const { rows } = await answer("quotes", { token: asked.map(tokenName).join(",") });
      expect(rows.map(tokenName)).toEqual(asked.map(tokenName));
    });

    test("gives the ticks of a range in order, alike whether it is asked for whole or in two parts", async () => {
      const { worldTime: now = 3 * HOUR_MS } = await answer("status");
      for (const { address, networkId } of has("ticks") ? sampleOf(tokens) : [])
        await holdTicks((query) => answer("ticks", { address, networkId, ...query }), Number(now));
    });

    test.each([...FEEDS])("lets its %s feed be read to the end, alike in pages of any size", async (feed) => {
      if (!declared.feeds.includes(feed)) return;
      const { oldest, newest } = await feedPage(feed, 0, 1);
      const after = Math.max(oldest - 1, newest - FEED_TAIL);
      const events = await readFeed(feed, after, newest, 1_000);
      expect(events.map(({ position }) => position)).toEqual([
        ...new Set(events.map(({ position }) => position)),
      ]);
      const tail = Math.max(after, newest - 60);
      const again = await readFeed(feed, tail, newest, 7);
      const first = events.filter(({ position }) => position > tail);
      expect(again.map(withoutFinality)).toEqual(first.map(withoutFinality));
      expect((await feedPage(feed, newest + 1_000_000, 10)).items).toEqual([]);
    });

    test("takes back and finalises only trades that it reported", async () => {
      if (!declared.feeds.includes("chain")) return;
      const { oldest, newest } = await feedPage("chain", 0, 1);
      const from = Math.max(oldest - 1, newest - FEED_TAIL);
      const events = (await readFeed("chain", from, newest, 1_000)).map(({ event }) => event);
      const reported = new Set<string>();
      const [first] = events;
      for (const event of events) {
        if (event.kind === "trade") reported.add(event.eventId);
        const about =
          event.kind === "retract"
            ? event.retractedEventId
            : event.kind === "final"
              ? event.finalizedEventId
              : null;
        // The trade may lie before what was read.
        const isCut = from > 0 && first !== undefined && event.at - first.at < HOUR_MS;
        if (about !== null && !isCut) expect(reported).toContain(about);
      }
    });

    test("says when a feed moved, and what moved it is there", async () => {
      const before = new Map<FeedName, number>();
      for (const feed of declared.feeds) before.set(feed, (await feedPage(feed, 0, 1)).newest);
      const moved = new Promise<FeedName>((resolve) => {
        const stop = subject.onMove(async (feed) => {
          if (!before.has(feed)) return;
          const { newest } = await feedPage(feed, 0, 1);
          if (newest <= (before.get(feed) ?? 0)) return;
          stop();
          resolve(feed);
        });
      });
      await subject.stir?.();
      const feed = await moved;
      expect((await feedPage(feed, before.get(feed) ?? 0, 10)).items.length).toBeGreaterThan(0);
    });
  });
}

const NOWHERE = "0x000000000000000000000000000000000000dEaD";
const missing = { userId: derivedUuid("nobody") };

/** A question in form, for each. */
const SOMETHING: Record<QuestionName, SuiteParameters> = {
  userByHandle: { handle: "somebody" },
  userById: missing,
  users: {},
  trades: missing,
  balances: missing,
  following: missing,
  followers: missing,
  spotlight: missing,
  swaps: missing,
  userTheses: missing,
  trade: { tradeId: missing.userId },
  comments: { tradeId: missing.userId },
  books: missing,
  leaderboard: { window: "all" },
  ranking: { window: "all" },
  board: { board: "trending" },
  theses: {},
  tokens: {},
  token: { address: NOWHERE },
  tokenStats: { address: NOWHERE },
  tokenDevs: { address: NOWHERE },
  tokenTheses: { address: NOWHERE },
  search: { q: "a" },
  quotes: { token: `1:${NOWHERE}` },
  candles: { address: NOWHERE, interval: "1h", from: 0, to: 1 },
  ticks: { address: NOWHERE, from: 0, to: 1 },
  image: { kind: "avatar", id: missing.userId },
};

/** Those that are about a subject, here one that does not exist. */
const MISSING: Partial<Record<QuestionName, SuiteParameters>> = {
  ...SOMETHING,
  userByHandle: { handle: "nobody-has-this-handle" },
};
for (const question of [
  "users",
  "tokens",
  "theses",
  "search",
  "leaderboard",
  "ranking",
  "board",
  "quotes",
] as const)
  delete MISSING[question];

/** A trade that is read again may have become final meanwhile. */
function withoutFinality<Item extends { event: object }>({ event, ...item }: Item) {
  return { ...item, event: "finality" in event ? { ...event, finality: null } : event };
}

function tokenName({ networkId, address }: { networkId: number; address: string }): string {
  return `${networkId}:${address}`;
}

function sampleOf<T>(rows: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  return rows.filter((_, index) => index % step === 0).slice(0, SAMPLE);
}
