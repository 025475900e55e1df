// What time it is in a test's world: the same moment at each start, and a clock that goes on from there and can be pushed and held.
import { type Clock, systemClock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";

export interface SteeredClock extends Clock {
  push(milliseconds: number): void;
  /** Time stands still until it is released. */
  hold(): void;
  release(): void;
}

/**
 * Every day has another world, so they all begin on the same one: what is red once is red again. `WORLD=7` chooses
 * another, for who looks for what holds in one world only.
 */
export const WORLD = Number(process.env.WORLD ?? 0);
export const STARTS_AT = Date.UTC(2026, 4, 18, 9) + WORLD * 29 * HOUR_MS;

export function steeredClock(startsAt = STARTS_AT): SteeredClock {
  const real = systemClock();
  let aheadMs = startsAt - real.now();
  let heldAt: number | null = null;
  return {
    now: () => heldAt ?? real.now() + aheadMs,
    sleep: real.sleep,
    push: (milliseconds) => {
      aheadMs += milliseconds;
      if (heldAt !== null) heldAt += milliseconds;
    },
    hold: () => {
      heldAt = real.now() + aheadMs;
    },
    release: () => {
      heldAt = null;
    },
  };
}

/** For who needs no hand on it: one for all, so that no two parts of a test disagree. */
export const testClock: Clock = steeredClock();
