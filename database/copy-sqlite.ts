// A consistent copy of a SQLite database while others read and write it.
import { Database } from "bun:sqlite";
import { openFlushes } from "./flushes.ts";

/** `target` is absent or empty. */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new Database(file, { readwrite: true, create: false });
  const flushes = openFlushes(file);
  try {
    source.run("VACUUM INTO ?", [target]);
  } finally {
    // The last connection to close removes the log, whose pages a killed process may have copied but not flushed.
    await flushes.file();
    source.close();
    flushes.close();
  }
}
