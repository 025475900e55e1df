// Months counted from an anchor date: the n-th month after it starts on the same day and time of day, or on the last day
// of a month that has no such day. All are counted from the anchor, so a short month never moves the ones after it.
import { DAY_MS } from "../../../kit/units.ts";

export function addMonths(anchorAt: number, months: number): number {
  const anchor = new Date(anchorAt);
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  return Date.UTC(anchor.getUTCFullYear(), month, day) + (anchorAt - startOfDay(anchorAt));
}

/** How many whole months have passed since the anchor: the largest n with addMonths(anchor, n) <= at. */
export function monthsBetween(anchorAt: number, at: number): number {
  const from = new Date(anchorAt);
  const to = new Date(at);
  const apart = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(anchorAt, apart) <= at ? apart : apart - 1;
}

export function startOfDay(at: number): number {
  return at - (((at % DAY_MS) + DAY_MS) % DAY_MS);
}
