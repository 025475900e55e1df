// The newest entries of the log in memory: everything after `floor`, in order, without holes.

import type { StreamName } from "../../contract/frames.ts";
import type { Clock } from "../../kit/clock.ts";
import type { FeedEntry } from "./entry.ts";

/** A minute at 60 events a second, a busy hour, in some 12 MB. A feed that needs more reads the store. */
export const ENTRIES_MAX = 4_096;
/** Twice the longest delay: only replays need older ones, and they read the store anyway. */
const AGE_MS_MAX = 120_000;
/** Forgotten entries are cut off this many at a time, not one by one. */
const CUT_AT_ENTRIES = 1_024;

export interface RecentEntries {
  /** Forgets everything and continues after a position. */
  reset(position: number): void;
  add(made: readonly FeedEntry[]): void;
  newest(): number;
  /** The next entries after a position if memory reaches back that far, else undefined. */
  after(position: number, limit: number): FeedEntry[] | undefined;
  /** The stream's newest entry that is not after a position. */
  lastUpTo(stream: StreamName, position: number): FeedEntry | undefined;
}

export function createRecentEntries(clock: Clock, entriesMax: number): RecentEntries {
  const entries: FeedEntry[] = [];
  /** Index of the oldest kept entry; the array is trimmed occasionally, not at every event. */
  let first = 0;
  /** Memory holds everything after this position. */
  let floor = 0;
  let newest = 0;

  const forgetOld = () => {
    const oldestAt = clock.now() - AGE_MS_MAX;
    for (let oldest = entries[first]; oldest; oldest = entries[first]) {
      if (entries.length - first <= entriesMax && oldest.capturedAt >= oldestAt) break;
      floor = oldest.seq;
      first++;
    }
    if (first < CUT_AT_ENTRIES) return;
    entries.splice(0, first);
    first = 0;
  };

  return {
    reset(position) {
      entries.length = 0;
      first = 0;
      newest = floor = position;
    },
    add(made) {
      // Pruning may have removed entries before the first since we checked.
      if (entries.length === 0) floor = (made[0]?.seq ?? floor + 1) - 1;
      entries.push(...made);
      newest = made.at(-1)?.seq ?? newest;
      forgetOld();
    },
    newest: () => newest,
    after(position, limit) {
      if (position < floor) return undefined;
      // Positions are consecutive, so the index is known without searching.
      const oldest = entries[first];
      const start = oldest ? first + Math.max(0, position - oldest.seq + 1) : first;
      return entries.slice(start, start + limit);
    },
    lastUpTo: (stream, position) =>
      entries.findLast((entry) => entry.stream === stream && entry.seq <= position),
  };
}
