// One client for SQLite and PostgreSQL. Reads see only committed data; a write is one transaction that is on
// disk when its promise resolves, and leaves no trace when it rejects. Integers arrive as numbers on both.
import type { Dialect, Sql, SqlValue } from "./sql.ts";

/** Where statements run: outside any transaction (`Database.read`) or inside one (`Database.write`). */
export interface Queries {
  readonly dialect: Dialect;
  all<Row>(statement: Sql): Promise<Row[]>;
  /** The first row, or null. */
  one<Row>(statement: Sql): Promise<Row | null>;
  /** How many rows changed. */
  run(statement: Sql): Promise<number>;
}

export interface WriteOptions {
  /** For migrations and copies: no time limit on a statement. */
  patient?: boolean;
  /**
   * On SQLite the flush to the disk runs concurrently: the promise waits for it, the next write does not. Readers
   * may see the rows a moment before they would survive a power cut, so use it only where that is harmless.
   */
  flushAside?: boolean;
}

export interface Database {
  readonly dialect: Dialect;
  readonly read: Queries;
  /**
   * Null while reads see everything that any process has committed. On SQLite they keep to an older snapshot during a
   * flush to the disk: then it resolves when they see it.
   */
  readsAreBehind(): Promise<void> | null;
  /**
   * Runs the work in one transaction. PostgreSQL may roll it back because of a concurrent one, and then the work runs
   * again, so it must have no side effects outside `tx`. Writes must not be nested.
   */
  write<T>(work: (tx: Queries) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * One statement as its own transaction, on PostgreSQL in one round trip. When a connection breaks it is sent
   * again, so it must be idempotent.
   */
  single<Row>(statement: Sql): Promise<Row[]>;
  close(): Promise<void>;
}

/** A driver's result for one statement. */
export interface StatementResult {
  rows: unknown[];
  count: number;
}

export function queriesOver(
  dialect: Dialect,
  execute: (statement: Sql) => Promise<StatementResult>,
): Queries {
  return {
    dialect,
    all: async <Row>(statement: Sql) => (await execute(statement)).rows as Row[],
    one: async <Row>(statement: Sql) => ((await execute(statement)).rows[0] as Row | undefined) ?? null,
    run: async (statement: Sql) => (await execute(statement)).count,
  };
}

/** The row count; the argument is the part after `SELECT COUNT(*)`. */
export async function countOf(queries: Queries, from: Sql): Promise<number> {
  const row = await queries.one<{ n: number }>({ ...from, text: `SELECT COUNT(*) AS n ${from.text}` });
  return row?.n ?? 0;
}

// SQLite takes at most 32,766 parameters and is fastest with short statements; PostgreSQL takes 65,535 and gains
// from every saved round trip.
const ROWS_A_STATEMENT: Record<Dialect, number> = { sqlite: 32, postgres: 256 };

/** A row to insert, each column with its value. A property in camel case names a column in snake case. */
export type NewRow<Row> = Readonly<Record<keyof Row, SqlValue>>;

/** The tail of an insert, such as `ON CONFLICT (id) DO NOTHING`; a function is given the columns. */
export type InsertTail = string | ((columns: readonly string[]) => string);

/** Column names become part of the statement's text, so anything but a plain name is refused. */
export function columnOf(property: string): string {
  if (!/^[a-z][a-z0-9_]*$/i.test(property))
    throw new Error(`No column is called ${JSON.stringify(property)}.`);
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What overwrites these columns on conflict. */
export const excluded = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(", ");

/**
 * Inserts many rows, all with the same properties, in few statements. Their sizes are powers of two so that each table needs few
 * prepared statements. Returns how many rows changed.
 */
export async function insertMany<Row extends NewRow<Row>>(
  tx: Queries,
  table: string,
  rows: readonly Row[],
  tail: InsertTail = "",
): Promise<number> {
  let changed = 0;
  for (const statement of insertsOf(tx.dialect, table, rows, tail)) changed += await tx.run(statement);
  return changed;
}

/** The same, with a tail that ends in `RETURNING`. */
export async function insertReturning<Returned, Row extends NewRow<Row> = Record<string, SqlValue>>(
  tx: Queries,
  table: string,
  rows: readonly Row[],
  tail: InsertTail,
): Promise<Returned[]> {
  const returned: Returned[] = [];
  for (const statement of insertsOf(tx.dialect, table, rows, tail)) {
    returned.push(...(await tx.all<Returned>(statement)));
  }
  return returned;
}

function* insertsOf<Row extends NewRow<Row>>(
  dialect: Dialect,
  table: string,
  rows: readonly Row[],
  tail: InsertTail,
): Generator<Sql> {
  const properties = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const columns = properties.map(columnOf);
  const one = `(${columns.map(() => "?").join(",")})`;
  const ending = typeof tail === "string" ? tail : tail(columns);
  const textOf = (size: number) =>
    `INSERT INTO ${table} (${columns.join(",")}) VALUES ${Array(size).fill(one).join(",")} ${ending}`;
  let size = ROWS_A_STATEMENT[dialect];
  // One shared string per shape: it is long, and it is the key of the prepared statement.
  let text = "";
  for (let start = 0; start < rows.length; start += size) {
    const before = size;
    while (size > rows.length - start) size /= 2;
    if (text === "" || size !== before) text = textOf(size);
    const values = rows.slice(start, start + size).flatMap((row) => properties.map((name) => row[name]));
    yield { text, values };
  }
}
