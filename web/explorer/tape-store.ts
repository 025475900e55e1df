// What a tape holds: the newest events in the order of the log, each once, and no more of them than it may. Reading is by
// index from the newest, so a list can show any part of it without copying the rest.
import type { TapeEvent } from "../shared/feed.ts";

/** A screen shows thirty; this is a few minutes of a busy market, and some megabytes at the most. */
export const TAPE_EVENTS_MAX = 5_000;

export interface TapeEntry {
  kind: "event" | "gap";
  seq: number;
  event: TapeEvent | null;
  words: string | null;
}

export interface TapeStore {
  readonly length: number;
  /** 0 is the newest. */
  at(index: number): TapeEntry | undefined;
  /** Returns how many were new. */
  add(events: readonly TapeEvent[]): number;
  gap(words: string): void;
  clear(): void;
}

export function createTapeStore(max = TAPE_EVENTS_MAX): TapeStore {
  // Oldest first; trimmed by halves' worth, so that dropping the oldest costs little each time.
  let entries: TapeEntry[] = [];
  const seen = new Set<number>();
  const trim = () => {
    if (entries.length <= max * 1.25) return;
    for (const entry of entries.slice(0, entries.length - max))
      if (entry.kind === "event") seen.delete(entry.seq);
    entries = entries.slice(-max);
  };
  const place = (entry: TapeEntry) => {
    let at = entries.length;
    while (at > 0 && (entries[at - 1] as TapeEntry).seq > entry.seq) at--;
    if (at === entries.length) entries.push(entry);
    else entries.splice(at, 0, entry);
  };
  return {
    get length() {
      return Math.min(entries.length, max);
    },
    at: (index) => entries[entries.length - 1 - index],
    add(events) {
      let added = 0;
      for (const event of events) {
        if (seen.has(event.seq)) continue;
        // Older than everything a full tape holds: it was dropped before.
        if (entries.length >= max && event.seq < (entries[0]?.seq ?? 0)) continue;
        seen.add(event.seq);
        place({ kind: "event", seq: event.seq, event, words: null });
        added++;
      }
      trim();
      return added;
    },
    gap(words) {
      entries.push({ kind: "gap", seq: (entries.at(-1)?.seq ?? 0) + 0.5, event: null, words });
    },
    clear() {
      entries = [];
      seen.clear();
    },
  };
}
