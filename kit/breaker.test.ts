import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BreakerOptions, type BreakerState, createBreaker } from "./breaker.ts";
import { manualClock } from "./clock.ts";
import { seededRandom } from "./random.ts";

function setUp(changed: Partial<BreakerOptions> = {}) {
  const clock = manualClock(1_000);
  const states: BreakerState[] = [];
  const breaker = createBreaker({
    clock,
    random: seededRandom("breaker"),
    windowCalls: 10,
    windowMs: 10_000,
    leastCalls: 4,
    failureShare: 0.5,
    restMs: 1_000,
    restMsMax: 4_000,
    onChange: (state) => states.push(state),
    ...changed,
  });
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.admit()?.failed();
  };
  return { clock, breaker, states, fail };
}

describe("breaker", () => {
  test("stays closed until there is enough evidence, then opens", () => {
    const { breaker, fail } = setUp();
    fail(3);
    expect(breaker.state()).toBe("closed");
    fail(1);
    expect(breaker.state()).toBe("open");
    expect(breaker.admit()).toBeNull();
  });

  test("a share of failures below the bar does not open it", () => {
    const { breaker } = setUp();
    for (let i = 0; i < 50; i++) {
      const permit = breaker.admit();
      if (i % 3 === 2) permit?.failed();
      else permit?.succeeded();
    }
    expect(breaker.state()).toBe("closed");
  });

  test("failures older than the window are forgotten", async () => {
    const { breaker, fail, clock } = setUp();
    fail(3);
    await clock.advance(10_001);
    fail(3);
    expect(breaker.state()).toBe("closed");
  });

  test("after its rest one call tries; while it does, others are refused; success closes it", async () => {
    const { breaker, fail, clock, states } = setUp();
    fail(4);
    await clock.advance(1_000);
    const permit = breaker.admit();
    expect(permit).not.toBeNull();
    expect(breaker.admit()).toBeNull();
    permit?.succeeded();
    expect(breaker.state()).toBe("closed");
    expect(breaker.admit()).not.toBeNull();
    expect(states).toEqual(["open", "halfOpen", "closed"]);
  });

  test("a bad try opens it for longer, up to the longest rest", async () => {
    const { breaker, fail, clock } = setUp();
    fail(4);
    for (const restMs of [1_000, 2_000, 4_000, 4_000]) {
      await clock.advance(restMs * 0.75 - 1);
      expect(breaker.admit()).toBeNull();
      await clock.advance(restMs * 0.25 + 1);
      breaker.admit()?.failed();
      expect(breaker.state()).toBe("open");
    }
  });

  test("an abandoned try leaves room for the next one", async () => {
    const { breaker, fail, clock } = setUp();
    fail(4);
    await clock.advance(1_000);
    breaker.admit()?.abandoned();
    expect(breaker.state()).toBe("halfOpen");
    expect(breaker.admit()).not.toBeNull();
  });

  test("a call that began before it opened does not close it", async () => {
    const { breaker, fail, clock } = setUp();
    const early = breaker.admit();
    fail(4);
    await clock.advance(1_000);
    const late = breaker.admit();
    early?.succeeded();
    expect(breaker.state()).toBe("halfOpen");
    late?.failed();
    expect(breaker.state()).toBe("open");
  });

  test("whatever happens, at most one call tries at a time and a rested breaker always admits one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constant("admit" as const),
            fc.constantFrom("succeeded" as const, "failed" as const, "abandoned" as const),
            fc.integer({ min: 1, max: 5_000 }),
          ),
          { maxLength: 60 },
        ),
        async (steps) => {
          const { breaker, clock } = setUp();
          const out: NonNullable<ReturnType<typeof breaker.admit>>[] = [];
          for (const step of steps) {
            if (typeof step === "number") await clock.advance(step);
            else if (step === "admit") {
              const permit = breaker.admit();
              if (permit) out.push(permit);
              if (breaker.state() === "halfOpen") expect(breaker.admit()).toBeNull();
            } else out.shift()?.[step]();
          }
          for (const permit of out) permit.abandoned();
          await clock.advance(4_000);
          expect(breaker.admit()).not.toBeNull();
        },
      ),
      { numRuns: 100 },
    );
  });
});
