// The guarantees of paper follows: their price and their limits, in one place for the routes, the pages and the engine that
// runs them.

/** The same as a read of a hundred alerts. */
export const FOLLOW_PRICE = { credits: 125, orders: 100 } as const;

/** The name of its charges in usage by route. */
export const FOLLOW_CHARGE = "paperOrders";

export const FOLLOW = {
  /** Active ones per account. */
  perAccountMax: 10,
  /** Stopped ones still stored per account. */
  stoppedMax: 100,
  stoppedKeptDays: 30,
  /** The minimum time after a fill within which its retraction is still corrected. */
  correctedHours: 1,
} as const;
