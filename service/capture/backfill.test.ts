// A log that begins where much has happened before: news first, and behind it the history, whole and in order.

import { afterEach, describe, expect, test } from "bun:test";
import { seededRandom } from "../../kit/random.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { FeedEvent } from "../../protocol/shapes/event.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, chainTrade, MIDNIGHT, pushEvent } from "../../test/support/nouns.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import type { FeedBatch, Outcome } from "../upstream/port.ts";
import type { Capture } from "./capture.ts";
import { type CaptureTestStore, captureOn, testStore, wholeLog, withoutPlace } from "./test-support.ts";
import { type ScriptedUpstream, scriptedUpstream } from "./test-upstream.ts";

/** More than is read before the news. */
const PAST = 2_400;
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function setUp(): Promise<{
  storage: CaptureTestStore;
  upstream: ScriptedUpstream;
  past: FeedEvent[];
}> {
  const storage = await testStore();
  cleanUps.push(() => storage.close());
  const upstream = scriptedUpstream();
  const past: FeedEvent[] = [];
  for (let n = 0; n < PAST; n++) {
    const at = MIDNIGHT + n * SECOND_MS;
    const event = n % 3 === 0 ? appEvent({ at }) : n % 3 === 1 ? chainTrade({ at }) : pushEvent({ at });
    past.push(event);
    upstream.put(event.feed, event);
  }
  return { storage, upstream, past };
}

function start(upstream: ScriptedUpstream, storage: CaptureTestStore): Capture {
  const capture = captureOn(upstream, storage.store, { rates: { batch: 50 } });
  capture.start();
  cleanUps.push(() => capture.stop());
  return capture;
}

const historyRead = (storage: CaptureTestStore) =>
  eventually(
    async () =>
      (await storage.store.log.head()).seq > 0 && (await storage.store.log.historyLeft()).length === 0,
    "the history is read",
  );

/** Answers the extent of each feed and its news; what it held at first can't be read. */
const withoutPast = (_feed: string, batch: FeedBatch): Outcome<FeedBatch> =>
  batch.items.length > 1 && (batch.items[0]?.position ?? 0) <= PAST / 3
    ? { kind: "failed", reason: "unreachable" }
    : { kind: "found", value: batch };

describe("a log that begins after much history", () => {
  test("has the news while the history can't be read, and the history below it afterwards", async () => {
    const { storage, upstream, past } = await setUp();
    const { log, progress } = storage.store;
    upstream.spoil(withoutPast);
    const capture = start(upstream, storage);
    await eventually(async () => (await log.head()).seq === PAST, "the log has begun");
    expect(await log.oldest()).toEqual({ seq: PAST + 1, capturedAt: null, isFirst: true });
    const news = [appEvent({ at: testClock.now() }), appEvent({ at: testClock.now() })];
    upstream.put("app", ...news);
    await eventually(async () => (await progress.position("app")) === PAST / 3 + 2, "the news is read");
    expect((await wholeLog(storage.store)).map(({ eventId, seq }) => [eventId, seq])).toEqual(
      news.map(({ eventId }, n) => [eventId, PAST + 1 + n]),
    );
    upstream.spoil(null);
    await historyRead(storage);
    const whole = await wholeLog(storage.store);
    expect(whole.map(withoutPlace)).toEqual([...past, ...news]);
    expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
    expect(whole.map(({ isHistory }) => isHistory === true)).toEqual(whole.map((_, n) => n < PAST));
    const times = whole.map(({ capturedAt }) => capturedAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const event of whole.slice(0, PAST))
      expect(event.capturedAt - event.at).toBeWithin(0, 60 * SECOND_MS);
    expect((await log.oldest()).isFirst).toBe(true);
    await eventually(() => capture.status().historyLeft === 0, "the status says so");
  });

  test("derives from the past as from the present", async () => {
    const { storage, upstream, past } = await setUp();
    start(upstream, storage);
    await historyRead(storage);
    const swaps = past.flatMap((event) => (event.kind === "trade" ? [event] : []));
    for (const { tradeId, txHash } of [swaps[0], swaps[400], swaps.at(-1)].flatMap((swap) => swap ?? [])) {
      const { rows } = await storage.store.fills.byTrade(tradeId, { limit: 9 });
      expect(rows.map((fill) => fill.txHash)).toContain(txHash);
    }
  });

  test("stopped anywhere and started again misses nothing and has nothing twice", async () => {
    const random = seededRandom("history in pieces");
    const { storage, upstream, past } = await setUp();
    for (let life = 0; life < 6; life++) {
      const capture = captureOn(upstream, storage.store, { rates: { batch: 50 } });
      capture.start();
      const turns = random.below(120);
      for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
      await capture.stop();
    }
    start(upstream, storage);
    await historyRead(storage);
    expect((await wholeLog(storage.store)).map(withoutPlace)).toEqual(past);
  });

  test("is whole and in order although upstream fails every now and then", async () => {
    const random = seededRandom("history with failures");
    const { storage, upstream, past } = await setUp();
    upstream.spoil((_feed, batch) =>
      batch.items.length > 1 && random.chance(0.3)
        ? { kind: "failed", reason: "unreachable" }
        : { kind: "found", value: batch },
    );
    start(upstream, storage);
    await historyRead(storage);
    expect((await wholeLog(storage.store)).map(withoutPlace)).toEqual(past);
  }, 900_000);

  test("what can't be read is refused and counted; what is sent twice is kept once", async () => {
    const { storage, upstream, past } = await setUp();
    upstream.put("app", { refused: "amount" }, past[0] as FeedEvent, ...past.slice(-9, -8));
    start(upstream, storage);
    await historyRead(storage);
    const ids = (events: readonly FeedEvent[]) => events.map(({ eventId }) => eventId).sort();
    expect(ids(await wholeLog(storage.store))).toEqual(ids(past));
    const [report] = await storage.store.progress.refusals();
    expect(report).toMatchObject({ reason: "amount", refused: 1 });
    // Three positions stay unused, and nothing of the log is missing by that.
    expect(await storage.store.log.oldest()).toMatchObject({ seq: 4, isFirst: true });
  });

  test("ends where upstream has forgotten what is older", async () => {
    const { storage, upstream, past } = await setUp();
    upstream.spoil(withoutPast);
    start(upstream, storage);
    await eventually(async () => (await storage.store.log.head()).seq === PAST, "the log has begun");
    for (const feed of ["app", "push", "chain"] as const) upstream.forget(feed, 300);
    upstream.spoil(null);
    await historyRead(storage);
    expect((await wholeLog(storage.store)).map(withoutPlace)).toEqual(past.slice(900));
    expect(await storage.store.progress.gaps(9)).toEqual([]);
  });
});
