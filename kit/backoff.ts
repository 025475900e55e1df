// Exponential backoff with jitter: the wait after the n-th consecutive failure doubles up to a bound, so that a
// failing upstream is called less and less often and many nodes do not retry in sync. A success resets it.
import type { Random } from "./random.ts";

export interface Backoff {
  nextMs(): number;
  reset(): void;
  failures(): number;
}

/** Half of a wait is fixed, the other half is random: enough jitter, and never a zero wait. */
const CERTAIN_SHARE = 0.5;

export function createBackoff(random: Random, firstMs: number, msMax: number): Backoff {
  let failures = 0;
  return {
    nextMs() {
      // 2 ** 30 is past the bound already; this keeps the exponent from overflowing after days of failures.
      const wholeMs = Math.min(firstMs * 2 ** Math.min(failures, 30), msMax);
      failures += 1;
      return wholeMs * (CERTAIN_SHARE + (1 - CERTAIN_SHARE) * random.next());
    },
    reset() {
      failures = 0;
    },
    failures: () => failures,
  };
}
