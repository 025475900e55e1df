// `crowdtape store copy --from PLACE [--to PLACE]`: copies a whole store, such as from SQLite to PostgreSQL, and reports
// what was copied. Whatever goes wrong, the source is only read and the target is left as it was. `crowdtape store
// new-epoch` is for a store that was restored from an older backup.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Refused } from "../../client/cli/refused.ts";
import type { Database } from "../../database/database.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { readConfig } from "../config.ts";
import { createKit, storeLocation } from "../foundation.ts";
import { renewEpoch } from "../store/captured/epoch.ts";
import { CopyRefused, copyStore } from "../store/copy.ts";
import { migrateStore } from "../store/migrations.ts";

const FILE_NAME = "crowdtape.sqlite";

export async function newEpoch(): Promise<void> {
  await withDatabase(storeLocation(readConfig()), async (database) => {
    const head = await renewEpoch(database);
    if (!head) throw new Refused("This store has no log yet, so no client holds a position of it.");
    console.log(
      `The log continues from position ${head.seq} in a new epoch; older positions are refused as gone.`,
    );
  });
}

export async function copy(values: { from?: string; to?: string }): Promise<void> {
  const from = placeOf("--from", values.from);
  // A password on a command line is visible to anyone who can list processes, so the default target is from the settings.
  const to = placeOf("--to", values.to ?? readConfig().databaseUrl ?? undefined);
  if ("file" in from && !existsSync(from.file))
    throw new Refused(`There is no store in ${from.file}; give --from the folder that was DATA_DIR.`);
  const { clock } = createKit({ logLevel: "warn" });
  await withDatabase(from, (source) =>
    withDatabase(to, async (target) => {
      await migrateStore(target, clock.now());
      const copied = await copyStore({
        from: source,
        to: target,
        now: clock.now(),
        onProgress: (table, rows) => rows > 0 && console.log(`${table}: ${rows} rows`),
      }).catch((error) => {
        throw error instanceof CopyRefused ? new Refused(error.message) : error;
      });
      console.log(
        `Copied ${copied.rows} rows. The log continues at position ${copied.seq}, the books add up, and keys and cursors stay valid.`,
      );
    }),
  );
}

function placeOf(name: string, text: string | undefined): DatabaseLocation {
  if (text?.startsWith("sqlite:") && text.length > "sqlite:".length) {
    const path = text.slice("sqlite:".length);
    return { file: existsSync(path) && statSync(path).isFile() ? path : join(path, FILE_NAME) };
  }
  if (text && /^postgres(ql)?:\/\/./.test(text)) return { url: text };
  throw new Refused(`${name} must be sqlite:FOLDER or postgres://…`);
}

async function withDatabase(
  place: DatabaseLocation,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(place);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
