// Where the two dialects can not share a type.
import type { Dialect } from "../sql.ts";

/** An integer primary key that is the row's own place on disk; SQLite gives that to this exact spelling only. */
export function rowKey(dialect: Dialect): string {
  return dialect === "sqlite" ? "INTEGER PRIMARY KEY" : "BIGINT PRIMARY KEY";
}
