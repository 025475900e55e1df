// SQLite, embedded. Every commit is flushed to the disk before it is acknowledged, so neither kill -9 nor a power
// cut loses one. Writes wait for each other in order; reads use a connection of their own and never wait.

import { Database as Connection, type Statement } from "bun:sqlite";
import { chmodSync, closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { createLru } from "../kit/lru.ts";
import type { Database, Queries, WriteOptions } from "./database.ts";
import { isBusy, StoreUnavailable, typedError } from "./errors.ts";
import { type Sql, type SqlValue, storable } from "./sql.ts";

// Only another process can hold the write lock. SQLite's own wait blocks the thread, so it is kept very short and
// the rest of the waiting is asynchronous. Ten seconds is longer than any transaction of ours takes.
const BUSY_TIMEOUT_MS = 20;
const WRITE_WAIT_MS = 10_000;
const WRITE_RETRY_MS = 5;
// Enough that the upper levels of every index stay in memory, small against the process's budget of 200 MB; twice as much
// did not make capture any cheaper.
const CACHE_KIB = 4_096;
// Pages of the write-ahead log before they are written home (8 MiB), which holds the thread: some eight milliseconds for so
// many different ones, and four times that for four times as many. With fewer, a busy writer would write the same pages
// home over and over.
const CHECKPOINT_PAGES = 2_048;
// Statements kept prepared; there are some hundred different ones, and preparing one costs more than running it.
const STATEMENTS_KEPT = 200;
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

// Transactions that wait for each other would all run in one turn of the event loop: after this long it goes round once.
const WRITES_A_TURN_MS = 5;

// Elsewhere only SQLite itself knows how to get past the drive's cache.
const FLUSHES_ASIDE = process.platform === "linux";

export async function openSqlite(file: string): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new StoreUnavailable("disk", false, { cause: error });
  }
  const writer = connect(file);
  await prepare(writer, WRITER_PRAGMAS);
  // Balances and key hashes are nobody else's business on a shared machine.
  chmodSync(file, 0o600);
  const reader = connect(file);
  await prepare(reader, READER_PRAGMAS);

  let lastWrite: Promise<unknown> = Promise.resolve();
  const tx = queriesOf(writer);
  const [begin, commit, rollback] = ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"].map((text) =>
    writer.prepare(text),
  ) as [Statement, Statement, Statement];

  let level: "NORMAL" | "FULL" = "FULL";
  const transaction = async <T>(work: (queries: typeof tx) => Promise<T>, aside: boolean): Promise<T> => {
    // Such a statement works when it is prepared, so it can't be kept. Those that flush aside are many, the others few.
    if (level !== (aside ? "NORMAL" : "FULL")) {
      level = aside ? "NORMAL" : "FULL";
      writer.run(`PRAGMA synchronous = ${level}`);
    }
    try {
      await waitFor(() => begin.run());
      const result = await work(tx);
      commit.run();
      return result;
    } catch (error) {
      // Some faults (a full disk) have already undone the transaction; then there is nothing left to undo.
      if (writer.inTransaction) rollback.run();
      throw typedError(error);
    }
  };

  let workedMs = 0;
  const inTurn = async <T>(work: (queries: typeof tx) => Promise<T>, aside: boolean): Promise<T> => {
    if (workedMs > WRITES_A_TURN_MS) {
      workedMs = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const beganAt = performance.now();
    try {
      return await transaction(work, aside);
    } finally {
      workedMs += performance.now() - beganAt;
    }
  };

  let wal: number | null = null;
  const flushes = new Set<Promise<void>>();
  const flush = async (): Promise<void> => {
    try {
      // Another handle of this file is harmless: SQLite's locks are on the other two.
      wal ??= openSync(`${file}-wal`, "r");
      await flushFile(wal);
    } catch (error) {
      throw new StoreUnavailable("disk", true, { cause: error });
    }
  };

  const write = async <T>(work: (queries: typeof tx) => Promise<T>, options?: WriteOptions): Promise<T> => {
    const aside = FLUSHES_ASIDE && options?.flushAside === true;
    const mine = lastWrite.then(() => inTurn(work, aside));
    lastWrite = mine.catch(() => undefined);
    const result = await mine;
    if (aside) {
      const flushed = flush();
      flushes.add(flushed);
      await flushed.finally(() => flushes.delete(flushed));
    }
    return result;
  };

  return {
    dialect: "sqlite",
    read: queriesOf(reader),
    write,
    single: <Row>(statement: Sql) => write((queries) => queries.all<Row>(statement)),
    async close() {
      await lastWrite;
      await Promise.allSettled(flushes);
      if (wal !== null) closeSync(wal);
      reader.close();
      writer.close();
    },
  };
}

const flushFile = promisify(fdatasync);

function connect(file: string): Connection {
  try {
    return new Connection(file);
  } catch (error) {
    throw typedError(error);
  }
}

/** Statements of one connection, each prepared once. */
function queriesOf(connection: Connection): Queries {
  const prepared = createLru<string, Statement>(STATEMENTS_KEPT);
  const statementOf = (text: string): Statement => {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = connection.prepare(text);
    prepared.set(text, fresh);
    return fresh;
  };
  const execute = <T>(statement: Sql, how: (prepared: Statement, values: SqlValue[]) => T): T => {
    try {
      return how(statementOf(statement.text), statement.values.map(storable));
    } catch (error) {
      throw typedError(error);
    }
  };
  const all = async <Row>(statement: Sql) => execute(statement, (one, values) => one.all(...values)) as Row[];
  return {
    dialect: "sqlite",
    all,
    one: async <Row>(statement: Sql) => (await all<Row>(statement))[0] ?? null,
    run: async (statement) => execute(statement, (one, values) => one.run(...values).changes),
  };
}

async function prepare(connection: Connection, pragmas: string[]): Promise<void> {
  for (const pragma of pragmas) await waitFor(() => connection.run(`PRAGMA ${pragma}`));
}

async function waitFor(attempt: () => unknown): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += WRITE_RETRY_MS + BUSY_TIMEOUT_MS) {
    try {
      attempt();
      return;
    } catch (error) {
      if (!isBusy(error)) throw typedError(error);
      if (waitedMs >= WRITE_WAIT_MS) throw new StoreUnavailable("busy", false, { cause: error });
      await Bun.sleep(WRITE_RETRY_MS);
    }
  }
}
