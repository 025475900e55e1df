// The retry budget. Every request earns a tenth of a retry and every retry spends a whole one, starting from zero, so
// retries never exceed a tenth of the requests, however sick the other side is.

/** Half of what the design allows: the runtime may resend, unseen by us, when a pooled connection died. */
export const RETRIES_A_REQUEST = 0.1;
/** Savings are capped, so that a long good period does not pay for a retry storm in a bad one. */
const SAVED_MAX = 10;

interface RetryBudget {
  request(): void;
  /** Whether a retry is allowed; if so, spends it. */
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
