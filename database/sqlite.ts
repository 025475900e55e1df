// SQLite, embedded. Every commit is flushed to disk before it is acknowledged, so neither kill -9 nor a power
// cut loses one, and none can be read before. Writes are serialized; reads use their own connection and
// never wait. Where the system allows, all flushes run on another thread, and the disk never blocks this one.

import { Database as Connection, type Statement } from "bun:sqlite";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createLru } from "../kit/lru.ts";
import { COPIER_PRAGMAS, createCheckpoints } from "./checkpoint.ts";
import type { Database, Queries, WriteOptions } from "./database.ts";
import { isBusy, StoreUnavailable, typedError } from "./errors.ts";
import { type FlushFile, openFlushes } from "./flushes.ts";
import { type Sql, type SqlValue, storable } from "./sql.ts";

// Only another process can hold the write lock. SQLite's own wait blocks the thread, so it is kept very short and
// the rest of the waiting is asynchronous. Ten seconds is longer than any of our transactions.
const BUSY_TIMEOUT_MS = 20;
const WRITE_WAIT_MS = 10_000;
const WRITE_RETRY_MS = 5;
// Enough that the upper levels of every index stay in memory, small against the process's budget of 200 MB; twice as much
// did not make capture any cheaper.
const CACHE_KIB = 4_096;
// Prepared statements to keep; there are about a hundred, and preparing one costs more than running it.
const STATEMENTS_KEPT = 200;
// The write-ahead log is cut back to this after a burst, so that a quiet server leaves a small folder.
const WAL_KEPT_BYTES = 32 * 1024 * 1024;

// Elsewhere only SQLite itself knows how to flush the drive's cache.
const FLUSHES_ASIDE = process.platform === "linux";

export interface SqliteLocation {
  file: string;
  /** The page cache of each connection. */
  cacheKib?: number;
}

const WRITER_PRAGMAS = [
  `busy_timeout = ${BUSY_TIMEOUT_MS}`,
  "journal_mode = WAL",
  // The lowest level that still distinguishes a reset log from its old content.
  ...(FLUSHES_ASIDE ? ["synchronous = NORMAL", "wal_autocheckpoint = 0"] : ["synchronous = FULL"]),
  // macOS keeps flushed data in the drive's cache unless asked otherwise.
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
  "foreign_keys = ON",
  `journal_size_limit = ${WAL_KEPT_BYTES}`,
];
const READER_PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, "query_only = ON"];
const cacheOf = (kib: number): string => `cache_size = -${kib}`;

// Queued transactions would all run in one turn of the event loop: after this long they yield once.
const WRITES_A_TURN_MS = 5;

export async function openSqlite(
  { file, cacheKib = CACHE_KIB }: SqliteLocation,
  flushFile?: FlushFile,
): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new StoreUnavailable("disk", false, { cause: error });
  }
  const writer = await connect(file, [...WRITER_PRAGMAS, cacheOf(cacheKib)]);
  // Balances and key hashes must not be readable by other users of the machine.
  chmodSync(file, 0o600);
  const reader = await connect(file, [...READER_PRAGMAS, cacheOf(cacheKib)]);
  const aside = FLUSHES_ASIDE ? await openAside(file, flushFile) : null;

  let lastWrite: Promise<unknown> = Promise.resolve();
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = lastWrite.then(work);
    lastWrite = mine.catch(() => undefined);
    return mine;
  };
  const tx = queriesOf(writer);
  const [begin, commit, rollback] = transactionsOf(writer, "BEGIN IMMEDIATE");
  const [hold, , letGo] = transactionsOf(reader, "BEGIN");
  const see = reader.prepare("PRAGMA user_version");
  const stay = () => {
    if (!reader.inTransaction) hold.run();
    see.values();
  };

  const transaction = async <T>(work: (queries: Queries) => Promise<T>, isHidden: boolean): Promise<T> => {
    try {
      await waitFor(() => begin.run());
      await aside?.checkpoints.beforeWriting();
      const result = await work(tx);
      // Readers continue with their current snapshot.
      if (isHidden) await waitFor(stay);
      commit.run();
      return result;
    } catch (error) {
      // Some errors (a full disk) have already rolled back the transaction; then there is nothing left to roll back.
      if (writer.inTransaction) rollback.run();
      throw typedError(error);
    }
  };

  let workedMs = 0;
  const inTurn = async <T>(work: (queries: Queries) => Promise<T>, isHidden: boolean): Promise<T> => {
    if (aside?.checkpoints.isLate()) await copyingMost;
    if (workedMs > WRITES_A_TURN_MS) {
      workedMs = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const beganAt = performance.now();
    try {
      return await transaction(work, isHidden);
    } finally {
      workedMs += performance.now() - beganAt;
    }
  };

  let seesAll = Promise.withResolvers<void>();
  /** Neither the next write nor a reader continues before this one would survive a power cut. */
  const flushed = async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
    seesAll = Promise.withResolvers();
    try {
      const result = await inTurn(work, true);
      await aside?.flushes.log();
      return result;
    } finally {
      if (reader.inTransaction) letGo.run();
      seesAll.resolve();
    }
  };

  let copyingMost: Promise<void> | null = null;
  let checkpoint: Promise<void> | null = null;
  let isClosing = false;
  const writeHome = async ({ checkpoints }: Aside): Promise<void> => {
    try {
      copyingMost = checkpoints.copyMost();
      await copyingMost;
      await next(async () => {
        await waitFor(() => begin.run());
        await checkpoints.copyRest().finally(() => rollback.run());
      });
    } catch {
      // A later write tries again, and reports a flush that has failed.
    } finally {
      copyingMost = null;
      checkpoint = null;
    }
  };

  const flushes = new Set<Promise<void>>();
  const write = async <T>(work: (queries: Queries) => Promise<T>, options?: WriteOptions): Promise<T> => {
    const isAside = aside !== null && options?.flushAside === true;
    const result = await next(() => (isAside || aside === null ? inTurn(work, false) : flushed(work)));
    if (aside?.checkpoints.isDue() && !isClosing) checkpoint ??= writeHome(aside);
    if (isAside) {
      const flush = aside.flushes.log();
      flushes.add(flush);
      await flush.finally(() => flushes.delete(flush));
    }
    return result;
  };

  return {
    dialect: "sqlite",
    read: queriesOf(reader),
    readsAreBehind: () => (reader.inTransaction ? seesAll.promise : null),
    write,
    single: <Row>(statement: Sql) => write((queries) => queries.all<Row>(statement)),
    async close() {
      isClosing = true;
      await checkpoint;
      await lastWrite;
      await Promise.allSettled([...flushes, aside?.flushes.file()]);
      reader.close();
      writer.close();
      aside?.checkpoints.close();
      aside?.flushes.close();
    },
  };
}

type Aside = Awaited<ReturnType<typeof openAside>>;

async function openAside(file: string, flushFile?: FlushFile) {
  const flushes = openFlushes(file, flushFile);
  const [copier, keeper] = [
    await connect(file, COPIER_PRAGMAS),
    await connect(file, [...READER_PRAGMAS, cacheOf(CACHE_KIB)]),
  ];
  return { flushes, checkpoints: createCheckpoints(copier, keeper, flushes) };
}

async function connect(file: string, pragmas: readonly string[]): Promise<Connection> {
  try {
    const connection = new Connection(file);
    for (const pragma of pragmas) await waitFor(() => connection.run(`PRAGMA ${pragma}`));
    return connection;
  } catch (error) {
    throw typedError(error);
  }
}

function transactionsOf(connection: Connection, begin: string): [Statement, Statement, Statement] {
  const prepare = (text: string) => connection.prepare(text);
  return [prepare(begin), prepare("COMMIT"), prepare("ROLLBACK")];
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
