// Writes SQLite's write-ahead log home without waiting for the disk on this thread: SQLite copies the pages, and what it
// would flush before and after is flushed aside. The order is its own. A page is copied only once the log that holds it
// is on the disk, and the log starts over only once the file is; so a power cut at any moment finds one of them whole.

import type { Database as Connection } from "bun:sqlite";
import type { Flushes } from "./flushes.ts";

// Pages before they are copied (4 MiB): some five milliseconds of the thread. With fewer, a busy writer would copy the
// same pages over and over.
const COPIED_TOGETHER = 1_024;
// Writers wait for a copy under way at this many, so that a slow disk doesn't make the next one long.
const BEHIND_MAX = 2 * COPIED_TOGETHER;

export const COPIER_PRAGMAS = ["synchronous = OFF", "wal_autocheckpoint = 0"];

export interface Checkpoints {
  /** For who holds the write lock and has written nothing yet. */
  beforeWriting(): Promise<void>;
  isDue(): boolean;
  isLate(): boolean;
  /** Copies what is in the log now while others continue writing. */
  copyMost(): Promise<void>;
  /** Copies all of it, after which the log starts over. For who holds the write lock. */
  copyRest(): Promise<void>;
  close(): void;
}

/** The copier is a connection with COPIER_PRAGMAS; the keeper is a separate one, used for nothing else. */
export function createCheckpoints(copier: Connection, keeper: Connection, flushes: Flushes): Checkpoints {
  const [look, copy] = ["NOOP", "PASSIVE"].map((mode) => copier.prepare(`PRAGMA wal_checkpoint(${mode})`));
  const frames = () => {
    const [[, log, home] = []] = (look?.values() ?? []) as number[][];
    return { log: log ?? 0, home: home ?? 0 };
  };
  /** The log's length that a copy ended with, for a reader of another process may have kept it from copying all. */
  let triedAt = 0;
  /** The log's length whose pages this process has flushed in the file. */
  let flushedAt = 0;
  let behind = 0;

  return {
    async beforeWriting() {
      flushes.requireIntact();
      const { log, home } = frames();
      if (log < triedAt) triedAt = 0;
      behind = log - Math.max(home, triedAt);
      // The log is about to start over. The process that copied its pages may have been killed before flushing them.
      if (log > 0 && home === log && flushedAt !== log) await flushes.file();
      flushedAt = 0;
    },
    isDue: () => behind >= COPIED_TOGETHER,
    isLate: () => behind >= BEHIND_MAX,

    async copyMost() {
      // No copy goes beyond what some connection reads, and what this one reads is flushed.
      keeper.run("BEGIN");
      try {
        keeper.run("PRAGMA user_version");
        const kept = frames().log;
        await flushes.log();
        // Were all of it copied, another process could start the log over before the file is flushed.
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
