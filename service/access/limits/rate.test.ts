import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { type ManualClock, manualClock } from "../../../kit/clock.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { needing } from "../../../test/support/needing.ts";
import { type ThrowAwayRedis, throwAwayRedis } from "../../../test/support/redis.ts";
import { breakableWire } from "../../../test/support/wire.ts";
import { START, silent } from "../test-support.ts";
import { type RateLimiter, standingOf, WINDOW_MS } from "./rate.ts";
import { createMemoryRate } from "./rate-memory.ts";
import { createRedisRate } from "./rate-redis.ts";

const withRedis = needing("redis");
let redis: ThrowAwayRedis;
withRedis.beforeAll(async () => {
  redis = await throwAwayRedis();
});
withRedis.afterAll(() => redis.stop());

/** Counts are exact only while Redis answers in time, and on a busy machine it may need its time. */
const PATIENT = { log: silent, deadlineMs: 5_000 };
const IMPLEMENTATIONS: Record<string, (clock: ManualClock) => RateLimiter> = {
  memory: (clock) => createMemoryRate(clock),
  redis: (clock) => createRedisRate({ ...PATIENT, url: redis.url, clock, now: clock.now }),
};
let subjects = 0;
const freshSubject = () => `subject-${++subjects}`;

for (const [name, create] of Object.entries(IMPLEMENTATIONS)) {
  needing(...(name === "redis" ? ["redis" as const] : [])).describe(`rate windows in ${name}`, () => {
    test("the stated number a minute is allowed, the next is refused, and the wait is exact", async () => {
      const clock = manualClock(START);
      const rate = create(clock);
      const subject = freshSubject();
      for (let i = 0; i < 20; i++) {
        const verdict = await rate.take(subject, 20);
        expect([verdict.allowed, verdict.remaining]).toEqual([true, 19 - i]);
        await clock.advance(1_000);
      }
      const refused = await rate.take(subject, 20);
      expect(refused).toEqual({ allowed: false, limit: 20, remaining: 0, resetMs: 40_000 });
      await clock.advance(39_999);
      expect((await rate.take(subject, 20)).allowed).toBe(false);
      await clock.advance(1);
      expect((await rate.take(subject, 20)).allowed).toBe(true);
      expect((await rate.take(subject, 20)).resetMs).toBe(1_000);
      await rate.close();
    });

    test("a look costs nothing, and subjects do not share a window", async () => {
      const clock = manualClock(START);
      const rate = create(clock);
      const subject = freshSubject();
      for (let i = 0; i < 5; i++) expect((await rate.take(subject, 2, 0)).remaining).toBe(2);
      await rate.take(subject, 2);
      await rate.take(subject, 2);
      expect(await rate.take(subject, 2, 0)).toMatchObject({
        allowed: true,
        remaining: 0,
        resetMs: WINDOW_MS,
      });
      expect((await rate.take(subject, 2)).allowed).toBe(false);
      expect((await rate.take(freshSubject(), 2)).allowed).toBe(true);
      await rate.close();
    });

    test("a limit lowered meanwhile waits until enough have left the window", async () => {
      const clock = manualClock(START);
      const rate = create(clock);
      const subject = freshSubject();
      for (let i = 0; i < 10; i++) {
        await rate.take(subject, 10);
        await clock.advance(1_000);
      }
      // Ten are counted; below three are left only when the eighth (at 7 s) has gone, at 67 s. It is 10 s now.
      expect(await rate.take(subject, 3)).toMatchObject({ allowed: false, resetMs: 57_000 });
      await rate.close();
    });

    test("any pattern of requests gets what a plain list of times would give", async () => {
      const clock = manualClock(START);
      const rate = create(clock);
      const step = fc.tuple(
        fc.constantFrom(0, 0, 1, 500, 7_000, 59_999, 60_000),
        fc.integer({ min: 1, max: 4 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 30 }),
          fc.integer({ min: 1, max: 6 }),
          async (steps, limit) => {
            const subject = freshSubject();
            const allowed: number[] = [];
            for (const [waitMs, requests] of steps) {
              await clock.advance(waitMs);
              for (let i = 0; i < requests; i++) {
                const now = clock.now();
                const counted = allowed.filter((time) => time > now - WINDOW_MS);
                const verdict = await rate.take(subject, limit);
                expect(verdict.allowed).toBe(counted.length < limit);
                if (verdict.allowed) allowed.push(now);
                else expect(verdict.resetMs).toBe((counted[0] ?? 0) + WINDOW_MS - now);
              }
            }
          },
        ),
        { numRuns: name === "memory" ? 100 : 20 },
      );
      await rate.close();
    });

    test("sockets are counted up to the limit and given back", async () => {
      const clock = manualClock(START);
      const rate = create(clock);
      const subject = freshSubject();
      expect(await rate.openSocket(subject, 2)).toBe(true);
      expect(await rate.openSocket(subject, 2)).toBe(true);
      expect(await rate.openSocket(subject, 2)).toBe(false);
      rate.closeSocket(subject);
      await eventually(async () => rate.openSocket(subject, 2), "a closed socket's place is free");
      expect(await rate.openSocket(subject, 2)).toBe(false);
      await rate.close();
    });

    test("a socket that closes while others open frees its own place and none of theirs", async () => {
      const rate = await warm(create(manualClock(START)));
      const subject = freshSubject();
      expect(await rate.openSocket(subject, 5)).toBe(true);
      const opening = Array.from({ length: 4 }, () => rate.openSocket(subject, 5));
      rate.closeSocket(subject);
      expect(await Promise.all(opening)).toEqual([true, true, true, true]);
      expect(await openAll(rate, subject, 5)).toBe(1);
      await rate.close();
    });

    test("in whatever order sockets open, are refused and close at once, the limit is what can be open", async () => {
      const rate = await warm(create(manualClock(START)));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom("open", "open", "close", "wait"), { maxLength: 40 }),
          fc.integer({ min: 1, max: 5 }),
          async (steps, limit) => {
            const subject = freshSubject();
            let [open, openMax] = [0, 0];
            const asked: Promise<void>[] = [];
            const ask = async () => {
              if (await rate.openSocket(subject, limit)) openMax = Math.max(openMax, ++open);
            };
            for (const step of steps) {
              if (step === "open") asked.push(ask());
              else if (step === "wait") await Promise.all(asked.splice(0));
              else if (open > 0) {
                open -= 1;
                rate.closeSocket(subject);
              }
            }
            await Promise.all(asked);
            expect(openMax).toBeLessThanOrEqual(limit);
            expect(await openAll(rate, subject, limit)).toBe(limit - open);
          },
        ),
        { numRuns: 100 },
      );
      await rate.close();
    });
  });
}

/** Redis has heard the scripts once: until then it asks for their text, and a close may come after what was sent later. */
async function warm(rate: RateLimiter): Promise<RateLimiter> {
  const subject = freshSubject();
  await rate.openSocket(subject, 1);
  rate.closeSocket(subject);
  await eventually(() => rate.openSocket(subject, 1), "the place of a closed socket is free");
  return rate;
}

/** Opens more sockets than there can be, and says how many were let in. */
async function openAll(rate: RateLimiter, subject: string, limit: number): Promise<number> {
  const opened = await Promise.all(Array.from({ length: 2 * limit }, () => rate.openSocket(subject, limit)));
  return opened.filter(Boolean).length;
}

test("in memory the wait is as exact weeks later, also across the moment at which 32 bits of milliseconds are used up", async () => {
  const clock = manualClock(START);
  const rate = createMemoryRate(clock);
  const subject = freshSubject();
  await rate.take(subject, 2);
  await clock.advance(2 ** 32 - 20_000);
  expect(await rate.take(subject, 2)).toMatchObject({ allowed: true, remaining: 1 });
  await clock.advance(30_000);
  expect(await rate.take(subject, 2)).toMatchObject({ allowed: true, remaining: 0, resetMs: 30_000 });
  expect(await rate.take(subject, 2)).toMatchObject({ allowed: false, resetMs: 30_000 });
  await clock.advance(30_000);
  expect(await rate.take(subject, 2)).toMatchObject({ allowed: true, remaining: 0, resetMs: 30_000 });
  // So long after that its cut time looks like the present one.
  await clock.advance(2 ** 32);
  expect(await rate.take(subject, 2)).toMatchObject({ allowed: true, remaining: 1 });
  await rate.close();
});

test("memory holds a bounded number of subjects and lets idle ones go first", async () => {
  const clock = manualClock(START);
  const rate = createMemoryRate(clock, 100);
  await rate.take("busy", 5);
  for (let i = 0; i < 98; i++) await rate.take(`idle-${i}`, 5);
  await clock.advance(59_000);
  for (let i = 0; i < 4; i++) await rate.take("busy", 5);
  await clock.advance(1_500);
  for (let i = 0; i < 90; i++) await rate.take(`new-${i}`, 5);
  expect((await rate.take("busy", 5)).remaining).toBe(0);
  expect((await rate.take("busy", 5)).allowed).toBe(false);
});

withRedis.test("two nodes on one Redis share windows and sockets", async () => {
  const clock = manualClock(START);
  const nodes = [1, 2].map(() => createRedisRate({ ...PATIENT, url: redis.url, clock, now: clock.now }));
  const subject = freshSubject();
  const verdicts = await Promise.all(Array.from({ length: 60 }, (_, i) => nodes[i % 2]?.take(subject, 25)));
  expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(25);
  expect(await nodes[0]?.openSocket(subject, 5)).toBe(true);
  const sockets = await Promise.all(
    Array.from({ length: 12 }, (_, i) => nodes[i % 2]?.openSocket(subject, 5)),
  );
  expect(sockets.filter(Boolean)).toHaveLength(4);
  await nodes[0]?.close();
  // A node that closes takes its sockets with it.
  const again = await Promise.all(Array.from({ length: 12 }, () => nodes[1]?.openSocket(subject, 5)));
  expect(again.filter(Boolean).length).toBeGreaterThan(0);
  await nodes[1]?.close();
});

withRedis.test(
  "two nodes on one Redis hold a caller's requests under way to one bound, and forget those that ended",
  async () => {
    const clock = manualClock(START);
    const wire = await breakableWire(Number(new URL(redis.url).port));
    const urls = [`redis://127.0.0.1:${wire.port}`, redis.url];
    const [one, other] = urls.map((url) => createRedisRate({ ...PATIENT, url, clock, now: clock.now })) as [
      RateLimiter,
      RateLimiter,
    ];
    const subject = freshSubject();
    const flights = new Map([one, other].map((rate) => [rate, { open: 0, arriving: 0 }]));
    const leave = (rate: RateLimiter, open: number) => Object.assign(flights.get(rate) ?? {}, { open });
    const take = async (rate: RateLimiter, here: number) => {
      const own = flights.get(rate) ?? { open: 0, arriving: 0 };
      const verdict = await rate.take(subject, 100_000, 1, { here, max: 10, flights: own });
      if (verdict.allowed) own.open = here;
      return verdict;
    };
    expect(await take(one, 6)).toMatchObject({ allowed: true });
    expect(await take(other, 4)).toMatchObject({ allowed: true, remaining: 99_998 });
    expect(await take(other, 5)).toMatchObject({ allowed: false, crowded: true });
    expect(await other.take(subject, 100_000, 0)).toMatchObject({ remaining: 99_998 });
    leave(one, 3);
    await eventually(async () => {
      // Said again and again, so that Redis forgets nothing for want of news.
      await take(other, 4);
      await clock.advance(300);
      return (await take(other, 5)).allowed;
    }, "the requests that ended are known to the other node");
    expect(await take(other, 8)).toMatchObject({ allowed: false, crowded: true });
    // The first node is cut off: what it said holds no longer than its lease.
    wire.cut();
    await clock.advance(5_001);
    expect(await take(other, 8)).toMatchObject({ allowed: true });
    let isClosed = false;
    void Promise.all([one.close(), other.close()]).then(() => {
      isClosed = true;
    });
    // The one that is cut off gives up on Redis when its deadline is over.
    await eventually(() => clock.advance(PATIENT.deadlineMs).then(() => isClosed), "both are closed");
    wire.close();
  },
);

withRedis.test("a node that died stops counting its sockets when its lease is over", async () => {
  const clock = manualClock(START);
  const create = () => createRedisRate({ ...PATIENT, url: redis.url, clock, now: clock.now });
  const [dead, alive] = [create(), create()];
  const subject = freshSubject();
  expect(await dead.openSocket(subject, 1)).toBe(true);
  expect(await alive.openSocket(subject, 1)).toBe(false);
  await clock.advance(30_001);
  expect(await alive.openSocket(subject, 1)).toBe(true);
  await alive.close();
  await dead.close();
});

withRedis.test(
  "without Redis a node counts by itself, says so, and shares again when Redis is back",
  async () => {
    const own = await throwAwayRedis();
    const clock = manualClock(START);
    const rate = createRedisRate({ url: own.url, clock, log: silent, now: clock.now });
    expect((await rate.take("a", 2)).allowed).toBe(true);
    expect(rate.degraded()).toBe(false);
    await own.kill();
    expect((await rate.take("a", 2)).allowed).toBe(true);
    expect(rate.degraded()).toBe(true);
    expect((await rate.take("a", 2)).allowed).toBe(true);
    expect((await rate.take("a", 2)).allowed).toBe(false);
    await own.start();
    await eventually(async () => {
      await clock.advance(1_100);
      await rate.take("b", 1_000);
      return !rate.degraded();
    }, "limits are shared again");
    await rate.close();
    await own.stop();
  },
);

withRedis.test("a node that says it shares its limits asks Redis", async () => {
  const own = await throwAwayRedis();
  const clock = manualClock(START);
  const rate = createRedisRate({ url: own.url, clock, log: silent, deadlineMs: 100, now: clock.now });
  expect((await rate.take("first", 2)).allowed).toBe(true);
  const admin = new Bun.RedisClient(own.url);
  await admin.send("CLIENT", ["PAUSE", "600000", "WRITE"]);
  // Each question is on its way, with its deadline set, before time continues.
  const late = rate.take("late", 2);
  await setImmediate();
  await clock.advance(60);
  const answered = rate.take("answered", 2);
  await setImmediate();
  await clock.advance(60);
  await late;
  expect(rate.degraded()).toBe(true);
  await admin.send("CLIENT", ["UNPAUSE"]);
  await answered;
  expect(rate.degraded()).toBe(false);
  // Counted by Redis, so that another node knows of it.
  await rate.take("after", 2);
  const other = createRedisRate({ ...PATIENT, url: own.url, clock, now: clock.now });
  expect((await other.take("after", 2, 0)).remaining).toBe(1);
  admin.close();
  await Promise.all([rate.close(), other.close()]);
  await own.stop();
});

test("headers are the draft's structured fields, with seconds rounded up", () => {
  const verdict = { allowed: true, limit: 60, remaining: 59, resetMs: 59_001 };
  expect(standingOf(verdict)).toEqual({ limit: '"minute";r=59;t=60', policy: '"minute";q=60;w=60' });
});
