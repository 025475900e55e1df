// Every migration, imported by name so that a bundle contains them; a test compares this list with the folders and fails
// on a forgotten file. A released migration is never edited: a schema change is one more migration.
import type { Database } from "../../database/database.ts";
import { type Migration, migrate } from "../../database/migrate.ts";
import { migration as captured } from "./captured/migrations/001-captured.ts";
import { migration as tape } from "./captured/migrations/004-tape.ts";
import { migration as fillTransactions } from "./captured/migrations/005-fill-transactions.ts";
import { migration as copyBoard } from "./captured/migrations/007-copy-board.ts";
import { migration as dayChanges } from "./captured/migrations/011-day-changes.ts";
import { migration as verdicts } from "./captured/migrations/012-verdicts.ts";
import { migration as pastRanks } from "./captured/migrations/013-past-ranks.ts";
import { migration as retractedAhead } from "./captured/migrations/014-retracted-ahead.ts";
import { migration as retractions } from "./captured/migrations/015-retractions.ts";
import { migration as logSymbols } from "./captured/migrations/017-log-symbols.ts";
import { migration as money } from "./money/migrations/002-money.ts";
import { migration as rollupSlices } from "./money/migrations/003-rollup-slices.ts";
import { migration as replays } from "./money/migrations/006-replays.ts";
import { migration as follows } from "./money/migrations/008-follows.ts";
import { migration as push } from "./money/migrations/009-push.ts";
import { migration as carriedLists } from "./money/migrations/010-carried-lists.ts";
import { migration as pushAsked } from "./money/migrations/016-push-asked.ts";
import { renumberRestored } from "./money/rollup.ts";

export const migrations: readonly Migration[] = [
  captured,
  money,
  rollupSlices,
  tape,
  fillTransactions,
  replays,
  copyBoard,
  follows,
  push,
  carriedLists,
  dayChanges,
  verdicts,
  pastRanks,
  retractedAhead,
  retractions,
  pushAsked,
  logSymbols,
];

/** Brings a database to the service's schema; returns the ids of the missing migrations. */
export async function migrateStore(database: Database, now: number): Promise<string[]> {
  const applied = await migrate(database, now, { record: "schema_migration", migrations });
  await renumberRestored(database);
  return applied;
}
