// Slices over several nodes of one Redis: never more than the limit in any minute, nothing withheld for longer than a
// second, and few questions.
import { expect } from "bun:test";
import { RedisClient } from "bun";
import fc from "fast-check";
import { type ManualClock, manualClock } from "../../../kit/clock.ts";
import { needing } from "../../../test/support/needing.ts";
import { type ThrowAwayRedis, throwAwayRedis } from "../../../test/support/redis.ts";
import { START, silent } from "../test-support.ts";
import { type RateLimiter, WINDOW_MS } from "./rate.ts";
import { createRedisRate } from "./rate-redis.ts";

const { afterAll, beforeAll, test } = needing("redis");

let redis: ThrowAwayRedis;
beforeAll(async () => {
  redis = await throwAwayRedis();
});
afterAll(() => redis.stop());

/** Counts are exact only while Redis answers in time, and on a busy machine it may need its time. */
const DEADLINE_MS = 5_000;
let subjects = 0;
const freshSubject = () => `sliced-${++subjects}`;
const nodesOn = (clock: ManualClock, count: number): RateLimiter[] =>
  Array.from({ length: count }, () =>
    createRedisRate({ url: redis.url, clock, log: silent, now: clock.now, deadlineMs: DEADLINE_MS }),
  );
const allowedOf = async (node: RateLimiter, subject: string, limit: number, requests: number) => {
  const verdicts = await Promise.all(Array.from({ length: requests }, () => node.take(subject, limit)));
  return verdicts.filter((verdict) => verdict.allowed).length;
};
/** Time passed, and what the nodes asked of Redis meanwhile was answered: each asks one thing after another. */
async function passed(
  clock: ManualClock,
  nodes: readonly RateLimiter[],
  milliseconds: number,
): Promise<void> {
  for (let left = milliseconds; left > 0; left -= STEP_MS) {
    await clock.advance(Math.min(left, STEP_MS));
    await Promise.all(nodes.map((node) => node.take("another", 1, 0)));
  }
}
/** As often as nodes look after what they hold. */
const STEP_MS = 250;

test("no minute over three nodes holds more than the limit, whatever comes when and where", async () => {
  const clock = manualClock(START);
  const nodes = nodesOn(clock, 3);
  const step = fc.record({
    node: fc.nat(2),
    requests: fc.integer({ min: 1, max: 120 }),
    waitMs: fc.constantFrom(0, 1, 40, 300, 699, 701, 1_500, 20_000, 59_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(30, 200, 600),
      async (steps, limit) => {
        const subject = freshSubject();
        const times: number[] = [];
        for (const { node, requests, waitMs } of steps) {
          await passed(clock, nodes, waitMs);
          const allowed = await allowedOf(nodes[node] as RateLimiter, subject, limit, requests);
          times.push(...Array(allowed).fill(clock.now()));
        }
        for (const at of new Set(times)) {
          const inMinute = times.filter((time) => time <= at && time > at - WINDOW_MS).length;
          expect(inMinute).toBeLessThanOrEqual(limit);
        }
      },
    ),
    { numRuns: 30 },
  );
  await Promise.all(nodes.map((node) => node.close()));
}, 900_000);

test("what one node took and does not use, another may use within a second", async () => {
  const clock = manualClock(START);
  const [one, other] = nodesOn(clock, 2) as [RateLimiter, RateLimiter];
  const subject = freshSubject();
  let used = 0;
  for (let i = 0; i < 6; i++) used += await allowedOf(one, subject, 600, 20);
  expect(used).toBe(120);
  await passed(clock, [one, other], 1_000);
  used += await allowedOf(other, subject, 600, 600);
  expect(used).toBe(600);
  expect((await other.take(subject, 600)).allowed).toBe(false);
  await Promise.all([one.close(), other.close()]);
});

test("what one node holds and another is short of, is given back though it does not rest", async () => {
  const clock = manualClock(START);
  const [one, other] = nodesOn(clock, 2) as [RateLimiter, RateLimiter];
  const subject = freshSubject();
  let used = 0;
  for (let i = 0; i < 6; i++) used += await allowedOf(one, subject, 600, 20);
  used += await allowedOf(other, subject, 600, 600);
  expect(used).toBeLessThan(600);
  // Too short a time for anything to rest or run out.
  await passed(clock, [one, other], 500);
  used += await allowedOf(other, subject, 600, 600);
  expect(used).toBe(600);
  expect((await one.take(subject, 600)).allowed).toBe(false);
  await Promise.all([one.close(), other.close()]);
});

/** A caller's requests on some nodes, each counted from when it is let in until it ends. */
function underWayOn(nodes: readonly RateLimiter[], subject: string, max: number) {
  const flights = nodes.map(() => ({ open: 0, arriving: 0 }));
  return {
    all: () => flights.reduce((sum, { open }) => sum + open, 0),
    async begin(index: number): Promise<boolean> {
      const own = flights[index] as (typeof flights)[number];
      const flight = { here: own.open + own.arriving + 1, max, flights: own };
      own.arriving += 1;
      const { allowed } = await (nodes[index] as RateLimiter).take(subject, 3_000_000, 1, flight);
      own.arriving -= 1;
      if (allowed) own.open += 1;
      return allowed;
    },
    end(index: number, count: number): void {
      const own = flights[index] as (typeof flights)[number];
      own.open -= Math.min(own.open, count);
    },
  };
}

test("no more are under way over three nodes than may be, whatever begins and ends when and where", async () => {
  const clock = manualClock(START);
  const nodes = nodesOn(clock, 3);
  const step = fc.record({
    node: fc.nat(2),
    begin: fc.integer({ min: 0, max: 30 }),
    end: fc.integer({ min: 0, max: 30 }),
    together: fc.boolean(),
    waitMs: fc.constantFrom(0, 1, 300, 701, 1_500, 2_999, 12_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom(1, 10, 60, 400),
      async (steps, max) => {
        const requests = underWayOn(nodes, freshSubject(), max);
        for (const { node, begin, end, together, waitMs } of steps) {
          await passed(clock, nodes, waitMs);
          requests.end(node, end);
          const begun = Array.from({ length: begin }, () => () => requests.begin(node));
          if (together) await Promise.all(begun.map((start) => start()));
          else for (const start of begun) await start();
          expect(requests.all()).toBeLessThanOrEqual(max);
        }
      },
    ),
    { numRuns: 40 },
  );
  await Promise.all(nodes.map((node) => node.close()));
}, 900_000);

test("a refused request leaves the places of those under way counted for as long as their node goes by them", async () => {
  const clock = manualClock(START);
  const nodes = nodesOn(clock, 2);
  const requests = underWayOn(nodes, freshSubject(), 1);
  expect(await requests.begin(0)).toBe(true);
  await passed(clock, nodes, 2_100);
  expect(await requests.begin(0)).toBe(false);
  // Past the time for which the first answer of Redis held, and just short of that of the second.
  await passed(clock, nodes, 2_999);
  expect(await requests.begin(1)).toBe(false);
  await Promise.all(nodes.map((node) => node.close()));
});

test("all places can be had: a node that is alone has them at once, and one among others soon", async () => {
  const clock = manualClock(START);
  const nodes = nodesOn(clock, 2);
  const requests = underWayOn(nodes, freshSubject(), 40);
  for (let i = 0; i < 40; i++) expect(await requests.begin(0)).toBe(true);
  expect(await requests.begin(1)).toBe(false);
  requests.end(0, 30);
  await passed(clock, nodes, 500);
  for (let i = 0; i < 30; i++) expect(await requests.begin(1)).toBe(true);
  await Promise.all(nodes.map((node) => node.close()));
});

test("a node that closes gives back what it holds at once, and one that dies blocks no one for long", async () => {
  const clock = manualClock(START);
  const [closing, dying, other] = nodesOn(clock, 3) as [RateLimiter, RateLimiter, RateLimiter];
  const [a, b] = [freshSubject(), freshSubject()];
  for (let i = 0; i < 4; i++) {
    await allowedOf(closing, a, 400, 20);
    await allowedOf(dying, b, 400, 20);
  }
  await closing.close();
  expect(await allowedOf(other, a, 400, 400)).toBe(320);
  // What became of a dead node's slice is not known, so it counts as used; the rest is free.
  const left = await allowedOf(other, b, 400, 400);
  expect(left).toBeLessThanOrEqual(320);
  expect(left).toBeGreaterThan(240);
  await clock.advance(WINDOW_MS + 5_000);
  expect(await allowedOf(other, b, 400, 400)).toBe(400);
  await Promise.all([dying.close(), other.close()]);
});

test("a request leaves the window a minute after it was made, however late it was accounted for", async () => {
  const clock = manualClock(START);
  const [one, other] = nodesOn(clock, 2) as [RateLimiter, RateLimiter];
  const subject = freshSubject();
  for (let i = 0; i < 4; i++) expect(await allowedOf(one, subject, 400, 20)).toBe(20);
  // Keeps the slice in use, so that it is accounted for when it runs out.
  for (let i = 0; i < 7; i++) {
    await passed(clock, [one, other], 250);
    expect(await allowedOf(one, subject, 400, 1)).toBe(1);
  }
  await clock.advance(WINDOW_MS - 7 * STEP_MS + 500);
  await passed(clock, [one, other], 1);
  const later = await allowedOf(other, subject, 400, 400);
  expect(later).toBeGreaterThanOrEqual(400 - 7);
  await Promise.all([one.close(), other.close()]);
});

test("Redis is asked at most once for twenty requests of callers with 25 a second, some under way at once", async () => {
  const clock = manualClock(START);
  const [node] = nodesOn(clock, 1) as [RateLimiter];
  const asked = async () => {
    const client = new RedisClient(redis.url);
    const text = String(await client.send("INFO", ["commandstats"]));
    client.close();
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(text)?.[1] ?? 0);
  };
  const callers = Array.from({ length: 40 }, freshSubject);
  const flights = callers.map(() => ({ open: 0, arriving: 0 }));
  const before = await asked();
  const rounds = 200;
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of callers.entries()) {
      const own = flights[index] as (typeof flights)[number];
      own.open = (round * 7 + index) % 6;
      const flight = { here: own.open + 1, max: 250, flights: own };
      expect((await node.take(subject, 3_000, 1, flight)).allowed).toBe(true);
    }
    await clock.advance(40);
  }
  expect((await asked()) - before).toBeLessThanOrEqual((rounds * callers.length) / 20);
  await node.close();
});
