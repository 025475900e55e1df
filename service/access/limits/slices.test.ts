// Slices over several nodes of one Redis: never more than the limit in any minute, nothing withheld for longer than a
// second, and few questions.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { RedisClient } from "bun";
import fc from "fast-check";
import { type ManualClock, manualClock } from "../../../kit/clock.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type ThrowAwayRedis, throwAwayRedis } from "../../../test/support/redis.ts";
import { START, silent } from "../test-support.ts";
import { type RateLimiter, WINDOW_MS } from "./rate.ts";
import { createRedisRate } from "./rate-redis.ts";

let redis: ThrowAwayRedis;
beforeAll(async () => {
  redis = await throwAwayRedis();
});
afterAll(() => redis.stop());

let subjects = 0;
const freshSubject = () => `sliced-${++subjects}`;
const nodesOn = (clock: ManualClock, count: number): RateLimiter[] =>
  Array.from({ length: count }, () =>
    createRedisRate({ url: redis.url, clock, log: silent, now: clock.now }),
  );
const allowedOf = async (node: RateLimiter, subject: string, limit: number, requests: number) => {
  const verdicts = await Promise.all(Array.from({ length: requests }, () => node.take(subject, limit)));
  return verdicts.filter((verdict) => verdict.allowed).length;
};

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
          await clock.advance(waitMs);
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
}, 60_000);

test("what one node took and does not use, another may use within a second", async () => {
  const clock = manualClock(START);
  const [one, other] = nodesOn(clock, 2) as [RateLimiter, RateLimiter];
  const subject = freshSubject();
  let used = 0;
  for (let i = 0; i < 6; i++) used += await allowedOf(one, subject, 600, 20);
  expect(used).toBe(120);
  await clock.advance(750);
  await eventually(async () => {
    used += await allowedOf(other, subject, 600, 40);
    return used === 600;
  }, "the whole limit was used");
  expect((await other.take(subject, 600)).allowed).toBe(false);
  await Promise.all([one.close(), other.close()]);
});

test("a node that closes gives back what it holds at once, and one that dies keeps nobody waiting for long", async () => {
  const clock = manualClock(START);
  const [closing, dying, other] = nodesOn(clock, 3) as [RateLimiter, RateLimiter, RateLimiter];
  const [a, b] = [freshSubject(), freshSubject()];
  for (let i = 0; i < 4; i++) {
    await allowedOf(closing, a, 400, 20);
    await allowedOf(dying, b, 400, 20);
  }
  await closing.close();
  expect(await allowedOf(other, a, 400, 400)).toBe(320);
  // Nobody knows what became of a dead node's slice, so it counts as used; the rest is free.
  const left = await allowedOf(other, b, 400, 400);
  expect(left).toBeLessThanOrEqual(320);
  expect(left).toBeGreaterThan(240);
  await clock.advance(WINDOW_MS + 3_000);
  expect(await allowedOf(other, b, 400, 400)).toBe(400);
  await Promise.all([dying.close(), other.close()]);
});

test("Redis is asked at most once for twenty requests of a busy caller", async () => {
  const clock = manualClock(START);
  const [node] = nodesOn(clock, 1) as [RateLimiter];
  const asked = async () => {
    const client = new RedisClient(redis.url);
    const text = String(await client.send("INFO", ["commandstats"]));
    client.close();
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(text)?.[1] ?? 0);
  };
  const subject = freshSubject();
  const before = await asked();
  for (let i = 0; i < 2_000; i++) {
    const flight = { here: 1 + (i % 8), max: 250 };
    expect((await node.take(subject, 3_000_000, 1, flight)).allowed).toBe(true);
    if (i % 20 === 0) await clock.advance(20);
  }
  expect((await asked()) - before).toBeLessThanOrEqual(100);
  await node.close();
});
