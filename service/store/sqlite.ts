// SQLite, embedded. Every commit is flushed to the disk before it is acknowledged, so neither kill -9 nor a power
// cut loses one. Writes wait for each other in order; reads use a connection of their own and never wait.
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { SQL } from "bun";
import { type Database, queriesOver, type WriteOptions } from "./database.ts";
import { isBusy, StoreUnavailable, typedError } from "./errors.ts";
import { type Sql, storable } from "./sql.ts";

// Only another process can hold the write lock. SQLite's own wait blocks the thread, so it is kept very short and
// the rest of the waiting is asynchronous. Ten seconds is longer than any transaction of ours takes.
const BUSY_TIMEOUT_MS = 20;
const WRITE_WAIT_MS = 10_000;
const WRITE_RETRY_MS = 5;
// Enough that the upper levels of every index stay in memory, small against the process's budget of 200 MB.
const CACHE_KIB = 8_192;
// Pages of the write-ahead log before they are written home (32 MiB). A busy writer changes the same pages over and over;
// waiting writes each of them home once instead of dozens of times, which takes about a fifth off an append.
const CHECKPOINT_PAGES = 8_192;
// The write-ahead log is cut back to this after a burst, so that a quiet server leaves a small folder.
const WAL_KEPT_BYTES = 32 * 1024 * 1024;

const WRITER_PRAGMAS = [
  `busy_timeout = ${BUSY_TIMEOUT_MS}`,
  "journal_mode = WAL",
  "synchronous = FULL",
  // macOS keeps flushed data in the drive's cache unless told otherwise.
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
  "foreign_keys = ON",
  `cache_size = -${CACHE_KIB}`,
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  `journal_size_limit = ${WAL_KEPT_BYTES}`,
];
const READER_PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, "query_only = ON", `cache_size = -${CACHE_KIB}`];

export async function openSqlite(file: string): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new StoreUnavailable("disk", false, { cause: error });
  }
  const writer = new SQL({ adapter: "sqlite", filename: file });
  await prepare(writer, WRITER_PRAGMAS);
  // Balances and key hashes are nobody else's business on a shared machine.
  chmodSync(file, 0o600);
  const reader = new SQL({ adapter: "sqlite", filename: file });
  await prepare(reader, READER_PRAGMAS);

  let lastWrite: Promise<unknown> = Promise.resolve();
  const over = (connection: SQL) =>
    queriesOver("sqlite", async (statement: Sql) => {
      try {
        const rows = await connection.unsafe(statement.text, statement.values.map(storable));
        return { rows, count: Number(rows.count ?? 0) };
      } catch (error) {
        throw typedError(error);
      }
    });
  const tx = over(writer);

  const transaction = async <T>(work: (queries: typeof tx) => Promise<T>): Promise<T> => {
    await waitFor(() => writer.unsafe("BEGIN IMMEDIATE"));
    try {
      const result = await work(tx);
      await writer.unsafe("COMMIT");
      return result;
    } catch (error) {
      // Some faults (a full disk) have already undone the transaction; then there is nothing left to undo.
      await writer.unsafe("ROLLBACK").catch(() => undefined);
      throw typedError(error);
    }
  };

  return {
    dialect: "sqlite",
    read: over(reader),
    write<T>(work: (queries: typeof tx) => Promise<T>, _options?: WriteOptions): Promise<T> {
      const mine = lastWrite.then(() => transaction(work));
      lastWrite = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      await lastWrite;
      await reader.close();
      await writer.close();
    },
  };
}

async function prepare(connection: SQL, pragmas: string[]): Promise<void> {
  for (const pragma of pragmas) await waitFor(() => connection.unsafe(`PRAGMA ${pragma}`));
}

async function waitFor(attempt: () => PromiseLike<unknown>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += WRITE_RETRY_MS + BUSY_TIMEOUT_MS) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isBusy(error)) throw typedError(error);
      if (waitedMs >= WRITE_WAIT_MS) throw new StoreUnavailable("busy", false, { cause: error });
      await Bun.sleep(WRITE_RETRY_MS);
    }
  }
}
