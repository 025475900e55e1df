// What paper follows promise: their price and their bounds, in one place; the routes, the pages and the part that works them
// read it here.

/** As a read of a hundred alerts. */
export const FOLLOW_PRICE = { credits: 125, orders: 100 } as const;

/** What its charges are called in usage by route. */
export const FOLLOW_CHARGE = "paperOrders";

export const FOLLOW = {
  /** Active ones of one account. */
  perAccountMax: 10,
  /** Stopped ones of one account that are still kept. */
  stoppedMax: 100,
  stoppedKeptDays: 30,
  /** A fill that is retracted so long after it happened, at the least, is still corrected. */
  correctedHours: 1,
} as const;
