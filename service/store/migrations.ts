// Every migration, imported by name so that a single-file executable holds them; a test compares this list with
// the folder, so a forgotten file is found at once.
import type { Database } from "../../database/database.ts";
import { type Migration, migrate } from "../../database/migrate.ts";
import { migration as log } from "./captured/migrations/001-log.ts";
import { migration as capture } from "./captured/migrations/002-capture.ts";
import { migration as directory } from "./captured/migrations/003-directory.ts";
import { migration as positions } from "./captured/migrations/004-positions.ts";
import { migration as theses } from "./captured/migrations/005-theses.ts";
import { migration as market } from "./captured/migrations/006-market.ts";
import { migration as doubts } from "./captured/migrations/007-doubts.ts";
import { migration as alerts } from "./captured/migrations/008-alerts.ts";
import { migration as sources } from "./captured/migrations/009-sources.ts";
import { migration as history } from "./captured/migrations/010-history.ts";
import { migration as accounts } from "./money/migrations/020-accounts.ts";
import { migration as ledger } from "./money/migrations/021-ledger.ts";
import { migration as once } from "./money/migrations/022-once.ts";
import { migration as payments } from "./money/migrations/025-payments.ts";
import { migration as testChain } from "./money/migrations/026-test-chain.ts";
import { migration as checkouts } from "./money/migrations/027-checkouts.ts";
import { migration as mail } from "./money/migrations/028-mail.ts";
import { migration as freeAccounts } from "./money/migrations/029-free-accounts.ts";
import { migration as journal } from "./money/migrations/030-journal.ts";
import { migration as returns } from "./money/migrations/031-returns.ts";
import { migration as sharedSecret } from "./money/migrations/035-shared-secret.ts";
import { migration as webhooks } from "./money/migrations/040-webhooks.ts";
import { renumberRestored } from "./money/rollup.ts";

export const migrations: readonly Migration[] = [
  log,
  capture,
  directory,
  positions,
  theses,
  market,
  doubts,
  alerts,
  sources,
  history,
  accounts,
  ledger,
  once,
  payments,
  testChain,
  checkouts,
  mail,
  freeAccounts,
  journal,
  returns,
  sharedSecret,
  webhooks,
];

/** Brings a database to the service's own schema; returns the ids of what was missing. */
export async function migrateStore(db: Database, now: number): Promise<string[]> {
  const applied = await migrate(db, now, { record: "schema_migration", migrations });
  await renumberRestored(db);
  return applied;
}
