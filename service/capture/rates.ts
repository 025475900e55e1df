// How much of upstream's and this process's time capture takes, by what the platform declared.
import type { Capabilities } from "../../protocol/capabilities.ts";

/** If the platform declares nothing: as many as it would hardly notice. */
const QUESTIONS_PER_SECOND = 250;

/**
 * A platform in this process can repeat anything at any time, so it is read a little at a time: data waiting to be stored outlives
 * the collector's young generation, and pages of eighty were some 10 MB more of a first start.
 */
const PAGE_OF_SHARED = 16;

/** The platform's declared limits. On a thread that also serves, catching up gets the smaller half. */
export function ratesOf({ askRatePerSecond, sweep }: Capabilities) {
  return {
    /** Single questions (a position, a trader, a token), for each kind. */
    questionsPerSecond: askRatePerSecond ?? QUESTIONS_PER_SECOND,
    /** Traders whose positions are swept. */
    tradersPerSecond: sweep.tradersPerSecond,
    /** Pages of the directory, boards and lists. */
    pagesPerSecond: sweep.pagesPerSecond,
    /** The most events in one transaction. SQLite writes on the thread that also serves, so it gets few at a time. */
    batch: sweep.batch,
    /** Items of a feed's past that are read at once. */
    page: sweep.sharesProcess ? Math.min(sweep.batch, PAGE_OF_SHARED) : sweep.batch,
    /** The share of time that catching up with a backlog may take. */
    catchUpShare: sweep.sharesProcess ? 0.5 : 0.9,
  };
}

/** How hard upstream and this process may be worked in the background. */
export type CaptureRates = ReturnType<typeof ratesOf>;
