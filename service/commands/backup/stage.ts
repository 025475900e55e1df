// Copies a backup's contents next to its target: first the bots' chats, which may be older than the store but never ahead of
// its log; then the store at one moment; then data that must be at least as new as the store, because the store continues
// from its own position in it: the tracker's books, and the simulated world.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../../client/cli/refused.ts";
import { copySqlite } from "../../../database/copy-sqlite.ts";
import type { DatabaseLocation } from "../../../database/open.ts";
import { BOT_NAMES, type Config } from "../../config.ts";
import { botFile, botLocation, storeLocation, trackerLocation } from "../../foundation.ts";
import { dumpPostgres } from "./postgres-programs.ts";

export const STORE_FILE = "crowdtape.sqlite";
export const DUMP_FILE = "postgres.dump";
const TRACKER_FILE = "tracker.sqlite";
const SNAPSHOT = "simulator/world.snapshot";
/** The journal comes last: it may contain more than the snapshot, but never less. */
const FOLDER_FILES = ["ready-keys.json", SNAPSHOT, "simulator/world.journal"] as const;
/** Every file that a backup may contain; any other name is never written. */
export const KNOWN_FILES: readonly string[] = [
  STORE_FILE,
  TRACKER_FILE,
  DUMP_FILE,
  ...FOLDER_FILES,
  ...BOT_NAMES.map(botFile),
];

export interface Staged {
  engine: "sqlite" | "postgres";
  folder: string;
  files: string[];
}

type StageConfig = Pick<Config, "databaseUrl" | "dataFolder" | "simulatorFolder">;

export async function stageStore(config: StageConfig, parent: string): Promise<Staged> {
  const location = storeLocation(config);
  if ("file" in location && !existsSync(location.file))
    throw new Refused(`There is no store in ${config.dataFolder} yet.`);
  removeAbandoned(parent);
  const folder = join(parent, `${STAGING}${process.pid}`);
  for (const inner of ["bots", "simulator"]) mkdirSync(join(folder, inner), { recursive: true, mode: 0o700 });
  try {
    const engine = "file" in location ? "sqlite" : "postgres";
    if ("file" in location) {
      for (const name of BOT_NAMES)
        await copyDatabase(botLocation(config, name), join(folder, botFile(name)));
      await copySqlite(location.file, join(folder, STORE_FILE));
      await copyDatabase(trackerLocation(config), join(folder, TRACKER_FILE));
    } else await dumpPostgres(location.url, join(folder, DUMP_FILE));
    for (const name of FOLDER_FILES) await copyIfThere(join(config.dataFolder, name), join(folder, name));
    return { engine, folder, files: KNOWN_FILES.filter((name) => existsSync(join(folder, name))) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Skips a database that was never created. */
async function copyDatabase(location: DatabaseLocation, target: string): Promise<void> {
  if ("file" in location && existsSync(location.file)) await copySqlite(location.file, target);
}

const STAGING = ".crowdtape-backup-";

/** Removes the leftovers of killed backups. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(STAGING) ? Number(name.slice(STAGING.length)) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}

/** A snapshot briefly has no name while a newer one replaces it. */
const COPY_ATTEMPTS = 5;
const COPY_PAUSE_MS = 20;

async function copyIfThere(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await copyFile(from, to);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
      if (attempt === COPY_ATTEMPTS || !existsSync(`${from}.previous`)) return;
      await Bun.sleep(COPY_PAUSE_MS);
    }
  }
}
