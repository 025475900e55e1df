// Pages by key, not by count: a page starts strictly after the last row of the one before, so rows that come or go
// in between are neither skipped nor repeated, and page 1,000 costs what page 1 does.
import { raw, type Sql, sql } from "./sql.ts";

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
}

/** The condition that a cursor adds; none for the first page. */
export function beyond(order: KeysetOrder, cursor: Keyset | null | undefined): Sql[] {
  if (!cursor) return [];
  const comparison = raw(`(${order.column}, ${order.idColumn}) ${order.direction === "ASC" ? ">" : "<"}`);
  return [sql`${comparison} (${cursor.value}, ${cursor.id})`];
}

/** One row more than asked tells whether there is a next page. */
export function orderAndLimit(order: KeysetOrder, limit: number): Sql {
  const { column, idColumn, direction } = order;
  return sql`ORDER BY ${raw(`${column} ${direction}, ${idColumn} ${direction}`)} LIMIT ${limit + 1}`;
}

export function pageOf<Row extends { body: string }, T>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => Keyset,
  modelOf: (row: Row) => T = (row) => JSON.parse(row.body),
): KeysetPage<T> {
  const page = rows.slice(0, limit);
  const last = page[page.length - 1];
  return { rows: page.map(modelOf), next: rows.length > limit && last ? keyOf(last) : null };
}
