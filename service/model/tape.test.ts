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

test("of several pools, those far below the deepest one price nothing", () => {
  const ticks = [
    tick(1, "thin", 900),
    tick(2, "deep", 50_000),
    tick(3, "thin", 950),
    tick(4, "half", 26_000),
    tick(5, "deep", 49_000),
  ];
  // The thin one was all that was known at first.
  expect(timesOf(ticks)).toEqual([1, 2, 4, 5]);
  // What comes later changes nothing before it, and a pool that was emptied gives way.
  expect(timesOf(ticks.slice(0, 3))).toEqual([1, 2]);
  expect(timesOf([...ticks, tick(6, "deep", 10), tick(7, "half", 25_000)])).toEqual([1, 2, 4, 5, 7]);
});

test("one pool, or pools of which nobody says how deep they are, are taken as they come", () => {
  expect(timesOf([tick(1, null, 10), tick(2, null, 5_000), tick(3, null, 1)])).toEqual([1, 2, 3]);
  expect(timesOf([tick(1, "a", null), tick(2, "b", null)])).toEqual([1, 2]);
});
