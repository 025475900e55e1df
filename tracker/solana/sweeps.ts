// When to look at every wallet though nothing woke the reader, and when to compare all their holdings.
import type { Clock } from "../../kit/clock.ts";
import { LISTED_WALLETS_MAX } from "./limits.ts";
import { HOLDINGS_MS, PROBE_MS, SWEEP_MS } from "./times.ts";

export interface SweepTimes {
  /** How often to look at every wallet: with a source of news, and without. */
  sweepMs?: { woken: number; alone: number };
  /** How often to compare every wallet's holdings with what was read: finds transfers that name no owner. */
  holdingsMs?: number;
}

export interface Sweeps {
  /** Looks at every wallet next. */
  hurry(): void;
  /** Compares all holdings next. */
  hurryHoldings(): void;
  /** What is due now; marks it as done. */
  take(wallets: number): { sweep: boolean; holdings: boolean };
  /** Until the next look: now and then one only checks that the node answers. */
  restMs(wallets: number): number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export function createSweeps(clock: Clock, times: SweepTimes, isHearing: () => boolean): Sweeps {
  const { sweepMs = SWEEP_MS, holdingsMs = HOLDINGS_MS } = times;
  let sweptAt = NEVER;
  let comparedAt = NEVER;
  /** A full sweep costs more with more wallets, so the interval grows with them. */
  const shareOf = (wallets: number) => Math.max(1, wallets / LISTED_WALLETS_MAX);
  const dueInMs = (wallets: number) => {
    const everyMs = isHearing() ? sweepMs.woken : sweepMs.alone;
    return Math.max(0, sweptAt + everyMs * shareOf(wallets) - clock.now());
  };
  return {
    restMs: (wallets) => Math.min(PROBE_MS, dueInMs(wallets)),
    hurry() {
      sweptAt = NEVER;
    },
    hurryHoldings() {
      comparedAt = NEVER;
    },
    take(wallets) {
      const holdings = clock.now() >= comparedAt + holdingsMs * shareOf(wallets);
      const sweep = holdings || dueInMs(wallets) === 0;
      if (sweep) sweptAt = clock.now();
      if (holdings) comparedAt = clock.now();
      return { sweep, holdings };
    },
  };
}
