import { expect, test } from "bun:test";
import { countTurns } from "../test/support/turns.ts";
import { atOnce, inTurns } from "./slices.ts";

function* sumOf(numbers: readonly number[], each: () => void) {
  let sum = 0;
  for (const number of numbers) {
    each();
    sum += number;
    yield;
  }
  return sum;
}

test("work in slices comes to the same at once and a slice a turn", async () => {
  const numbers = [3, 1, 4, 1, 5, 9];
  const turns = countTurns();
  const slices = { atOnce: [] as number[], inTurns: [] as number[] };
  expect(atOnce(sumOf(numbers, () => slices.atOnce.push(turns.now())))).toBe(23);
  expect(await inTurns(sumOf(numbers, () => slices.inTurns.push(turns.now())))).toBe(23);
  turns.stop();
  expect(new Set(slices.atOnce).size).toBe(1);
  expect(new Set(slices.inTurns).size).toBe(numbers.length);
});

test("what a slice throws ends the work", async () => {
  const failing = () =>
    sumOf([1, 2], () => {
      throw new Error("no");
    });
  expect(() => atOnce(failing())).toThrow("no");
  await expect(inTurns(failing())).rejects.toThrow("no");
});
