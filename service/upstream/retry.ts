// How much may be tried again. Every request earns a tenth of a retry and every retry spends a whole one, from nothing
// at start, so retries never pass a tenth of the requests however sick the other side is.

/** Half of what the design allows: the runtime may resend on a connection that died in the pool, unseen by us. */
export const RETRIES_A_REQUEST = 0.1;
/** Savings are capped, so that a long good time does not buy a storm of retries in a bad one. */
const SAVED_MAX = 10;

interface RetryBudget {
  request(): void;
  /** Whether one more try may be made; it is then spent. */
  spend(): boolean;
}

export function createRetryBudget(): RetryBudget {
  // Counted in tenths, so that sums are exact.
  const wholeRetry = Math.round(1 / RETRIES_A_REQUEST);
  let saved = 0;
  return {
    request: () => {
      saved = Math.min(saved + 1, SAVED_MAX * wholeRetry);
    },
    spend: () => {
      if (saved < wholeRetry) return false;
      saved -= wholeRetry;
      return true;
    },
  };
}
