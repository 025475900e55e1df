// The tape read from the platform.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../kit/units.ts";
import { BASE, MIDNIGHT, token } from "../../../test/support/nouns.ts";
import { hourOf, type TapeHour } from "../../model/tape.ts";
import { type StoreBench, withStore } from "../suite-support.ts";

const FIRST = hourOf(MIDNIGHT);
const PLENTY = 1_000_000;

function tapeHour(hour: number, ticks = 3): TapeHour {
  const from = hour * HOUR_MS;
  return {
    hour,
    readAt: MIDNIGHT,
    covered: [{ from: from + 1, to: from + HOUR_MS }],
    ticks: Array.from({ length: ticks }, (_, tick) => ({
      at: from + tick * 1_000,
      priceUsd: 0.1 + tick / 3,
      depthUsd: tick === 1 ? null : 12_345.678,
      feeBps: 30,
    })),
  };
}

export function tapeSuite(bench: StoreBench): void {
  describe("the tape", () => {
    test(
      "comes back bit for bit, by token, chain and hour; saving again replaces it",
      withStore(bench, async ({ tape }) => {
        const amount = fc.double({ min: 0, noNaN: true });
        const tick = fc.record({
          at: fc.integer({ min: 0, max: HOUR_MS - 1 }),
          priceUsd: amount,
          depthUsd: fc.option(amount),
          feeBps: fc.integer({ min: 0, max: 10_000 }),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(tick), fc.integer({ min: 0, max: 5 }), async (drawn, later) => {
            const hour = FIRST + later;
            const ticks = drawn.map((one) => ({ ...one, at: hour * HOUR_MS + one.at }));
            const wanted = { ...tapeHour(hour), ticks };
            await tape.save(token(), [wanted], PLENTY);
            expect(await tape.hours(token(), [hour])).toEqual([wanted]);
          }),
          { numRuns: 20 },
        );
        const [one, two] = [tapeHour(FIRST + 10), tapeHour(FIRST + 11, 0)];
        await tape.save(token(), [one, two], PLENTY);
        expect(await tape.hours(token(), [FIRST + 9, FIRST + 11, FIRST + 10])).toEqual([one, two]);
        expect(await tape.hours(token({ networkId: BASE }), [FIRST + 10])).toEqual([]);
        expect(await tape.hours(token({ address: "another" }), [FIRST + 10])).toEqual([]);
      }),
    );

    test(
      "stays within its bytes, the oldest hours make room, and the count of them never drifts",
      withStore(bench, async ({ tape }) => {
        await tape.save(token(), [tapeHour(FIRST, 100)], PLENTY);
        const hourBytes = await tape.bytes();
        expect(hourBytes).toBeGreaterThan(2_000);
        const bytesMax = 40 * hourBytes;
        const hours = Array.from({ length: 60 }, (_, index) => FIRST + index);
        for (const hour of hours) {
          await tape.save(token(), [tapeHour(hour, 100)], bytesMax);
          await tape.save(token(), [tapeHour(hour, 100)], bytesMax);
          expect(await tape.bytes()).toBeLessThanOrEqual(bytesMax);
        }
        const kept = (await tape.hours(token(), hours)).map(({ hour }) => hour);
        expect(kept).toEqual(hours.slice(-kept.length));
        expect(kept.length).toBeGreaterThan(0);
        expect(await tape.bytes()).toBe(kept.length * hourBytes);
        const before = (kept[2] ?? 0) * HOUR_MS;
        expect([
          await tape.prune(before, 1),
          await tape.prune(before, 9),
          await tape.prune(before, 9),
        ]).toEqual([1, 1, 0]);
        expect(await tape.bytes()).toBe((kept.length - 2) * hourBytes);
      }),
    );
  });
}
