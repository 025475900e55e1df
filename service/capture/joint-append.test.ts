import { describe, expect, test } from "bun:test";
import { type ManualClock, manualClock } from "../../kit/clock.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";
import { appEvent, MIDNIGHT, pushEvent } from "../../test/support/nouns.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { AppendBatch, LogStore } from "../store/captured/log.ts";
import { createJointAppend, type Offer } from "./joint-append.ts";
import { quietLog } from "./test-support.ts";

const never = new AbortController().signal;
const lease = { name: "writer", holder: "test", term: 1, expiresAt: 0 };

function setUp(before: (batch: AppendBatch, clock: ManualClock) => unknown = () => {}) {
  const batches: AppendBatch[] = [];
  const clock = manualClock(MIDNIGHT + DAY_MS);
  let seq = 0;
  const append: LogStore["append"] = async (_lease, batch) => {
    await before(batch, clock);
    batches.push(batch);
    const capturedAt = momentOf(batch);
    return batch.events.map((event) => ({ ...event, seq: ++seq, capturedAt }));
  };
  const joint = createJointAppend({
    source: "test",
    lease,
    clock,
    logger: quietLog,
    batch: 100,
    log: { append } as LogStore,
  });
  const times = () => batches.map(({ events }) => events.map(({ at }) => at - MIDNIGHT));
  return { joint, batches, times, clock };
}

const momentOf = ({ capturedAt }: AppendBatch) =>
  typeof capturedAt === "number" ? capturedAt : capturedAt();

function offer(feed: FeedName, after: number, at: number[], rest: Partial<Offer> = {}): Offer {
  const eventAt = (time: number): FeedEvent =>
    feed === "push" ? pushEvent({ at: MIDNIGHT + time }) : appEvent({ at: MIDNIGHT + time });
  const items = at.map((time, index) => ({ position: after + index + 1, event: eventAt(time) }));
  return { feed, saved: after, from: after, items, gaps: [], hasMore: false, historyEnds: 0, ...rest };
}

describe("storing together", () => {
  test("waits until each feed said what it has, then stores all in one transaction in order of time", async () => {
    const { joint, batches, times } = setUp();
    const app = joint.store(offer("app", 0, [10, 40]), never);
    const push = joint.store(offer("push", 0, [20, 30]), never);
    await Promise.resolve();
    expect(batches.length).toBe(0);
    joint.rests("chain");
    expect((await app)?.position).toBe(2);
    expect((await push)?.appended.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(times()).toEqual([[10, 20, 30, 40]]);
    expect(batches[0]?.positions).toEqual([
      { source: "test", feed: "app", position: 2 },
      { source: "test", feed: "push", position: 2 },
    ]);
  });

  test("goes no further than a feed that has more than it offered, and waits for that", async () => {
    const { joint, times } = setUp();
    joint.rests("chain");
    const app = joint.store(offer("app", 0, [10, 25], { hasMore: true }), never);
    const push = joint.store(offer("push", 0, [20, 30]), never);
    expect((await app)?.position).toBe(2);
    expect((await push)?.position).toBe(1);
    const rest = joint.store(offer("push", 1, [30]), never);
    await Promise.resolve();
    expect(times()).toEqual([[10, 20, 25]]);
    await joint.store(offer("app", 2, [28, 50]), never);
    expect((await rest)?.position).toBe(2);
    expect(times()).toEqual([
      [10, 20, 25],
      [28, 30, 50],
    ]);
  });

  test("history and news never share a batch", async () => {
    const { joint, batches, times } = setUp();
    joint.rests("chain");
    joint.rests("push");
    const historyEnds = MIDNIGHT + 100;
    const first = await joint.store(offer("app", 0, [10, 20, 200], { historyEnds }), never);
    expect(first?.position).toBe(2);
    await joint.store(offer("app", 2, [200], { historyEnds }), never);
    expect(times()).toEqual([[10, 20], [200]]);
    expect(batches.map(({ isHistory }) => isHistory)).toEqual([true, false]);
    expect(batches[0]?.capturedAt).toBe(MIDNIGHT + 20);
  });

  test("news counts as captured when the store takes it, not when it began to wait for the store", async () => {
    const { joint, clock } = setUp((_, time) => time.advance(1_600));
    joint.rests("chain");
    joint.rests("push");
    const heardAt = clock.now();
    const stored = await joint.store(offer("app", 0, [10]), never);
    expect(stored?.appended[0]?.capturedAt).toBe(heardAt + 1_600);
  });

  test("a batch that the store could not take is offered again, and delays no other feed", async () => {
    let failures = 1;
    const { joint, times } = setUp(() => {
      if (failures-- > 0) throw new Error("no store");
    });
    joint.rests("chain");
    joint.rests("push");
    expect(await joint.store(offer("app", 0, [10]), never)).toBeNull();
    expect((await joint.store(offer("push", 0, [30]), never))?.position).toBe(1);
    expect((await joint.store(offer("app", 0, [10]), never))?.position).toBe(1);
    expect(times()).toEqual([[30], [10]]);
  });

  test("a lost lease ends all that waits", async () => {
    const { joint } = setUp(() => {
      throw new LeaseLost("writer");
    });
    const offers = [offer("app", 0, [10], { hasMore: true }), offer("push", 0, [50])];
    const stored = offers.map((each) => joint.store(each, never).catch((error) => error));
    joint.rests("chain");
    for (const each of await Promise.all(stored)) expect(each).toBeInstanceOf(LeaseLost);
  });

  test("an aborted wait ends without a store", async () => {
    const { joint, batches } = setUp();
    const stop = new AbortController();
    const waits = joint.store(offer("app", 0, [10]), stop.signal);
    stop.abort();
    expect(await waits).toBeNull();
    joint.rests("chain");
    joint.rests("push");
    expect(batches.length).toBe(0);
  });
});
