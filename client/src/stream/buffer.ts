// Items that arrived but were not read yet: bounded, with a named overflow policy.
//   reconnect   the socket is closed, and resumes once the reader has caught up: nothing is lost (the default)
//   dropOldest  the oldest are dropped, and replaced by a gap
//   fail        the stream ends with BufferOverflow
import { BufferOverflow } from "../api-error.ts";
import type { StreamPosition } from "./position.ts";

export type WhenFull = "reconnect" | "dropOldest" | "fail";

export interface Entry<Item> {
  /** Null only advances the position. */
  item: Item | null;
  position: StreamPosition;
  /** What to read from REST before the item after this one. */
  gap?: Hole;
}

/** Positions that did not come over the socket; null if the log is another one. */
export interface Hole {
  /** The log's retention, a rebuilt log, a full buffer, the limit of a fill; `start` is requested history. */
  reason: "retention" | "epoch" | "buffer" | "fillMax" | "start";
  fromSeq: number | null;
  toSeq: number | null;
}

export interface Buffer<Item> {
  /** False when the socket has to pause. */
  push(entry: Entry<Item>): boolean;
  /** The next entry; null when the stream has ended. */
  take(): Promise<Entry<Item> | null>;
  /** Resolves when there is room again, or the stream has ended. */
  room(): Promise<void>;
  end(error?: unknown): void;
}

/** A minute of a busy feed. */
export const BUFFER_MAX = 1_000;

export function createBuffer<Item>(max: number, whenFull: WhenFull): Buffer<Item> {
  const entries: Entry<Item>[] = [];
  let dropped: { from: number; last: StreamPosition } | null = null;
  let ended: { error: unknown } | null = null;
  let wakeReader: (() => void) | null = null;
  let wakeWriter: (() => void) | null = null;

  const dropOldest = () => {
    const oldest = entries.shift();
    if (oldest) dropped = { from: dropped?.from ?? oldest.position.seq, last: oldest.position };
  };

  return {
    push(entry) {
      const last = entries.at(-1);
      // A position without an item replaces the one before it.
      if (entry.item === null && !entry.gap && last?.item === null && !last.gap) entries.pop();
      else if (entries.length >= max) {
        if (whenFull === "reconnect") return false;
        if (whenFull === "fail") throw new BufferOverflow(max);
        dropOldest();
      }
      entries.push(entry);
      wakeReader?.();
      return true;
    },
    async take() {
      while (entries.length === 0 && dropped === null) {
        if (ended?.error !== undefined) throw ended.error;
        if (ended) return null;
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
        wakeReader = null;
      }
      if (dropped) {
        const { from, last } = dropped;
        dropped = null;
        return { item: null, position: last, gap: { reason: "buffer", fromSeq: from, toSeq: last.seq } };
      }
      const entry = entries.shift() ?? null;
      if (entries.length <= max / 2) wakeWriter?.();
      return entry;
    },
    async room() {
      while (entries.length > max / 2 && !ended)
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
      wakeWriter = null;
    },
    end(error) {
      ended ??= { error };
      wakeReader?.();
      wakeWriter?.();
    },
  };
}
