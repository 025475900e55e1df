// A cache of answers with their ETags, so that an unchanged one costs nothing: limited in number and in length, least recently
// used evicted first.

export interface Kept {
  etag: string;
  text: string;
}

export interface Etags {
  find(path: string): Kept | undefined;
  keep(path: string, kept: Kept): void;
}

/** Enough for the boards and traders that a dashboard shows. */
const ENTRIES_MAX = 200;
/** In total, in characters: a few megabytes of memory at most. */
const LENGTH_MAX = 4_000_000;
/** One answer longer than this would push out dozens of others. */
const ENTRY_LENGTH_MAX = 400_000;

export function createEtags(): Etags {
  const entries = new Map<string, Kept>();
  let length = 0;
  const drop = (path: string) => {
    length -= entries.get(path)?.text.length ?? 0;
    entries.delete(path);
  };
  return {
    find(path) {
      const kept = entries.get(path);
      if (kept) {
        entries.delete(path);
        entries.set(path, kept);
      }
      return kept;
    },
    keep(path, kept) {
      drop(path);
      if (kept.text.length > ENTRY_LENGTH_MAX) return;
      entries.set(path, kept);
      length += kept.text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= ENTRIES_MAX && length <= LENGTH_MAX) break;
        drop(oldest);
      }
    },
  };
}
