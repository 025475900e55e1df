// Opens the database that the settings name: PostgreSQL by its URL, else SQLite in a file.
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite, type SqliteLocation } from "./sqlite.ts";

export type DatabaseLocation = { url: string } | SqliteLocation;

export function openDatabase(location: DatabaseLocation): Promise<Database> {
  return "url" in location ? openPostgres(location.url) : openSqlite(location);
}
