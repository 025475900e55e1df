// Checkpoints SQLite's write-ahead log without waiting for the disk on this thread: SQLite copies the pages, and the
// flushes before and after run on another thread, in SQLite's own order. A page is copied only once the log that holds it
// is on disk, and the log is reset only once the file is; so after a power cut at any moment one of them is intact.

import type { Database as Connection } from "bun:sqlite";
import type { Flushes } from "./flushes.ts";

// Checkpoint after this many pages (4 MiB): about five milliseconds on the thread. With fewer, a busy writer would copy the
// same pages over and over.
const COPIED_TOGETHER = 1_024;
// At this many, writers wait for the running checkpoint, so that a slow disk doesn't make the next one long.
const BEHIND_MAX = 2 * COPIED_TOGETHER;

export const COPIER_PRAGMAS = ["synchronous = OFF", "wal_autocheckpoint = 0"];

export interface Checkpoints {
  /** For a holder of the write lock that has written nothing yet. */
  beforeWriting(): Promise<void>;
  isDue(): boolean;
  isLate(): boolean;
  /** Copies the current contents of the log while others continue writing. */
  copyMost(): Promise<void>;
  /** Copies all of it and resets the log. For the holder of the write lock. */
  copyRest(): Promise<void>;
  close(): void;
}

/** The copier is a connection with COPIER_PRAGMAS; the keeper is a separate, dedicated one. */
export function createCheckpoints(copier: Connection, keeper: Connection, flushes: Flushes): Checkpoints {
  const [look, copy] = ["NOOP", "PASSIVE"].map((mode) => copier.prepare(`PRAGMA wal_checkpoint(${mode})`));
  const frames = () => {
    const [[, log, home] = []] = (look?.values() ?? []) as number[][];
    return { log: log ?? 0, home: home ?? 0 };
  };
  /** The log length that the copy reached; a reader in another process may have kept it from copying all. */
  let triedAt = 0;
  /** The log length whose pages this process has flushed to the file. */
  let flushedAt = 0;
  let behind = 0;

  return {
    async beforeWriting() {
      flushes.requireIntact();
      const { log, home } = frames();
      if (log < triedAt) triedAt = 0;
      behind = log - Math.max(home, triedAt);
      // The log is about to be reset. The process that copied its pages may have been killed before flushing them.
      if (log > 0 && home === log && flushedAt !== log) await flushes.file();
      flushedAt = 0;
    },
    isDue: () => behind >= COPIED_TOGETHER,
    isLate: () => behind >= BEHIND_MAX,

    async copyMost() {
      // A checkpoint never passes an open read snapshot, and this connection's snapshot is flushed.
      keeper.run("BEGIN");
      try {
        keeper.run("PRAGMA user_version");
        const kept = frames().log;
        await flushes.log();
        // If all of it were copied, another process could reset the log before the file is flushed.
        if (frames().log === kept) return;
        copy?.run();
        await flushes.file();
      } finally {
        keeper.run("ROLLBACK");
      }
    },

    async copyRest() {
      await flushes.log();
      copy?.run();
      await flushes.file();
      const { log, home } = frames();
      triedAt = log;
      behind = 0;
      if (home === log) flushedAt = log;
    },

    close() {
      keeper.close();
      copier.close();
    },
  };
}
