// Every migration, imported by name so that a single-file executable holds them; a test compares this list with
// the folder, so a forgotten file is found at once.
import type { Migration } from "../migrate.ts";
import { migration as log } from "./001-log.ts";
import { migration as capture } from "./002-capture.ts";
import { migration as directory } from "./003-directory.ts";
import { migration as positions } from "./004-positions.ts";
import { migration as theses } from "./005-theses.ts";
import { migration as market } from "./006-market.ts";
import { migration as accounts } from "./020-accounts.ts";
import { migration as ledger } from "./021-ledger.ts";
import { migration as once } from "./022-once.ts";
import { migration as payments } from "./025-payments.ts";
import { migration as testChain } from "./026-test-chain.ts";
import { migration as checkouts } from "./027-checkouts.ts";
import { migration as mail } from "./028-mail.ts";
import { migration as freeAccounts } from "./029-free-accounts.ts";

export const migrations: readonly Migration[] = [
  log,
  capture,
  directory,
  positions,
  theses,
  market,
  accounts,
  ledger,
  once,
  payments,
  testChain,
  checkouts,
  mail,
  freeAccounts,
];
