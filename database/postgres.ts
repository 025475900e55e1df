// PostgreSQL through a bounded pool. Every wait has a timeout: for a connection, for a lock, for a statement, and for
// a silent server; each ends in StoreUnavailable, and the next call gets a fresh connection.
import { SQL } from "bun";
import { type Database, type Queries, queriesOver, type WriteOptions } from "./database.ts";
import { isBrokenConnection, isSerialization, StoreUnavailable, typedError } from "./errors.ts";
import { placeholders, type Sql, storable } from "./sql.ts";

// Several nodes share one server whose usual limit is 100 connections.
const POOL_CONNECTIONS = 10;
// Reads must continue while writes queue, so writes never take the whole pool.
const WRITES_MAX = 7;
// More waiting writes than this means that the database can't keep up; refusing is better than a longer queue.
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
  /** Longer than any statement may take: without a response by then the peer is dead, not slow. */
  silenceMs: number;
  /** From waiting for a connection to the last statement; no transaction comes near this. */
  transactionMs: number;
}

const LIMITS: PostgresLimits = { statementMs: 10_000, silenceMs: 12_000, transactionMs: 30_000 };

// Every list has an index in its own order, so a plan that gathers and sorts, or scans, is only ever better while there
// are few rows, and row estimates go wrong: correlated values, a month just begun, a value that does not occur. Such plans
// are ruled out if there is another. One plan then works for all values, and planning, which takes longer than reading a
// page, happens once.
const PLANNING = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  enable_incremental_sort: "off",
  plan_cache_mode: "force_generic_plan",
  // Compiling a plan takes longer than any of our statements that is not meant to be slow.
  jit: "off",
};
const PATIENT = [
  "statement_timeout = 0",
  "lock_timeout = 0",
  // Patient statements read whole tables.
  "enable_seqscan = on",
  "enable_bitmapscan = on",
  "enable_sort = on",
  "enable_incremental_sort = on",
  "plan_cache_mode = auto",
];

interface SilenceWatch {
  /** From now on; replaces what was set before. */
  within(timeoutMs: number, outcomeUnknown: boolean): void;
  noLonger(): void;
  /** Throws once the caller was refused: from then on nothing may be stored. */
  mustGoOn(): void;
  answer<T>(answer: PromiseLike<T>): Promise<T>;
}

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
        ...PLANNING,
      },
    });
  let pool = connect();

  /** Gives up on a silent server: drops the pool, whose connections would never answer, and opens a new one. */
  const giveUp = (silent: SQL) => {
    if (silent !== pool) return;
    pool = connect();
    void silent.close({ timeout: 0 }).catch(() => undefined);
  };
  /** Aborts waits for a silent server, whose connections are then given up. */
  const watched = async <T>(work: (watch: SilenceWatch) => Promise<T>): Promise<T> => {
    const from = pool;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refusal: StoreUnavailable | null = null;
    let expire: (error: StoreUnavailable) => void;
    const expired = new Promise<never>((_, reject) => {
      expire = reject;
    });
    try {
      return await work({
        within(timeoutMs, outcomeUnknown) {
          clearTimeout(timer);
          timer = setTimeout(() => {
            // First, because closing the connections would end the wait as a broken connection.
            refusal = new StoreUnavailable("timeout", outcomeUnknown);
            expire(refusal);
            giveUp(from);
          }, timeoutMs);
        },
        noLonger: () => clearTimeout(timer),
        mustGoOn() {
          if (refusal) throw refusal;
        },
        answer: (answer) => Promise.race([answer, expired]),
      });
    } finally {
      clearTimeout(timer);
    }
  };
  const answerOf = async (connection: SQL, statement: Sql) => {
    const text = placeholders(statement.text, "postgres");
    // As text, so that a statement has one prepared form whatever its parameter types.
    const values = statement.values.map((value) => (value === null ? null : String(storable(value))));
    const rows = await connection.unsafe(text, values);
    for (const row of rows) numbersOf(row as Record<string, unknown>);
    return { rows, count: Number(rows.count ?? 0) };
  };
  /**
   * One statement outside a transaction. A restart leaves stale connections in the pool, and another call may give up
   * the pool, so it is retried; all attempts together have the time of one.
   */
  const again = (statement: Sql, { mayStore }: { mayStore: boolean }) =>
    watched(async (watch) => {
      watch.within(limits.silenceMs, mayStore);
      // The outcome of a broken attempt stays unknown even if the next one is refused.
      let outcomeUnknown = false;
      for (let attempt = 1; ; attempt++) {
        try {
          return await watch.answer(answerOf(pool, statement));
        } catch (error) {
          const isBroken = isBrokenConnection(error);
          outcomeUnknown ||= mayStore && isBroken;
          const isUndone = mayStore && isSerialization(error) && attempt < SERIALIZATION_ATTEMPTS;
          if (!isUndone && (!isBroken || attempt > POOL_CONNECTIONS)) throw typedError(error, outcomeUnknown);
        }
      }
    });
  const read = queriesOver("postgres", (statement) => again(statement, { mayStore: false }));
  const alone = queriesOver("postgres", (statement) => again(statement, { mayStore: true }));

  const statementsOf = (connection: SQL, { patient }: WriteOptions): Queries =>
    queriesOver("postgres", (statement) =>
      watched((watch) => {
        if (!patient) watch.within(limits.silenceMs, false);
        return watch.answer(answerOf(connection, statement));
      }),
    );
  const transaction = <T>(work: (tx: Queries) => Promise<T>, options: WriteOptions): Promise<T> =>
    watched(async (watch) => {
      const begin = () => (options.patient ? watch.noLonger() : watch.within(limits.transactionMs, false));
      begin();
      for (let attempt = 1; ; attempt++) {
        const progress = { started: false, finished: false };
        try {
          const whole = pool.begin(async (connection) => {
            progress.started = true;
            if (options.patient)
              await connection.unsafe(PATIENT.map((setting) => `SET LOCAL ${setting}`).join("; "));
            const result = await work(statementsOf(connection, options));
            // The pool that it began with was given up, perhaps not the one that it is in.
            watch.mustGoOn();
            progress.finished = true;
            // The commit is not one of our statements, so nothing else times it out.
            watch.within(options.patient ? limits.transactionMs : limits.silenceMs, true);
            return result;
          });
          return (await watch.answer(whole)) as T;
        } catch (error) {
          const isUndone = isSerialization(error) && attempt < SERIALIZATION_ATTEMPTS;
          const isUnsent = !progress.started && isBrokenConnection(error) && attempt <= POOL_CONNECTIONS;
          if (!isUndone && !isUnsent) throw typedError(error, progress.finished);
          if (isUndone) begin();
        }
      }
    });
  const gate = writeGate();

  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    await gate.enter();
    try {
      return await run();
    } finally {
      gate.leave();
    }
  };

  return {
    dialect: "postgres",
    read,
    readsAreBehind: () => null,
    write: (work, options = {}) => inTurn(() => transaction(work, options)),
    single: <Row>(statement: Sql) => inTurn(() => alone.all<Row>(statement)),
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
      if (inside < WRITES_MAX) {
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
    /** The slot passes directly to the longest waiter, so there is no overtaking. */
    leave(): void {
      const next = waiting.values().next().value;
      if (next) next();
      else inside -= 1;
    },
  };
}
