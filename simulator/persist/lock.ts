// One process per folder: two would overwrite each other's journal. The lock is the operating system's, held through a
// database file, so it ends with the process, however that exits, and never has to be cleared manually.
import { Database } from "bun:sqlite";
import { ForeignWorld } from "./identity.ts";

/** Locks the folder until the returned function is called or the process ends. */
export function lockFolder(path: string): () => void {
  const database = new Database(path, { create: true });
  try {
    database.exec("PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch {
    database.close();
    throw new ForeignWorld(
      "Another process runs the simulated world of this data folder. Stop it, choose another data folder, or run the simulator as a server and connect to it.",
    );
  }
  return () => database.close();
}
