import { expect, test } from "bun:test";
import { manualClock } from "./clock.ts";
import { within } from "./timeout.ts";

const late = () => "late" as const;

test("work that ends in time keeps its own outcome, even an undefined or a failed one", async () => {
  const clock = manualClock(0);
  expect(await within(clock, 10, Promise.resolve("value"), late)).toBe("value");
  expect(await within(clock, 10, Promise.resolve(undefined), late)).toBeUndefined();
  await expect(within(clock, 10, Promise.reject(new Error("broken")), late)).rejects.toThrow("broken");
});

test("work that takes longer is given up on, and its later failure harms no one", async () => {
  const clock = manualClock(0);
  const work = Promise.withResolvers<string>();
  const outcome = within(clock, 10, work.promise, late);
  await clock.advance(10);
  expect(await outcome).toBe("late");
  work.reject(new Error("too late to matter"));
  await clock.advance(0);
});

test("being late may be an error", async () => {
  const clock = manualClock(0);
  const outcome = within(clock, 10, new Promise(() => {}), () => {
    throw new Error("no answer");
  });
  outcome.catch(() => undefined);
  await clock.advance(10);
  await expect(outcome).rejects.toThrow("no answer");
});
