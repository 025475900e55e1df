// One seed, one world: however it is advanced, and whatever is read from it meanwhile.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createApi } from "../views/api.ts";
import { fingerprint, smallWorld, TEST_GENESIS } from "./test-worlds.ts";

describe("the world", () => {
  test("is the same for the same seed, and differs for another", () => {
    const worlds = ["one", "one", "two"].map((seed) => smallWorld(seed, { seconds: 20_000, rate: 0.4 }));
    for (const world of worlds) world.advance(Number.POSITIVE_INFINITY);
    const [first, second, other] = worlds.map(fingerprint);
    expect(second).toBe(first as string);
    expect(other).not.toBe(first as string);
  });

  test("does not depend on how advances are split, on reads or on further planning", () => {
    const whole = smallWorld("cuts", { seconds: 4_000, rate: 1.5 });
    whole.advance(Number.POSITIVE_INFINITY);
    const expected = fingerprint(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000 }), { maxLength: 30 }), (cuts) => {
        const world = smallWorld("cuts", { seconds: 1, rate: 1.5 });
        const api = createApi(world);
        let planned = TEST_GENESIS + 1000;
        for (const cut of [...cuts.sort((a, b) => a - b), 4_000_000]) {
          while (!world.advance(TEST_GENESIS + cut, 1 + (cut % 97)));
          const until = Math.max(planned, TEST_GENESIS + cut);
          world.context.schedule.put({ from: planned, until, rate: 1.5 });
          planned = until;
          world.advance(TEST_GENESIS + cut);
          api.leaderboard("24h");
          api.appFeed(0, 50);
        }
        expect(fingerprint(world)).toBe(expected);
      }),
      { numRuns: 5 },
    );
  }, 900_000);

  test("never goes past its schedule", () => {
    const world = smallWorld("edge", { seconds: 100, rate: 1 });
    world.advance(TEST_GENESIS + 500_000);
    expect(world.time).toBe(TEST_GENESIS + 100_000);
    const { events } = world;
    world.advance(TEST_GENESIS + 900_000);
    expect(world.events).toBe(events);
  });

  test("runs at the planned rate, bursts and copies included", () => {
    const week = 7 * 86_400;
    const world = smallWorld("rate", { seconds: week, rate: 0.04 });
    world.advance(TEST_GENESIS);
    const { counters } = world.context.state;
    const before = counters.fills + counters.perps;
    world.advance(Number.POSITIVE_INFINITY);
    const happened = counters.fills + counters.perps - before;
    // A whole week, so that hours and weekdays even out; a few events find nothing to do.
    expect(happened).toBeGreaterThan(week * 0.04 * 0.93);
    expect(happened).toBeLessThan(week * 0.04 * 1.04);
  });
});
