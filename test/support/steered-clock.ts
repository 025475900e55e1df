// The clock of a test's world: the same moment at each start, and then running, with a way to push and hold it.
import { type Clock, systemClock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";

export interface SteeredClock extends Clock {
  push(milliseconds: number): void;
  /** Time stops until it is released. */
  hold(): void;
  release(): void;
}

/**
 * The world differs by day, so all tests start on the same one: a failure is reproducible. `WORLD=7` chooses another, to look
 * for claims that hold in one world only.
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

/** For tests that don't steer it: one for all, so that no two parts of a test disagree. */
export const testClock: Clock = steeredClock();
