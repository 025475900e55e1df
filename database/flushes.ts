// Flushes a SQLite file and its write-ahead log on another thread, so that a slow disk delays only those who wait for it. A
// flush that failed fails all later ones: the system may have dropped pages that it could not write, and the next flush
// would succeed without them. A restart reads what is really on disk.

import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailable } from "./errors.ts";

export type FlushFile = (descriptor: number) => Promise<void>;

export interface Flushes {
  log(): Promise<void>;
  file(): Promise<void>;
  /** Throws when a flush has failed: later writes might never be complete on disk. */
  requireIntact(): void;
  /** To be called after the connections to the file are closed. */
  close(): void;
}

const onAnotherThread: FlushFile = promisify(fdatasync);

export function openFlushes(file: string, flushFile: FlushFile = onAnotherThread): Flushes {
  const shared = hold(realpathSync(file));
  let failure: unknown = null;
  let log: number | null = null;

  const flush = async (descriptor: () => number): Promise<void> => {
    let opened: number;
    try {
      opened = descriptor();
    } catch (error) {
      throw new StoreUnavailable("disk", true, { cause: error });
    }
    try {
      if (failure !== null) throw failure;
      await flushFile(opened);
    } catch (error) {
      failure = error;
      throw new StoreUnavailable("disk", true, { cause: error });
    }
  };

  return {
    // SQLite's locks are on the other two files, so this handle can be opened and closed freely. The log exists after the first write.
    log: () => flush(() => (log ??= openSync(`${file}-wal`, "r"))),
    file: () => flush(() => shared.descriptor),
    requireIntact() {
      if (failure !== null) throw new StoreUnavailable("disk", false, { cause: failure });
    },
    close() {
      if (log !== null) closeSync(log);
      shared.release();
    },
  };
}

interface OpenFile {
  descriptor: number;
  holders: number;
}

// Closing any handle of a file drops all locks that this process has on it, even those of SQLite's own handles. So there
// is one handle per file, closed with its last user.
const handles = new Map<string, OpenFile>();

function hold(path: string): { descriptor: number; release(): void } {
  const handle = handles.get(path) ?? { descriptor: openSync(path, "r"), holders: 0 };
  handle.holders++;
  handles.set(path, handle);
  return {
    descriptor: handle.descriptor,
    release() {
      handle.holders--;
      if (handle.holders > 0) return;
      handles.delete(path);
      closeSync(handle.descriptor);
    },
  };
}
