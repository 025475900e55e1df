import { expect, test } from "bun:test";
import { inOrderOf } from "./in-order.ts";
import { seededRandom } from "./random.ts";

const SEED = process.env.SEED ?? "in order";
const compare = (a: number, b: number) => a - b;

test(`any list walked to its end is the list sorted, and stays as it was (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let size = 0; size < 70; size++) {
    const items = Array.from({ length: size }, () => random.below(20));
    const before = [...items];
    expect([...inOrderOf(items, compare)]).toEqual(items.toSorted(compare));
    expect(items).toEqual(before);
  }
});

test("a walk that ends early compares far less than sorting does", () => {
  const items = Array.from({ length: 20_000 }, (_, at) => (at * 7_919) % 20_011);
  let compared = 0;
  const counted = (a: number, b: number) => {
    compared += 1;
    return a - b;
  };
  expect([...inOrderOf(items, counted).take(100)]).toEqual(items.toSorted(compare).slice(0, 100));
  expect(compared).toBeLessThan(3 * items.length);
});
