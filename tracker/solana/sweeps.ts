// When every wallet is looked at though nothing woke the reader, and when what they all hold is compared.
import type { Clock } from "../../kit/clock.ts";
import { LISTED_WALLETS_MAX } from "./limits.ts";
import { HOLDINGS_MS, PROBE_MS, SWEEP_MS } from "./times.ts";

export interface SweepTimes {
  /** How often everybody is looked at: while news are heard, and while not. */
  sweepMs?: { woken: number; alone: number };
  /** How often what every wallet holds is compared with what was read: finds transfers that name no owner. */
  holdingsMs?: number;
}

export interface Sweeps {
  /** Everybody is looked at next. */
  hurry(): void;
  /** What everybody holds is compared next. */
  hurryHoldings(): void;
  /** What is due now, and counts as done. */
  take(wallets: number): { sweep: boolean; holdings: boolean };
  /** Until the next look: now and then there is one only to see that the node answers. */
  restMs(wallets: number): number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export function createSweeps(clock: Clock, times: SweepTimes, isHearing: () => boolean): Sweeps {
  const { sweepMs = SWEEP_MS, holdingsMs = HOLDINGS_MS } = times;
  let sweptAt = NEVER;
  let comparedAt = NEVER;
  /** What it costs to look at everybody grows with them: so does the time until the next look. */
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
