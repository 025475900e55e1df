// How long to wait after the n-th failure in a row: it doubles up to a bound and is spread by chance, so that a
// sick upstream is asked less and less often and many nodes do not ask it together. A success starts over.
import type { Random } from "./random.ts";

export interface Backoff {
  nextMs(): number;
  reset(): void;
  failures(): number;
}

/** Half of a wait is certain, the other half is chance: spread enough, and never no wait at all. */
const CERTAIN_SHARE = 0.5;

export function createBackoff(random: Random, firstMs: number, msMax: number): Backoff {
  let failures = 0;
  return {
    nextMs() {
      // 2 ** 30 steps past the bound already; the exponent is kept from overflowing after days of failures.
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
