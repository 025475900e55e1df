import { expect, test } from "bun:test";
import { knownFirst } from "./known-first.ts";

test("unknown values come last, in either direction", () => {
  const figures = [2, null, -1, 3, null];
  expect(figures.toSorted((a, b) => knownFirst(a, b, "asc"))).toEqual([-1, 2, 3, null, null]);
  expect(figures.toSorted((a, b) => knownFirst(a, b, "desc"))).toEqual([3, 2, -1, null, null]);
});
