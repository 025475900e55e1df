// PostgreSQL through a bounded pool. Every wait has an end: for a connection, for a lock, for a statement, and for
// a server that has gone silent; each ends in StoreUnavailable, and the next call finds a fresh connection.
import { SQL } from "bun";
import { type Database, type Queries, queriesOver, type WriteOptions } from "./database.ts";
import { isBrokenConnection, isSerialization, StoreUnavailable, typedError } from "./errors.ts";
import { placeholders, type Sql, storable } from "./sql.ts";

// Several nodes share one server whose usual limit is 100 connections.
const POOL_CONNECTIONS = 10;
// Reads must go on while writes queue, so writes never take the whole pool.
const WRITES_AT_ONCE = 7;
// More waiting writes than this means the database is not keeping up; refusing is kinder than a longer queue.
const WRITES_WAITING = 1_000;
const WRITE_WAIT_MS = 5_000;
const CONNECT_TIMEOUT_SECONDS = 5;
// Shorter than the idle cut-off of common proxies, so that we close first.
const IDLE_TIMEOUT_SECONDS = 240;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 15_000;
const SERIALIZATION_ATTEMPTS = 5;

export interface PostgresLimits {
  /** The server itself ends a slower statement. */
  statementMs: number;
  /** Longer than any statement may take: without an answer by then the peer is dead, not slow. */
  silenceMs: number;
  /** Begin and commit have no limit of their own; no transaction of ours comes near this. */
  transactionMs: number;
}

const LIMITS: PostgresLimits = { statementMs: 10_000, silenceMs: 12_000, transactionMs: 30_000 };

export async function openPostgres(url: string, limits: PostgresLimits = LIMITS): Promise<Database> {
  const connect = () =>
    new SQL(url, {
      max: POOL_CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_SECONDS,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      bigint: true,
      connection: {
        application_name: "crowdtape",
        statement_timeout: limits.statementMs,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      },
    });
  let pool = connect();

  /** Gives up on a silent server: drops the pool, whose connections would never answer, and takes a new one. */
  const giveUp = (silent: SQL) => {
    if (silent !== pool) return;
    pool = connect();
    void silent.close({ timeout: 0 }).catch(() => undefined);
  };
  const answered = <T>(
    from: SQL,
    answer: Promise<T>,
    timeoutMs: number,
    outcomeUnknown = () => false,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        giveUp(from);
        reject(new StoreUnavailable("timeout", outcomeUnknown()));
      }, timeoutMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  const over = (connection: () => SQL, watch: boolean): Queries =>
    queriesOver("postgres", async (statement: Sql) => {
      const text = placeholders(statement.text, "postgres");
      // As text, so that a statement has one prepared form whatever its numbers look like.
      const values = statement.values.map((value) => (value === null ? null : String(storable(value))));
      const from = pool;
      const query = connection().unsafe(text, values);
      const rows = await (watch ? answered(from, Promise.resolve(query), limits.silenceMs) : query);
      for (const row of rows) numbersOf(row as Record<string, unknown>);
      return { rows, count: Number(rows.count ?? 0) };
    });

  const read = over(() => pool, true);
  const retried = queriesOver("postgres", async (statement) => {
    const run = async () => {
      const rows = await read.all<unknown>(statement);
      return { rows, count: rows.length };
    };
    // A restart leaves connections in the pool that are dead but do not know it; a read can safely go again.
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!isBrokenConnection(error) || attempt > POOL_CONNECTIONS) throw typedError(error);
      }
    }
  });

  const transaction = async <T>(work: (tx: Queries) => Promise<T>, options: WriteOptions): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const progress = { started: false, finished: false };
      const from = pool;
      try {
        const whole = from.begin(async (connection) => {
          progress.started = true;
          if (options.patient)
            await connection.unsafe("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
          const result = await work(over(() => connection, !options.patient));
          progress.finished = true;
          return result;
        });
        if (options.patient) return (await whole) as T;
        return (await answered(from, whole, limits.transactionMs, () => progress.finished)) as T;
      } catch (error) {
        const again = isSerialization(error)
          ? attempt < SERIALIZATION_ATTEMPTS
          : !progress.started && isBrokenConnection(error) && attempt <= POOL_CONNECTIONS;
        if (!again) throw typedError(error, progress.finished);
      }
    }
  };
  const gate = writeGate();

  return {
    dialect: "postgres",
    read: retried,
    async write<T>(work: (tx: Queries) => Promise<T>, options: WriteOptions = {}): Promise<T> {
      await gate.enter();
      try {
        return await transaction(work, options);
      } finally {
        gate.leave();
      }
    },
    close: () => pool.close({ timeout: CONNECT_TIMEOUT_SECONDS }),
  };
}

/** Every integer we store is below 2^53. */
function numbersOf(row: Record<string, unknown>): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value === "bigint") row[column] = Number(value);
  }
}

function writeGate() {
  let inside = 0;
  const waiting = new Set<() => void>();
  return {
    enter(): Promise<void> {
      if (inside < WRITES_AT_ONCE) {
        inside += 1;
        return Promise.resolve();
      }
      if (waiting.size >= WRITES_WAITING) return Promise.reject(new StoreUnavailable("busy", false));
      return new Promise((resolve, reject) => {
        const admit = () => {
          clearTimeout(timer);
          waiting.delete(admit);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(admit);
          reject(new StoreUnavailable("busy", false));
        }, WRITE_WAIT_MS);
        waiting.add(admit);
      });
    },
    /** The place passes straight to the longest waiting, so nobody overtakes. */
    leave(): void {
      const next = waiting.values().next().value;
      if (next) next();
      else inside -= 1;
    },
  };
}
