// `crowdtape restore --from FILE|s3://…`: restores a backup into an empty DATA_DIR, and into the empty database of
// DATABASE_URL if it was made from PostgreSQL. Every file is verified before any is put in place; a failure changes nothing.
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refused } from "../../../client/cli/refused.ts";
import { openDatabase } from "../../../database/open.ts";
import { type Config, readConfig } from "../../config.ts";
import { storeLocation } from "../../foundation.ts";
import { renewEpoch } from "../../store/captured/epoch.ts";
import { imbalances } from "../../store/money/ledger.ts";
import { type BackupList, readArchive } from "./archive.ts";
import { bytesFrom } from "./places.ts";
import { refuseUnlessUnused, restorePostgres } from "./postgres-programs.ts";
import { DUMP_FILE, STORE_FILE } from "./stage.ts";

const UNPACKED = ".restoring";

export interface RestoreOptions {
  from?: string;
  "keep-epoch"?: boolean;
}

export async function restore({ from, "keep-epoch": keepEpoch }: RestoreOptions): Promise<void> {
  if (!from) throw new Refused("Say where the backup is: --from FILE or --from s3://BUCKET/NAME.");
  const config = readConfig();
  refuseUnlessEmpty(config.dataFolder);
  if (config.databaseUrl !== null) await refuseUnlessUnused(config.databaseUrl);
  const source = await bytesFrom(from);
  const isNew = !existsSync(config.dataFolder);
  const unpacked = join(config.dataFolder, UNPACKED);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true, mode: 0o700 });
  try {
    const list = await readArchive(source, unpacked);
    refuseOtherEngine(list, config);
    if (config.databaseUrl !== null) await restorePostgres(config.databaseUrl, join(unpacked, DUMP_FILE));
    putInPlace(list, unpacked, config.dataFolder);
    rmSync(unpacked, { recursive: true, force: true });
    console.log(await describe(config, list, keepEpoch === true));
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    if (isNew && readdirSync(config.dataFolder).length === 0) rmdirSync(config.dataFolder);
    throw error;
  }
}

/** Leftovers of a killed restore don't count. */
function refuseUnlessEmpty(folder: string): void {
  const held = existsSync(folder) ? readdirSync(folder).filter((name) => name !== UNPACKED) : [];
  if (held.length === 0) return;
  throw new Refused(
    `${folder} is not empty: it has ${held[0]}. Stop the service, move that folder away, or set DATA_DIR to a new one.`,
  );
}

function refuseOtherEngine({ engine }: BackupList, { databaseUrl }: Config): void {
  if (engine === "sqlite" && databaseUrl !== null)
    throw new Refused(
      "This backup is of a SQLite store. Restore it without DATABASE_URL, then move it with crowdtape store copy.",
    );
  if (engine === "postgres" && databaseUrl === null)
    throw new Refused(
      "This backup is of a PostgreSQL database. Set DATABASE_URL to an empty one, and restore again.",
    );
}

/** The store goes last: without it a folder is not a service's, and is restored again from the start. */
function putInPlace({ files }: BackupList, unpacked: string, folder: string): void {
  const names = files.map(({ name }) => name).filter((name) => name !== DUMP_FILE && name !== STORE_FILE);
  if (files.some(({ name }) => name === STORE_FILE)) names.push(STORE_FILE);
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    renameSync(join(unpacked, name), join(folder, name));
  }
}

/** Later positions may have been used for other events, so by default clients that hold one learn that it is gone. */
async function describe(config: Config, { madeAt }: BackupList, keepEpoch: boolean): Promise<string> {
  const database = await openDatabase(storeLocation(config));
  try {
    const head = keepEpoch ? null : await renewEpoch(database);
    const wrong = await imbalances(database.read);
    return [
      `Restored what was kept at ${madeAt}.`,
      head
        ? `The log continues from position ${head.seq} in a new epoch; later positions are refused as gone.`
        : "The log continues in its own epoch.",
      wrong.length === 0
        ? "The books add up."
        : `${wrong.length} accounts do not add up; crowdtape doctor says more.`,
    ].join(" ");
  } finally {
    await database.close();
  }
}
