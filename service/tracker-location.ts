// Where the tracker's books are: in PostgreSQL beside the service's own tables, or in a file of their own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseLocation } from "../database/open.ts";

export function trackerLocation(config: {
  databaseUrl: string | null;
  dataFolder: string;
}): DatabaseLocation {
  if (config.databaseUrl !== null) return { url: config.databaseUrl };
  mkdirSync(config.dataFolder, { recursive: true });
  return { file: join(config.dataFolder, "tracker.db") };
}
