// `crowdtape migrate`: brings the database's schema up to date and reports what it did. `serve` does the same at start.

import { openDatabase } from "../../database/open.ts";
import { readConfig } from "../config.ts";
import { createKit, storeLocation } from "../foundation.ts";
import { migrateStore } from "../store/migrations.ts";

export async function migrate(): Promise<void> {
  const config = readConfig();
  const { clock } = createKit({ logLevel: "warn" });
  const database = await openDatabase(storeLocation(config));
  try {
    const applied = await migrateStore(database, clock.now());
    console.log(applied.length === 0 ? "The schema is up to date." : `Applied: ${applied.join(", ")}`);
  } finally {
    await database.close();
  }
}
