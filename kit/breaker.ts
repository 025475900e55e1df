// A circuit breaker. It opens when too large a share of recent results were failures, refuses calls while open,
// then lets one probe through at a time; a success closes it, a failure doubles the wait. Waits are jittered so that
// many nodes do not probe in sync. Results of calls that began before it opened do not count.
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export type BreakerState = "closed" | "open" | "halfOpen";

/** Permission for one call. Exactly one of its outcomes is reported, once. */
export interface Permit {
  succeeded(): void;
  failed(): void;
  /** The call says nothing about the other side's health: its caller left, or it was never sent. */
  abandoned(): void;
}

export interface Breaker {
  /** null: the breaker is open. */
  admit(): Permit | null;
  state(): BreakerState;
}

export interface BreakerOptions {
  clock: Clock;
  random: Random;
  /** How many of the latest results are judged. */
  windowCalls: number;
  /** Older results are ignored. */
  windowMs: number;
  /** The minimum number of results to judge by. */
  leastCalls: number;
  /** The share of failures, from 0 to 1, at which it opens. */
  failureShare: number;
  restMs: number;
  restMsMax: number;
  onChange?: (state: BreakerState) => void;
}

/** A wait lasts between this share of its length and all of it. */
const LEAST_REST_SHARE = 0.75;

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, random } = options;
  let state: BreakerState = "closed";
  let results: { at: number; failed: boolean }[] = [];
  let restMs = options.restMs;
  let restUntil = 0;
  let trying = false;
  /** Incremented on every state change, so that a late result of an earlier state is ignored. */
  let generation = 0;

  const become = (next: BreakerState) => {
    state = next;
    generation += 1;
    trying = false;
    results = [];
    options.onChange?.(next);
  };
  const open = () => {
    restUntil = clock.now() + restMs * (LEAST_REST_SHARE + (1 - LEAST_REST_SHARE) * random.next());
    restMs = Math.min(restMs * 2, options.restMsMax);
    become("open");
  };
  const record = (failed: boolean) => {
    if (state === "halfOpen") {
      if (failed) return open();
      restMs = options.restMs;
      return become("closed");
    }
    const now = clock.now();
    results.push({ at: now, failed });
    if (results.length > options.windowCalls) results.shift();
    if (!failed) return;
    const recent = results.filter((result) => now - result.at <= options.windowMs);
    const failures = recent.filter((result) => result.failed).length;
    if (recent.length >= options.leastCalls && failures >= recent.length * options.failureShare) open();
  };
  const permit = (): Permit => {
    const asked = generation;
    let ended = false;
    const end = (finish: () => void) => () => {
      if (ended || asked !== generation) return;
      ended = true;
      finish();
    };
    return {
      succeeded: end(() => record(false)),
      failed: end(() => record(true)),
      abandoned: end(() => {
        trying = false;
      }),
    };
  };

  return {
    admit: () => {
      if (state === "open" && clock.now() >= restUntil) become("halfOpen");
      if (state === "open" || (state === "halfOpen" && trying)) return null;
      trying = state === "halfOpen";
      return permit();
    },
    state: () => state,
  };
}
