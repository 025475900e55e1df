// Keyset pagination: a page starts strictly after the last row of the previous one, so rows that are added or removed
// in between are neither skipped nor repeated, and page 1,000 costs what page 1 does.
import { raw, type Sql, type SqlValue, sql } from "./sql.ts";

/** The sort value and id of the last row of a page. */
export interface Keyset {
  value: number;
  id: string;
}

export interface KeysetPage<Row> {
  rows: Row[];
  /** Where the next page starts, or null at the end. */
  next: Keyset | null;
}

export interface KeysetOrder {
  column: string;
  idColumn: string;
  direction: "ASC" | "DESC";
  /**
   * A column with few values that has this value in every row. It is queried as a range from and to the value
   * and made part of the order, which only an index led by it can provide: with an equality, PostgreSQL may scan
   * all rows in the order of the remaining columns for a value that none of them has.
   */
  lead?: { column: string; value: SqlValue };
}

/** The conditions for a cursor and a leading value; empty for a first page without either. */
export function beyond(order: KeysetOrder, cursor: Keyset | null | undefined): Sql[] {
  const { column, idColumn, direction, lead } = order;
  const [past, upTo, from] = direction === "ASC" ? [">", ">=", "<="] : ["<", "<=", ">="];
  if (!lead) {
    return cursor ? [sql`${raw(`(${column}, ${idColumn}) ${past}`)} (${cursor.value}, ${cursor.id})`] : [];
  }
  return [
    cursor
      ? sql`${raw(`(${lead.column}, ${column}, ${idColumn}) ${past}`)} (${lead.value}, ${cursor.value}, ${cursor.id})`
      : sql`${raw(`${lead.column} ${upTo}`)} ${lead.value}`,
    sql`${raw(`${lead.column} ${from}`)} ${lead.value}`,
  ];
}

/**
 * Rows from one value of the order's column to another, which must be whole numbers. The range begins where the cursor
 * is: of two bounds on the same side SQLite uses the first, and would scan all earlier pages.
 */
export function within(
  { column, direction }: KeysetOrder,
  { from, to }: { from: number; to: number },
  cursor: Keyset | null | undefined,
): Sql {
  const isUp = direction === "ASC";
  const first = cursor && isUp ? Math.max(from, cursor.value) : from;
  const end = cursor && !isUp ? Math.min(to, cursor.value + 1) : to;
  return sql`${raw(column)} >= ${first} AND ${raw(column)} < ${end}`;
}

/** One extra row shows whether there is a next page. */
export function orderAndLimit(order: KeysetOrder, limit: number): Sql {
  const columns = [...(order.lead ? [order.lead.column] : []), order.column, order.idColumn];
  return sql`ORDER BY ${raw(columns.map((column) => `${column} ${order.direction}`).join(", "))} LIMIT ${limit + 1}`;
}

export function pageOf<Row, T>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => Keyset,
  modelOf: (row: Row) => T,
): KeysetPage<T> {
  const page = rows.slice(0, limit);
  const last = page[page.length - 1];
  return { rows: page.map(modelOf), next: rows.length > limit && last ? keyOf(last) : null };
}
