// A whole copy of a SQLite database while others read and write it, as it was at one moment.
import { Database } from "bun:sqlite";

/** `target` is absent or empty. */
export function copySqlite(file: string, target: string): void {
  const source = new Database(file, { readwrite: true, create: false });
  try {
    source.run("VACUUM INTO ?", [target]);
  } finally {
    source.close();
  }
}
