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

test("work in slices gives the same result at once and over turns, a few milliseconds each", async () => {
  const numbers = [3, 1, 4, 1, 5, 9, 2, 6];
  const turns = countTurns();
  const slices = { atOnce: [] as number[], inTurns: [] as number[] };
  expect(atOnce(sumOf(numbers, () => slices.atOnce.push(turns.now())))).toBe(31);
  expect(new Set(slices.atOnce).size).toBe(1);
  // Each slice takes three milliseconds: two can begin within five.
  let time = 0;
  const timed = sumOf(numbers, () => {
    time += 3;
    slices.inTurns.push(turns.now());
  });
  expect(await inTurns(timed, () => time)).toBe(31);
  turns.stop();
  const shared = Map.groupBy(slices.inTurns, (turn) => turn);
  expect([...shared.values()].map((group) => group.length)).toEqual([2, 2, 2, 2]);
});

test("an error in a slice ends the work", async () => {
  const failing = () =>
    sumOf([1, 2], () => {
      throw new Error("no");
    });
  expect(() => atOnce(failing())).toThrow("no");
  await expect(inTurns(failing())).rejects.toThrow("no");
});
