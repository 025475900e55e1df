// On PostgreSQL an ever-growing table is partitioned by month, so that expiring a month is dropping a
// table. No insert fails because a month is missing: months are created ahead, a missing one is created by the first writer that needs it,
// and impossible timestamps go to a first and a last table that always exist. On SQLite
// this only deletes rows. Their owners decide which tables are partitioned.
import type { Database, Queries, WriteOptions } from "./database.ts";
import { StoreUnavailable } from "./errors.ts";
import { type Dialect, raw, sql } from "./sql.ts";

/** A table partitioned by month, as described by its owner. */
export interface MonthlyTable {
  name: string;
  /** The column with the time that decides a row's month. */
  time: string;
  /** With the time, identifies rows: used to delete old rows where there are no months. */
  id: string;
  /**
   * Unique within each month. PostgreSQL can't enforce uniqueness across tables, so uniqueness across
   * months is up to the table's writers.
   */
  once: readonly string[];
  /** Writers of any month hold this advisory lock, and so does the process that drops one: no month is dropped mid-write. */
  turns?: number;
  /** Has columns with custom storage, which its months inherit. */
  wide?: boolean;
}

// Times outside these are garbage from a feed; without a limit a hostile feed could
// make us create tables forever.
const FIRST_MONTH = Date.UTC(2020, 0);
const LAST_MONTH_ENDS = Date.UTC(2100, 0);
/** This month and the next two: a keeper that has not run for weeks is noticed before it matters. */
const MONTHS_AHEAD = 3;
/** Serializes creating and dropping; any constant not used by another advisory lock. */
const LOCK_ID = 7_266_116;
/**
 * Dropping a month takes a lock that blocks its whole table, even reads. Waiting for it makes all others wait, so it
 * is requested with a short timeout, and again after a pause that lets others through.
 */
const DROP_LOCK_MS = 500;
const DROP_ATTEMPTS = 5;
const DROP_PAUSE_MS = 1_000;

/** For migrations: the tail of a `CREATE TABLE`. */
export function byMonth(dialect: Dialect, table: MonthlyTable): string {
  return dialect === "postgres" ? `PARTITION BY RANGE (${table.time})` : "";
}

/** For migrations, after the table and its indexes: the tables for times before and after all months. */
export function outermost(dialect: Dialect, table: MonthlyTable): string[] {
  if (dialect !== "postgres") return [];
  return [
    ...attached(table, `${table.name}_past`, "MINVALUE", String(FIRST_MONTH)),
    ...attached(table, `${table.name}_future`, String(LAST_MONTH_ENDS), "MAXVALUE"),
  ];
}

/** Created separately and then attached, which blocks neither reads nor writes of the parent. */
function attached(table: MonthlyTable, part: string, from: string, to: string): string[] {
  return [
    `CREATE TABLE ${part} (LIKE ${table.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS${
      table.wide ? " INCLUDING STORAGE" : ""
    })`,
    ...table.once.map((column) => `CREATE UNIQUE INDEX ON ${part} (${column})`),
    `ALTER TABLE ${table.name} ATTACH PARTITION ${part} FOR VALUES FROM (${from}) TO (${to})`,
  ];
}

interface Month {
  name: string;
  startsAt: number;
  endsAt: number;
}

/** The month of a time; null if the table has no months. */
function monthOf(table: MonthlyTable, at: number): Month | null {
  if (at < FIRST_MONTH || at >= LAST_MONTH_ENDS) return null;
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  const name = `${table.name}_${year}_${String(month + 1).padStart(2, "0")}`;
  return { name, startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}

function monthsFor(table: MonthlyTable, times: Iterable<number>): Map<string, Month> {
  const months = new Map<string, Month>();
  let last: Month | null = null;
  for (const at of times) {
    if (last && at >= last.startsAt && at < last.endsAt) continue;
    last = monthOf(table, at);
    if (last) months.set(last.name, last);
  }
  return months;
}

/** Part of a transaction that is about to insert rows of these times. */
export async function makeMonths(tx: Queries, table: MonthlyTable, times: Iterable<number>): Promise<void> {
  if (tx.dialect !== "postgres") return;
  const wanted = monthsFor(table, times);
  const missing = async () => {
    const known = new Set(await partsOf(tx, table));
    return [...wanted.values()].filter((month) => !known.has(month.name));
  };
  if ((await missing()).length === 0) return;
  await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
  for (const { name, startsAt, endsAt } of await missing()) {
    for (const statement of attached(table, name, String(startsAt), String(endsAt)))
      await tx.run(raw(statement));
  }
}

async function partsOf(queries: Queries, table: MonthlyTable): Promise<string[]> {
  const rows = await queries.all<{ name: string }>(
    sql`SELECT part.relname AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
        WHERE inhparent = CAST(CAST(${table.name} AS TEXT) AS REGCLASS)`,
  );
  return rows.map((row) => row.name);
}

export interface Months {
  /** Resolves once these times have their months. Remembers them: a month of our own clock is not dropped while in use. */
  ensure(times: Iterable<number>): Promise<void>;
}

export function monthsOf(database: Database, table: MonthlyTable): Months {
  const known = new Set<string>();
  return {
    async ensure(times) {
      if (database.dialect !== "postgres") return;
      const unknown = [...monthsFor(table, times).values()].filter((month) => !known.has(month.name));
      if (unknown.length === 0) return;
      const starts = unknown.map((month) => month.startsAt);
      await database.write((tx) => makeMonths(tx, table, starts));
      for (const month of unknown) known.add(month.name);
    },
  };
}

/** This month and the next two of each of these tables. */
export async function makeMonthsAhead(
  database: Database,
  tables: readonly MonthlyTable[],
  now: number,
): Promise<void> {
  if (database.dialect !== "postgres") return;
  const today = new Date(now);
  const starts = Array.from({ length: MONTHS_AHEAD }, (_, n) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + n),
  );
  for (const table of tables) await database.write((tx) => makeMonths(tx, table, starts));
}

/**
 * Deletes rows older than a time: on PostgreSQL the oldest month if all of it is, on SQLite up to `limit` rows.
 * Returns how many rows were deleted, for a month the database's estimate; 0 when there was nothing.
 */
export async function forget(
  database: Database,
  table: MonthlyTable,
  before: number,
  limit: number,
): Promise<number> {
  const dropped = await dropMonth(database, table, before, async (tx, part) => {
    const row = await tx.one<{ rows: number }>(
      sql`SELECT CAST(reltuples AS BIGINT) AS rows FROM pg_class
          WHERE oid = CAST(CAST(${part} AS TEXT) AS REGCLASS)`,
    );
    return row?.rows ?? 0;
  });
  if (dropped !== null) return Math.max(1, dropped);
  const from = raw(database.dialect === "postgres" ? `${table.name}_past` : table.name);
  const { time, id } = table;
  const oldest = sql`SELECT ${raw(id)} FROM ${from} WHERE ${raw(time)} < ${before}
    ORDER BY ${raw(`${time}, ${id}`)} LIMIT ${limit}`;
  return database.write((tx) => tx.run(sql`DELETE FROM ${from} WHERE ${raw(id)} IN (${oldest})`));
}

/**
 * Drops the oldest month that ended before a time, if there is one. `last` runs before, in the same transaction, and its
 * result is returned. Null when there is no such month, or when the table is currently too busy.
 */
export async function dropMonth(
  database: Database,
  table: MonthlyTable,
  before: number,
  last: (tx: Queries, part: string) => Promise<number>,
  options: WriteOptions = {},
): Promise<number | null> {
  if (database.dialect !== "postgres") return null;
  const over = (await partsOf(database.read, table)).filter((name) => endOf(table, name) <= before).sort();
  const [oldest] = over;
  if (oldest === undefined) return null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.write((tx) => dropPart(tx, table, oldest, last), options);
    } catch (error) {
      const isBusy = error instanceof StoreUnavailable && error.reason === "timeout";
      if (!isBusy) throw error;
      if (attempt === DROP_ATTEMPTS) return null;
      await Bun.sleep(DROP_PAUSE_MS);
    }
  }
}

async function dropPart(
  tx: Queries,
  table: MonthlyTable,
  part: string,
  last: (tx: Queries, part: string) => Promise<number>,
): Promise<number | null> {
  const { turns } = table;
  await tx.run(raw(`SET LOCAL lock_timeout = ${DROP_LOCK_MS}`));
  if (turns !== undefined) await tx.all(sql`SELECT pg_advisory_xact_lock(${turns})`);
  await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
  // Another node may have dropped it meanwhile.
  if (!(await partsOf(tx, table)).includes(part)) return null;
  await tx.run(raw(`LOCK TABLE ${part} IN SHARE MODE`));
  const result = await last(tx, part);
  await tx.run(raw(`DROP TABLE ${part}`));
  return result;
}

/** When a month's table ends; never for the two permanent ones. */
function endOf(table: MonthlyTable, name: string): number {
  const named = new RegExp(`^${table.name}_(\\d{4})_(\\d{2})$`).exec(name);
  return named ? Date.UTC(Number(named[1]), Number(named[2])) : Number.POSITIVE_INFINITY;
}
