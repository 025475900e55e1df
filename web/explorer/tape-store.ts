// A tape's contents: the newest events in the order they happened, each once, up to a limit. A late event is placed by its
// time. Reading is by index from the newest, so a list can show any part without copying the rest.
import type { TapeEvent } from "../shared/feed.ts";

/** A screen shows thirty; this is a few minutes of a busy market, and a few megabytes at most. */
export const TAPE_EVENTS_MAX = 5_000;
/** A trader's usual size is the median of at least this many fills, and of the last few dozen. */
const USUAL_FILLS_MIN = 4;
const USUAL_FILLS_MAX = 40;

export interface TapeEntry {
  kind: "event" | "gap";
  seq: number;
  /** When it happened. */
  ts: number;
  event: TapeEvent | null;
  words: string | null;
}

export interface TapeStore {
  readonly length: number;
  /** 0 is the newest. */
  at(index: number): TapeEntry | undefined;
  /** Returns how many were new. */
  add(events: readonly TapeEvent[]): number;
  /** Removes an event that never happened; it does not come back. */
  remove(eventId: string): void;
  gap(words: string): void;
  clear(): void;
  /** The usual value of this trader's fills on the tape; null while too few are known. */
  usualUsd(trader: string | null): number | null;
  /** Events after this position in the log, in no particular order. */
  since(seq: number): TapeEvent[];
}

export function createTapeStore(max = TAPE_EVENTS_MAX): TapeStore {
  // Oldest first; trimmed in large batches, so that dropping the oldest costs little per event.
  let entries: TapeEntry[] = [];
  const seen = new Set<number>();
  const sizes = new Map<string, number[]>();
  const trim = () => {
    if (entries.length <= max * 1.25) return;
    for (const entry of entries.slice(0, entries.length - max))
      if (entry.kind === "event") seen.delete(entry.seq);
    entries = entries.slice(-max);
  };
  const place = (entry: TapeEntry) => {
    let at = entries.length;
    while (at > 0 && isAfter(entries[at - 1] as TapeEntry, entry)) at--;
    if (at === entries.length) entries.push(entry);
    else entries.splice(at, 0, entry);
  };
  const count = ({ trader, fillUsd }: TapeEvent) => {
    if (trader === null || typeof fillUsd !== "number") return;
    const known = sizes.get(trader) ?? [];
    if (known.length >= USUAL_FILLS_MAX) known.shift();
    known.push(fillUsd);
    // Least recently used first: past the limit, the trader who has been quiet longest is evicted.
    sizes.delete(trader);
    sizes.set(trader, known);
    if (sizes.size > max) for (const oldest of sizes.keys()) if (sizes.delete(oldest)) break;
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
        const entry: TapeEntry = { kind: "event", seq: event.seq, ts: event.ts, event, words: null };
        // Older than everything on a full tape: it was dropped before.
        if (entries.length >= max && entries[0] && isAfter(entries[0], entry)) continue;
        seen.add(event.seq);
        count(event);
        place(entry);
        added++;
      }
      trim();
      return added;
    },
    remove(eventId) {
      entries = entries.filter(({ event }) => event?.eventId !== eventId);
    },
    gap(words) {
      const newest = entries.at(-1);
      const [seq, ts] = [(newest?.seq ?? 0) + 0.5, newest?.ts ?? 0];
      entries.push({ kind: "gap", seq, ts, event: null, words });
    },
    clear() {
      entries = [];
      seen.clear();
      sizes.clear();
    },
    usualUsd(trader) {
      const known = trader === null ? undefined : sizes.get(trader);
      if (!known || known.length < USUAL_FILLS_MIN) return null;
      const sorted = known.toSorted((one, other) => one - other);
      return sorted[sorted.length >> 1] ?? null;
    },
    since: (seq) => entries.flatMap((entry) => (entry.event && entry.seq > seq ? [entry.event] : [])),
  };
}

/** Whether it happened later; the log position breaks ties. */
function isAfter(one: TapeEntry, other: TapeEntry): boolean {
  return one.ts > other.ts || (one.ts === other.ts && one.seq > other.seq);
}
