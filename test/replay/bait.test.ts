// The claim of docs/replay.md in short: accounts that trade against their followers are flagged, and hardly anybody else is.
// The table over ten seeds is made by `npm run bench -- bait`.
import { expect, test } from "bun:test";
import { isCaught, judgeWorld } from "../support/bait.ts";
import { START_MS_MAX } from "../support/live-service.ts";

test(
  "baiters are flagged by wins on which followers lose and by one more, and at most 5 % of the others are",
  async () => {
    const judged = await judgeWorld({
      seed: "short",
      traders: 80,
      days: 2,
      eventsPerSecond: 0.02,
      baiters: 3,
    });
    const bait = judged.filter(({ isBait }) => isBait);
    expect(bait.map(isCaught)).toEqual([true, true, true]);
    const others = judged.filter(({ isBait }) => !isBait);
    expect(others.length).toBeGreaterThan(80);
    expect(others.filter(isCaught).length / others.length).toBeLessThanOrEqual(0.05);
    // Their gains are others' losses: each has a copier, and the copier loses.
    expect(judged.filter(({ isBaited }) => isBaited)).toHaveLength(3);
  },
  START_MS_MAX,
);
