// The time from which a list is complete. An export compares it with the requested range, so that a partial export never looks
// complete.
import type { Input } from "../src/operation.ts";
import { Refused } from "./refused.ts";
import { time } from "./units.ts";

/** Saved with an export's state, so that it survives a restart. */
export interface Coverage {
  /** The feed's retention, or the first captured candle. */
  keptFrom: number | null;
  /** The time up to which everything has arrived, if the service says. */
  keptTo: number | null;
  /** The oldest row seen. */
  oldestAt: number | null;
  /** Whether the walk reached an end that the service calls incomplete. */
  isCut: boolean;
}

export const newCoverage = (): Coverage => ({ keptFrom: null, keptTo: null, oldestAt: null, isCut: false });

/** Updates the coverage from a page: its rows' times, and its own statements. */
export function cover(coverage: Coverage, page: Input, times: readonly number[]): void {
  const kept = page.retentionFrom ?? page.coveredFrom;
  if (typeof kept === "string") coverage.keptFrom ??= Date.parse(kept);
  if (typeof page.coveredTo === "string") coverage.keptTo = Date.parse(page.coveredTo);
  for (const at of times) coverage.oldestAt = Math.min(coverage.oldestAt ?? at, at);
  const isEnd = page.nextCursor === null || page.hasMore === false;
  // The last page of several never contains everything; a truncated list says so in its note.
  const isShort = page.complete === false && typeof page.note === "string";
  coverage.isCut = isEnd && (isShort || page.available === false) && kept === undefined;
}

/** The time from which everything is there: null if nothing limits it, infinite if nothing was captured. */
function wholeFrom({ keptFrom, oldestAt, isCut }: Coverage): number | null {
  if (!isCut) return keptFrom;
  return Math.max(keptFrom ?? Number.NEGATIVE_INFINITY, oldestAt ?? Number.POSITIVE_INFINITY);
}

/** The missing part of the requested range, as a sentence; null when complete. */
export function missingOf(coverage: Coverage, from: number, to: number, now: number): string | null {
  const whole = wholeFrom(coverage);
  const missing = [
    ...(whole !== null && Number.isFinite(from) && whole > from
      ? [Number.isFinite(whole) ? `nothing before ${time(whole)} UTC is kept` : "nothing was captured"]
      : []),
    ...(Number.isFinite(to) && to > now ? [`nothing after ${time(now)} UTC has happened yet`] : []),
    ...(Number.isFinite(to) && to <= now && coverage.keptTo !== null && to > coverage.keptTo
      ? [`what happened after ${time(coverage.keptTo)} UTC may still arrive`]
      : []),
  ];
  return missing.length === 0 ? null : missing.join(", and ");
}

export function refuseMissing(missing: string | null, isPartial: boolean): void {
  if (missing !== null && !isPartial)
    throw new Refused(
      `Not all of that time can be exported: ${missing}. Add --partial to take what there is.`,
    );
}

/** The last line of an export: the range in which it is complete. */
export function coveredLine(coverage: Coverage, from: number, to: number, now: number): string {
  const begin = Math.max(from, wholeFrom(coverage) ?? Number.NEGATIVE_INFINITY);
  const words = (at: number) => (Number.isFinite(at) ? `${time(at)} UTC` : "the beginning");
  if (begin === Number.POSITIVE_INFINITY) return "covers nothing";
  return `covers ${words(begin)} to ${words(Math.min(to, now, coverage.keptTo ?? now))}`;
}
