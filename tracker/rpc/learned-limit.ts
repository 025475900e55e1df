// How much a provider takes at once, found by trial, because providers don't state it in machine-readable form. A refused size
// is not tried again for an hour, so a limit is found in a few calls and then costs nothing.
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";

export interface LearnedLimit {
  current(): number;
  accepted(count: number): void;
  /** More than it ever takes; `stated` is a number from its message that may be the limit. */
  refused(count: number, stated: number | null): void;
  /** Too much this time: the next one of this size may be lighter. */
  strained(count: number): void;
}

const GROWTH = 1.25;
/** Providers change their limits, and messages are misparsed: both recover. */
const FORGET_MS = HOUR_MS;

export function createLearnedLimit(max: number, clock: Pick<Clock, "now">): LearnedLimit {
  let ceiling = max;
  let ceilingUntil = Number.POSITIVE_INFINITY;
  let current = max;
  let good = 0;
  const within = (count: number) => Math.max(1, Math.min(ceiling, Math.floor(count)));
  return {
    current: () => current,
    accepted(count) {
      good = Math.max(good, count);
      if (clock.now() >= ceilingUntil) {
        ceiling = max;
        ceilingUntil = Number.POSITIVE_INFINITY;
      }
      if (count >= current) current = within(Math.ceil(current * GROWTH));
    },
    refused(count, stated) {
      ceiling = Math.max(1, count - 1);
      ceilingUntil = clock.now() + FORGET_MS;
      good = good < count ? good : 0;
      current = within(stated ?? (good > 0 ? good : count / 2));
    },
    strained(count) {
      current = within(count / 2);
    },
  };
}
