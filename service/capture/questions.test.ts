import { expect, test } from "bun:test";
import { seededRandom } from "../../kit/random.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, chainRetract, chainTrade, MIDNIGHT, position, trader } from "../../test/support/nouns.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { captureOn, closedAfterEach, quietLog } from "./test-support.ts";
import { scriptedUpstream } from "./test-upstream.ts";

const { cleanUps, openStore } = closedAfterEach();

/** Upstream's books, as a test changes them. */
type Books = (tradeId: string) => Promise<Position>;

const answering = (books: Books): Pick<Upstream, "trade"> => ({
  trade: async (tradeId) => ({
    kind: "found",
    value: { ...(await books(tradeId)), swaps: [], transfers: [] },
  }),
});

/** Questions about positions, with a hand on the time that they are asked at. */
function asking(store: Store, books: Books): { questions: Questions; time: { now: number }; begin(): void } {
  const time = { now: 1_000 };
  const questions = createQuestions({
    upstream: { ...scriptedUpstream(), ...answering(books) },
    store,
    clock: { ...testClock, now: () => time.now },
    log: quietLog,
    random: seededRandom("questions"),
    directoryRead: async () => {},
    onTrader: () => {},
  });
  const begin = () => {
    const stop = new AbortController();
    const running = questions.tasks(100_000).map(({ run }) => run(stop.signal));
    cleanUps.push(async () => {
      stop.abort();
      await Promise.all(running);
    });
  };
  return { questions, time, begin };
}

const before = position({ boughtAmount: 10, lastActivityAt: MIDNIGHT });
const after: Position = { ...before, boughtAmount: 15, lastActivityAt: MIDNIGHT + 60_000 };
const thesis = { id: "thesis", text: "It goes up.", createdAt: MIDNIGHT } as unknown as Position["thesis"];

const boughtIs = (store: Store, amount: number) =>
  eventually(
    async () => (await store.positions.byId(before.tradeId))?.boughtAmount === amount,
    `the captured position has ${amount}`,
  );

test("an answer that is saved with older ones is as new as its own question", async () => {
  const store = await openStore();
  const { questions, time, begin } = asking(store, async (tradeId) => {
    time.now += 1_000;
    return tradeId === after.tradeId ? after : position({ tradeId });
  });
  questions.askTrade("asked for first");
  questions.askTrade(after.tradeId);
  begin();
  await boughtIs(store, 15);
  // A sweep that asked between the two, and comes to save only now.
  await store.positions.save([before], 1_500);
  expect(await store.positions.byId(after.tradeId)).toEqual(after);
});

test("an answer that came too late to be kept is asked for again", async () => {
  const store = await openStore();
  let asks = 0;
  const { questions, time, begin } = asking(store, async () => {
    time.now += 1_000;
    // An event is applied to what we have while the first answer is on its way; it can't tell of the thesis.
    if (asks++ === 0) await store.positions.save([after], time.now);
    return { ...after, thesis };
  });
  questions.askTrade(after.tradeId);
  begin();
  await eventually(
    async () => (await store.positions.byId(after.tradeId))?.thesis?.id === "thesis",
    "the captured position has its thesis",
  );
  expect(asks).toBe(2);
});

test("a position that can't be kept, because a clock elsewhere was ahead, is not asked for without end", async () => {
  const store = await openStore();
  let asks = 0;
  await store.positions.save([after], 1_000_000);
  const { questions, begin } = asking(store, async (tradeId) => {
    if (tradeId === after.tradeId) asks += 1;
    return tradeId === after.tradeId ? after : position({ tradeId });
  });
  questions.askTrade(after.tradeId);
  begin();
  await eventually(() => asks > 1 && questions.waiting().trades === 0 && asks >= 6, "it was given up");
  questions.askTrade("the next");
  await eventually(async () => (await store.positions.byId("the next")) !== null, "the next was asked for");
  expect(asks).toBe(6);
});

test("an answer that takes a position back behind a known fill is asked for again", async () => {
  const store = await openStore();
  await store.positions.save([after], 500);
  let asks = 0;
  const { questions, begin } = asking(store, async () => (asks++ === 0 ? before : after));
  questions.askTrade(after.tradeId);
  begin();
  await eventually(() => asks === 2, "it was asked for again");
  await boughtIs(store, 15);
});

test("a sweep that takes a position back behind a known fill has it asked for again", async () => {
  const store = await openStore();
  const someone = trader({ userId: before.userId });
  await store.traders.save([someone], 1);
  await store.positions.save([after], 1);
  const capture = captureOn(
    {
      ...scriptedUpstream(),
      trades: async () => ({
        kind: "found",
        value: { open: [before], closed: [], closedTotal: 0, nextCursor: null },
      }),
      ...answering(async () => ({ ...after, boughtAmount: 20 })),
    },
    store,
  );
  cleanUps.push(() => capture.stop());
  capture.start();
  await boughtIs(store, 20);
});

/** A node that returns after so long finds no other writer. */
const AWAY_MS = 30 * MINUTE_MS;
const { tradeId, userId } = before;
const now = testClock.now();
const undone = chainTrade({ tradeId, userId, side: "buy", amount: 7, at: now - 5_000 });
test.each([
  ["a transfer, which does not tell its size", [appEvent({ kind: "transfer", tradeId, userId, at: now })]],
  ["a swap that a re-org undid", [undone, chainRetract({ retractedEventId: undone.eventId, at: now })]],
])("what a writer had not yet asked when it ended, the next one asks: %s", async (_what, events) => {
  const store = await openStore();
  const upstream = scriptedUpstream();
  await store.positions.save([before], 1);
  const first = captureOn({ ...upstream, trade: async () => ({ kind: "timedOut" }) }, store);
  first.start();
  for (const [index, event] of events.entries()) {
    upstream.put(event.feed, event);
    await eventually(() => first.status().derivedSeq === index + 1, "the event was derived from");
  }
  await first.stop();
  expect(await store.progress.derivedSeq()).toBe(events.length);
  const later = { ...testClock, now: () => testClock.now() + AWAY_MS };
  const second = captureOn({ ...upstream, ...answering(async () => after) }, store, { clock: later });
  cleanUps.push(() => second.stop());
  second.start();
  await boughtIs(store, 15);
});

test("a doubt that upstream settled while an event was applied is not brought back by what was known before", async () => {
  const store = await openStore();
  const upstream = scriptedUpstream();
  await store.positions.save([{ ...before, costBasisUsd: 10, priceUsd: 1 }], 1);
  const settledByUpstream = { ...after, boughtAmount: 12 };
  let isBetween = true;
  const { byIds } = store.positions;
  store.positions.byIds = async (ids) => {
    const read = await byIds(ids);
    // Asked for before the event was read, answered only now.
    if (isBetween) await store.positions.save([settledByUpstream], 2);
    isBetween = false;
    return read;
  };
  let asks = 0;
  const answer = answering(async () => {
    asks += 1;
    return { ...settledByUpstream, boughtAmount: 13 };
  });
  const capture = captureOn({ ...upstream, ...answer }, store);
  cleanUps.push(() => capture.stop());
  capture.start();
  upstream.put(
    "chain",
    chainTrade({ tradeId, userId, side: "buy", amount: 5, usd: 5, priceUsd: 1, at: now }),
  );
  await boughtIs(store, 13);
  expect(asks).toBeGreaterThan(0);
});
