import { expect, test } from "bun:test";
import { type NamedTick, ticksOfDeepPools } from "./tape.ts";

const tick = (at: number, pool: string | null, depthUsd: number | null): NamedTick => ({
  at,
  pool,
  depthUsd,
  priceUsd: at,
  feeBps: 30,
});
const timesOf = (ticks: readonly NamedTick[]) => ticksOfDeepPools(ticks).map(({ at }) => at);

test("of several pools, those far shallower than the deepest one are ignored for prices", () => {
  const ticks = [
    tick(1, "thin", 900),
    tick(2, "deep", 50_000),
    tick(3, "thin", 950),
    tick(4, "half", 26_000),
    tick(5, "deep", 49_000),
  ];
  // At first only the thin pool was known.
  expect(timesOf(ticks)).toEqual([1, 2, 4, 5]);
  // Later ticks change nothing before them, and a drained pool loses its place.
  expect(timesOf(ticks.slice(0, 3))).toEqual([1, 2]);
  expect(timesOf([...ticks, tick(6, "deep", 10), tick(7, "half", 25_000)])).toEqual([1, 2, 4, 5, 7]);
});

test("ticks of one pool, or of pools of unknown depth, are taken as they come", () => {
  expect(timesOf([tick(1, null, 10), tick(2, null, 5_000), tick(3, null, 1)])).toEqual([1, 2, 3]);
  expect(timesOf([tick(1, "a", null), tick(2, "b", null)])).toEqual([1, 2]);
});
