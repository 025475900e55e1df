// `crowdtape backup FILE`: a whole copy of the store while it is in use, readable by its owner alone. The copy is written
// next to its place and moved there when it is complete, so FILE is never half a back-up.

import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { Refused } from "../../client/cli/refused.ts";
import { copySqlite } from "../../database/copy-sqlite.ts";
import { readConfig } from "../config.ts";
import { storeLocation } from "../foundation.ts";

const OWNER_ONLY = 0o600;

export async function backup(file: string): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl !== null)
    throw new Refused(
      "PostgreSQL makes its own back-ups. One by hand, readable by you alone:\n" +
        `  (umask 077 && pg_dump --format=custom --file='${file}' "$DATABASE_URL")\n` +
        "For point-in-time recovery use pg_basebackup and WAL archiving; docs/operating.md says more.",
    );
  if (existsSync(file)) throw new Refused(`${file} is already there. Name another file.`);
  const location = storeLocation(config);
  if (!("file" in location) || !existsSync(location.file))
    throw new Refused(`There is no store in ${config.dataFolder} yet.`);
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  // Made empty and private first: SQLite fills it, and nobody else reads it meanwhile.
  closeSync(openSync(draft, "wx", OWNER_ONLY));
  try {
    await copySqlite(location.file, draft);
    chmodSync(draft, OWNER_ONLY);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(
    `Wrote ${file}, ${megabytes} MB. It holds keys' hashes, mail addresses and payments: keep it safe.`,
  );
}
