import { describe, expect, test } from "bun:test";
import { createBackoff } from "../../kit/backoff.ts";
import { type ManualClock, manualClock } from "../../kit/clock.ts";
import { createPace } from "../../kit/pace.ts";
import { seededRandom } from "../../kit/random.ts";
import { createWorkQueue } from "../../kit/work-queue.ts";
import type { Outcome } from "../upstream/port.ts";
import { askLater } from "./ask-later.ts";
import { quietLog } from "./test-support.ts";
import { createWakers } from "./wakers.ts";

const never = new AbortController().signal;
/** Lets everything that is ready run. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((next) => setImmediate(next));
};

/** Moves time in small steps, letting everything run in between. */
const pass = async (clock: ManualClock, milliseconds: number, stepMs: number) => {
  for (let passed = 0; passed < milliseconds; passed += stepMs) {
    await settle();
    await clock.advance(stepMs);
  }
  await settle();
};

describe("backoff", () => {
  test("waits grow to the bound, are never nothing, and start over after a success", () => {
    const backoff = createBackoff(seededRandom("backoff"), 100, 1_000);
    for (const wholeMs of [100, 200, 400, 800, 1_000, 1_000]) {
      const waitMs = backoff.nextMs();
      expect(waitMs).toBeGreaterThanOrEqual(wholeMs / 2);
      expect(waitMs).toBeLessThanOrEqual(wholeMs);
    }
    backoff.reset();
    expect(backoff.nextMs()).toBeLessThanOrEqual(100);
  });
});

describe("work queue", () => {
  test("holds each piece once, in order, and turns away what is past its bound", () => {
    const queue = createWorkQueue<number>(2);
    expect([queue.add("a", 1), queue.add("b", 2), queue.add("a", 3), queue.add("c", 4)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(queue.turnedAway()).toBe(1);
    expect(queue.take()).toEqual({ key: "a", item: 3 });
    queue.remove("b");
    expect(queue.take()).toBeUndefined();
    expect([queue.size(), queue.open()]).toEqual([0, 1]);
    queue.done();
    expect(queue.open()).toBe(0);
  });

  test("wakes those who wait, and lets through those who come later", async () => {
    const queue = createWorkQueue<number>(2);
    let isAwake = false;
    void queue.waiting(never).then(() => {
      isAwake = true;
    });
    await settle();
    expect(isAwake).toBe(false);
    queue.add("a", 1);
    await settle();
    expect(isAwake).toBe(true);
    await queue.waiting(never);
  });
});

describe("pace", () => {
  test("keeps to its rate, and makes up lost time by one burst at most", async () => {
    const clock = manualClock(0);
    const pace = createPace(clock, 10, 5);
    let turns = 0;
    const stop = new AbortController();
    const running = (async () => {
      while (!stop.signal.aborted) {
        await pace.turn(stop.signal);
        turns += 1;
      }
    })();
    await pass(clock, 10_000, 50);
    expect(turns).toBeGreaterThanOrEqual(95);
    expect(turns).toBeLessThanOrEqual(100 + 6);
    stop.abort();
    await running;
  });
});

describe("wakers", () => {
  test("a move while the follower was busy is not slept through", async () => {
    const clock = manualClock(0);
    const wakers = createWakers(clock);
    const mark = wakers.mark("app");
    wakers.moved("app");
    await wakers.wait("app", mark, 1_000, never);
    expect(clock.now()).toBe(0);
  });

  test("a wait ends with a move of its own feed, or with its time", async () => {
    const clock = manualClock(0);
    const wakers = createWakers(clock);
    const ended: string[] = [];
    void wakers.wait("app", wakers.mark("app"), 1_000, never).then(() => ended.push("app"));
    void wakers.wait("push", wakers.mark("push"), 1_000, never).then(() => ended.push("push"));
    wakers.moved("app");
    await settle();
    expect(ended).toEqual(["app"]);
    await clock.advance(1_000);
    expect(ended).toEqual(["app", "push"]);
  });
});

describe("asking later", () => {
  const asked = async (answers: Outcome<string>[], saveFails = 0) => {
    const clock = manualClock(0);
    const queue = createWorkQueue<string>(10);
    const saved: string[] = [];
    const stop = new AbortController();
    let asks = 0;
    let failures = saveFails;
    const running = askLater(
      {
        subject: "test",
        queue,
        clock,
        log: quietLog,
        random: seededRandom("ask"),
        perSecond: 100,
        savedTogether: 20,
        ask: async () => answers[asks++] ?? { kind: "failed", reason: "unreachable" },
        save: async (values) => {
          // When nothing is open any more, everything has been saved.
          expect(queue.open()).toBeGreaterThan(0);
          if (failures-- > 0) throw new Error("no store");
          saved.push(...values);
        },
      },
      stop.signal,
    );
    queue.add("a", "a");
    await pass(clock, 120_000, 500);
    stop.abort();
    await running;
    return { saved, asks, left: queue.open() };
  };

  test("an answer is saved; a subject that does not exist is forgotten", async () => {
    expect(await asked([{ kind: "found", value: "A" }])).toEqual({ saved: ["A"], asks: 1, left: 0 });
    expect(await asked([{ kind: "notFound" }])).toEqual({ saved: [], asks: 1, left: 0 });
  });

  test("a failure is tried again, a bounded number of times", async () => {
    const failed: Outcome<string> = { kind: "timedOut" };
    expect(await asked([failed, failed, { kind: "found", value: "A" }])).toMatchObject({
      saved: ["A"],
      asks: 3,
    });
    expect(await asked([])).toEqual({ saved: [], asks: 6, left: 0 });
  });

  test("an answer that could not be saved is asked for again", async () => {
    const found: Outcome<string> = { kind: "found", value: "A" };
    expect(await asked([found, found], 1)).toMatchObject({ saved: ["A"], asks: 2 });
  });
});
