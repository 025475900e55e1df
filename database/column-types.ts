// Where the two dialects can't share a type.
import type { Dialect } from "./sql.ts";

/** An integer primary key that is the rowid; SQLite requires this exact spelling. */
export function rowKey(dialect: Dialect): string {
  return dialect === "sqlite" ? "INTEGER PRIMARY KEY" : "BIGINT PRIMARY KEY";
}

/** The primary key of a table kept by month; on SQLite, where the table is keyed by its id, it is an extra index. */
export function monthlyKey(dialect: Dialect, columns: string): string {
  return dialect === "postgres" ? `, PRIMARY KEY (${columns})` : "";
}
