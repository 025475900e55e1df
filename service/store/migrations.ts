// Every migration, imported by name so that a bundle holds them; a test compares this list with the folders, so that a
// forgotten file fails it. What is released is never edited: a change of what is stored is one more migration.
import type { Database } from "../../database/database.ts";
import { type Migration, migrate } from "../../database/migrate.ts";
import { migration as captured } from "./captured/migrations/001-captured.ts";
import { migration as money } from "./money/migrations/002-money.ts";
import { migration as rollupSlices } from "./money/migrations/003-rollup-slices.ts";
import { renumberRestored } from "./money/rollup.ts";

export const migrations: readonly Migration[] = [captured, money, rollupSlices];

/** Brings a database to the service's own schema; returns the ids of what was missing. */
export async function migrateStore(database: Database, now: number): Promise<string[]> {
  const applied = await migrate(database, now, { record: "schema_migration", migrations });
  await renumberRestored(database);
  return applied;
}
