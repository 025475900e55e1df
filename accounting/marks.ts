// Marks: a token's price at the end of a window or a bucket. A mark is a price at or before that moment and not too
// old; the price paid for a token is never one.
import { HOUR_MS } from "../kit/units.ts";

export interface PriceMark {
  priceUsd: number;
  /** When the price was seen. */
  at: number;
  /** Where it was seen: a quote of the platform, a fill, a candle. */
  source: string;
}

const AGE_SHARE_MAX = 0.05;

/** How old a mark may be at the ends of a window of this length. */
export function markAgeMsMax(windowMs: number): number {
  return Math.max(HOUR_MS, AGE_SHARE_MAX * windowMs);
}

/** The mark, if it is valid for that moment; else null. */
export function usableMark(mark: PriceMark | null, moment: number, windowMs: number): PriceMark | null {
  if (mark === null || mark.at > moment) return null;
  return moment - mark.at <= markAgeMsMax(windowMs) ? mark : null;
}
