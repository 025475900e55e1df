// Brings together what selling by card takes: the checkout, keys by mail, and their pages. Accounts and keys come from
// access, the looks of pages from web, and neither knows of the other.
import { join } from "node:path";
import type { Database, Queries } from "../database/database.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import type { Random } from "../kit/random.ts";
import { billingViews } from "../web/pricing/pages.ts";
import type { Access } from "./access/access.ts";
import { addressSubject } from "./access/identity/address.ts";
import { secureBase62 } from "./access/identity/key-format.ts";
import { openAccount } from "./access/ledger/renewal.ts";
import { createOutbox, type Outbox } from "./accounts/mail/outbox.ts";
import { folderTransport, smtpTransport } from "./accounts/mail/transport.ts";
import { createLimits } from "./accounts/owners/limits.ts";
import { createOwners } from "./accounts/owners/owners.ts";
import { html, type Page } from "./api/pages.ts";
import { type CardBilling, createCardBilling } from "./billing/card/card.ts";
import type { StripeSettings } from "./billing/card/stripe.ts";
import { createSweeper } from "./billing/card/sweeper.ts";
import { createBillingPages } from "./billing/pages.ts";
import { type Account, insertAccount } from "./store/money/accounts.ts";
import { insertEntries } from "./store/money/ledger.ts";

export interface CheckoutSettings {
  dataFolder: string;
  /** Null: no cards, but the built-in test checkout where the world is the embedded one too. */
  stripe: StripeSettings | null;
  embedded: boolean;
  /** Null: mails become files in DATA_DIR. */
  smtpUrl: string | null;
  mailFrom: string;
}

export interface Checkout {
  cards: CardBilling;
  outbox: Outbox;
  pages: Record<string, Page>;
  start(): void;
  stop(): Promise<void>;
}

export interface CheckoutParts {
  settings: CheckoutSettings;
  database: Database;
  access: Pick<Access, "grants" | "keys" | "identifyKey">;
  publicUrl: () => string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  random: Random;
}

export function openCheckout(parts: CheckoutParts): Checkout {
  const { settings, database, access, publicUrl, clock, log } = parts;
  const { grants: accounts, keys } = access;
  const outbox = createOutbox({
    ...parts,
    transport:
      settings.smtpUrl === null
        ? folderTransport(join(settings.dataFolder, "outbox"))
        : smtpTransport(settings.smtpUrl),
    from: settings.mailFrom,
    hasAccount: async (email) => (await accounts.accountsOf(email)).length > 0,
  });
  const shared = { ...parts, accounts, keys, openAccount: openAccountIn };
  const cards = createCardBilling({
    ...shared,
    letters: outbox,
    // Pretended payments are for a pretended world: a service with real data and no cards sells nothing by card.
    provider: settings.stripe ?? (settings.embedded ? "builtin" : null),
  });
  const limits = createLimits({ database, clock });
  const owners = createOwners({ ...shared, outbox, cards, limits });
  const sweeper = createSweeper({ sweep: cards.sweep, clock, log });
  const pages = createBillingPages({
    ...{ cards, owners, limits, views: billingViews, html, publicUrl, log },
    subjectOf: addressSubject,
    accountOfKey: async (secret) => (await access.identifyKey(secret)).accountId,
  });
  return {
    cards,
    outbox,
    pages,
    start() {
      outbox.start();
      sweeper.start();
    },
    async stop() {
      await sweeper.stop();
      await outbox.stop();
    },
  };
}

/** As long as those that the ledger makes itself. */
const ACCOUNT_ID_CHARACTERS = 12;

/** Inside a transaction of somebody else, so that an account and what it was opened for are stored together. */
async function openAccountIn(tx: Queries, email: string, at: number): Promise<Account> {
  const id = `acc_${secureBase62(ACCOUNT_ID_CHARACTERS)}`;
  const { account, entries } = openAccount(id, email.trim().toLowerCase(), at);
  await insertAccount(tx, account);
  await insertEntries(tx, account.id, entries);
  return account;
}
