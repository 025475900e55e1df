import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { seededRandom } from "../../kit/random.ts";
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, chainRetract, chainTrade, MIDNIGHT, pushEvent } from "../../test/support/nouns.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import type { FeedBatch } from "../upstream/port.ts";
import type { Capture } from "./capture.ts";
import { type CaptureTestStore, captureOn, testStore, wholeLog, withoutPlace } from "./test-support.ts";
import { scriptedUpstream } from "./test-upstream.ts";

const opened: { captures: Capture[]; stores: CaptureTestStore[] } = { captures: [], stores: [] };

afterEach(async () => {
  for (const capture of opened.captures.splice(0)) await capture.stop();
  for (const store of opened.stores.splice(0)) await store.close();
});

async function setUp() {
  const storage = await testStore();
  opened.stores.push(storage);
  const upstream = scriptedUpstream();
  const begin = (store = storage.store) => {
    const capture = captureOn(upstream, store, { rates: { batch: 7 } });
    opened.captures.push(capture);
    capture.start();
    return capture;
  };
  const reached = (feed: FeedName, position: number) =>
    eventually(
      async () => (await storage.store.progress.position(feed)) === position,
      `${feed} was read up to ${position}`,
    );
  return { storage, store: storage.store, upstream, begin, reached };
}

const buys = (count: number) =>
  Array.from({ length: count }, (_, index) => appEvent({ at: MIDNIGHT + index }));

describe("following a feed", () => {
  test("each event is in the log once, no matter how late, mixed and repeated it arrives", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const random = seededRandom("mixed");
    const events = buys(40);
    const delivered = [...events, ...events.filter(() => random.chance(0.5))].sort(() => random.next() - 0.5);
    upstream.put("app", ...delivered);
    begin();
    await reached("app", delivered.length);
    upstream.put("app", ...events);
    await reached("app", delivered.length + events.length);
    const log = await wholeLog(store);
    const ids = (list: FeedEvent[]) => list.map((event) => event.eventId).sort();
    expect(ids(log)).toEqual(ids(events));
    expect(log.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const byId = new Map(events.map((event) => [event.eventId, event]));
    for (const event of log) expect(withoutPlace(event)).toEqual(byId.get(event.eventId) as FeedEvent);
  });

  test("feeds with a backlog are stored in the order of time, whatever each of them holds", async () => {
    const MINUTE_MS = 60_000;
    const gaps = fc.array(fc.nat(240), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(gaps, gaps, gaps, async (shown, pushed, traded) => {
        const { store, upstream, begin, reached } = await setUp();
        const timesOf = (between: number[]) => {
          let at = MIDNIGHT;
          return between.map((minutes) => (at += minutes * MINUTE_MS));
        };
        upstream.put("app", ...timesOf(shown).map((at) => appEvent({ at })));
        upstream.put("push", ...timesOf(pushed).map((at) => pushEvent({ at })));
        upstream.put("chain", ...timesOf(traded).map((at) => chainTrade({ at })));
        begin();
        await reached("app", shown.length);
        await reached("push", pushed.length);
        await reached("chain", traded.length);
        const times = (await wholeLog(store)).map((event) => event.at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.length).toBe(shown.length + pushed.length + traded.length);
      }),
      { numRuns: 12 },
    );
  });

  test("nothing is asked for twice, also where a feed waits for another", async () => {
    const { upstream, begin, reached } = await setUp();
    const asked: string[] = [];
    upstream.spoil((feed, batch) => {
      for (const { position } of batch.items) asked.push(`${feed} ${position}`);
      return { kind: "found", value: batch };
    });
    upstream.put("app", ...buys(60));
    upstream.put("push", ...buys(9).map(({ at }) => pushEvent({ at: at + 30 })));
    begin();
    await reached("app", 60);
    await reached("push", 9);
    // Where the log begins, each feed is asked for its first item to see how much there is.
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(2);
  });

  test("history counts as captured when it happened; news, and what is read after a break, when it is read", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const startedAt = testClock.now();
    const old = appEvent({ at: MIDNIGHT });
    const fresh = appEvent({ at: startedAt - 60_000 });
    upstream.put("app", old);
    const first = begin();
    await reached("app", 1);
    upstream.put("app", fresh);
    await reached("app", 2);
    await first.stop();
    upstream.put("app", appEvent({ at: MIDNIGHT }));
    begin();
    await reached("app", 3);
    const [history, news, missed] = (await wholeLog(store)).map((event) => event.capturedAt);
    expect(history).toBe(MIDNIGHT);
    expect(news).toBeGreaterThanOrEqual(startedAt);
    expect(missed).toBeGreaterThanOrEqual(startedAt);
  });

  test("no feed's news overtakes another feed's history", async () => {
    const { store, upstream, begin, reached } = await setUp();
    upstream.put("push", pushEvent({ at: MIDNIGHT }), pushEvent({ at: testClock.now() }));
    upstream.put("app", ...buys(50));
    begin();
    await reached("app", 50);
    await reached("push", 2);
    const log = await wholeLog(store);
    expect(log.at(-1)).toMatchObject({ kind: "push", seq: 52 });
    expect(log.slice(0, -1).every((event) => event.capturedAt < MIDNIGHT + 1_000)).toBe(true);
  });

  test("all three feeds share the one log, chain trades and retractions included", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const trade = chainTrade();
    upstream.put("chain", trade, chainRetract({ retractedEventId: trade.eventId }));
    upstream.put("push", pushEvent());
    upstream.put("app", ...buys(3));
    begin();
    await reached("chain", 2);
    await reached("push", 1);
    await reached("app", 3);
    const kinds = (await wholeLog(store)).map((event) => event.kind).sort();
    expect(kinds).toEqual(["buy", "buy", "buy", "push", "retract", "trade"]);
  });

  test("what can't be read is refused, counted by reason with a sample, and holds up nothing", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const [first, second] = buys(2);
    if (!first || !second) throw new Error("no events");
    upstream.put("app", first, { refused: "amount" }, { refused: "amount" }, { refused: "eventId" }, second);
    const capture = begin();
    await reached("app", 5);
    expect((await wholeLog(store)).map((event) => event.eventId)).toEqual([first.eventId, second.eventId]);
    const reports = await store.progress.refusals();
    expect(reports.map(({ reason, refused }) => [reason, refused])).toEqual([
      ["amount", 2],
      ["eventId", 1],
    ]);
    expect(reports[0]?.samples[0]).toMatchObject({ feed: "app", sample: '{"position":3}' });
    const refused = () => capture.status().feeds.find(({ feed }) => feed === "app")?.refused;
    await eventually(() => refused()?.eventId === 1, "the status tells of it");
    expect(refused()).toEqual({ amount: 2, eventId: 1 });
  });

  test("the first start begins at the oldest that upstream has, and nothing is missing by that", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const events = buys(30);
    upstream.put("app", ...events);
    upstream.forget("app", 10);
    begin();
    await reached("app", 30);
    expect((await wholeLog(store)).map((event) => event.eventId)).toEqual(
      events.slice(10).map((event) => event.eventId),
    );
    expect(await store.progress.gaps(10)).toEqual([]);
  });

  test("after a break, what upstream still has is read and what it has not is a recorded gap", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const events = buys(50);
    upstream.put("app", ...events.slice(0, 10));
    const before = begin();
    await reached("app", 10);
    await before.stop();
    upstream.put("app", ...events.slice(10));
    upstream.forget("app", 25);
    const after = begin();
    await reached("app", 50);
    const gaps = await store.progress.gaps(10);
    expect(gaps.length).toBe(1);
    expect(gaps[0]).toMatchObject({ feed: "app", fromPosition: 11, toPosition: 25 });
    expect((await wholeLog(store)).length).toBe(35);
    expect(after.status().feeds.find(({ feed }) => feed === "app")?.gaps).toBe(1);
  });

  test("an answer that is not one is asked for again, and nothing is skipped", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const random = seededRandom("faults");
    upstream.spoil((_feed, batch) => {
      const roll = random.below(6);
      if (roll === 0) return { kind: "timedOut" };
      if (roll === 1) return { kind: "failed", reason: "malformed" };
      if (roll === 2) return { kind: "notFound" };
      return { kind: "found", value: batch };
    });
    const events = buys(20);
    upstream.put("app", ...events);
    const capture = begin();
    await reached("app", 20);
    expect((await wholeLog(store)).length).toBe(20);
    expect(capture.status().writing).toBe(true);
  });

  test("a page with a hole is taken up to the hole only", async () => {
    const { store, upstream, begin, reached } = await setUp();
    const events = buys(20);
    let holes = 5;
    upstream.spoil((feed, batch): { kind: "found"; value: FeedBatch } => {
      if (feed !== "app" || batch.items.length < 3 || holes-- <= 0) return { kind: "found", value: batch };
      return { kind: "found", value: { ...batch, items: batch.items.filter((_, index) => index !== 2) } };
    });
    upstream.put("app", ...events);
    begin();
    await reached("app", 20);
    expect((await wholeLog(store)).map((event) => event.eventId)).toEqual(
      events.map((event) => event.eventId),
    );
  });

  test("an upstream that started over is read from its start, and the log continues", async () => {
    const { store, upstream, begin, reached } = await setUp();
    upstream.put("app", ...buys(10));
    begin();
    await reached("app", 10);
    upstream.reset();
    upstream.put("app", ...buys(4));
    await reached("app", 4);
    expect((await wholeLog(store)).map((event) => event.seq)).toEqual(
      [...Array(14).keys()].map((i) => i + 1),
    );
  });

  test("stopped or abandoned at any moment and started again: nothing missing, nothing twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ more: fc.integer({ min: 0, max: 40 }), tidy: fc.boolean(), turns: fc.nat(30) }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        async (lives) => {
          const { storage, upstream } = await setUp();
          const expected: string[] = [];
          for (const { more, tidy, turns } of lives) {
            const events = buys(more);
            expected.push(...events.map((event) => event.eventId));
            upstream.put("app", ...events, ...events.slice(0, 5));
            const { store, kill } = killable(await storage.another());
            const capture = captureOn(upstream, store, { rates: { batch: 7 } });
            capture.start();
            for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
            if (!tidy) kill();
            const stopping = capture.stop();
            if (tidy) await stopping;
            // What a killed process held expires on its own; the test does not wait for it.
            await storage.store.database.write((tx) =>
              tx.run({ text: "UPDATE lease SET expires_at = 0", values: [] }),
            );
          }
          const last = captureOn(upstream, storage.store, { rates: { batch: 7 } });
          last.start();
          const total = lives.reduce((sum, { more }) => sum + more + Math.min(more, 5), 0);
          await eventually(
            async () => (await storage.store.progress.position("app")) === total,
            "the last life has read everything",
          );
          await last.stop();
          const log = await wholeLog(storage.store);
          expect(log.map((event) => event.eventId)).toEqual(expected);
          expect(log.map((event) => event.seq)).toEqual(expected.map((_, index) => index + 1));
        },
      ),
      { numRuns: 12 },
    );
  });
});

/** A store whose process can be killed: from then on nothing that it asks for is done, or answered. */
function killable(store: CaptureTestStore["store"]) {
  let isDead = false;
  const part = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => (isDead ? new Promise(() => {}) : value.apply(target, given));
      },
    });
  return {
    store: { ...store, log: part(store.log), progress: part(store.progress), leases: part(store.leases) },
    kill: () => {
      isDead = true;
    },
  };
}
