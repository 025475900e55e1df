// A schedule is one line of contiguous segments, and the waiting times through it match its rates.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WorldSchedule } from "./schedule.ts";

describe("a schedule", () => {
  test("merges segments that continue at the same rate and replaces later plans", () => {
    const schedule = new WorldSchedule([{ from: 0, until: 1000, rate: 1 }]);
    schedule.put({ from: 1000, until: 2000, rate: 1 });
    expect(schedule.segments).toEqual([{ from: 0, until: 2000, rate: 1 }]);
    schedule.put({ from: 1500, until: 3000, rate: 5 });
    expect(schedule.segments).toEqual([
      { from: 0, until: 1500, rate: 1 },
      { from: 1500, until: 3000, rate: 5 },
    ]);
    schedule.put({ from: 1700, until: 1700, rate: 5 });
    expect(schedule.until).toBe(1700);
    expect(() => schedule.put({ from: 9000, until: 9100, rate: 5 })).toThrow("begin where");
  });

  test("reaches the expected work exactly when predicted", () => {
    const stretch = fc.record({
      ms: fc.integer({ min: 1, max: 100_000 }),
      rate: fc.integer({ min: 1, max: 5000 }),
    });
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (stretches, part) => {
          const schedule = new WorldSchedule();
          let from = 0;
          for (const { ms, rate } of stretches) {
            schedule.put({ from, until: from + ms, rate });
            from += ms;
          }
          const all = schedule.expected(0, from);
          const at = schedule.timeOf(all * part * 0.999, 0);
          expect(schedule.expected(0, at)).toBeCloseTo(all * part * 0.999, 3);
          expect(schedule.timeOf(all * 1.001 + 1, 0)).toBe(Number.POSITIVE_INFINITY);
        },
      ),
    );
  });
});
