// Owners' account actions without signing in: free keys, lost keys, the mails involved, and usage.
import { join } from "node:path";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Access } from "../access/access.ts";
import type { FormLimits } from "../access/limits/form-limits.ts";
import { type AccountData, createAccountData } from "./account-data.ts";
import { createOutbox, type Outbox } from "./mail/outbox.ts";
import { folderTransport, smtpTransport } from "./mail/transport.ts";
import { createOwners, type Owners, type Renewals } from "./owners.ts";

export interface MailSettings {
  dataFolder: string;
  /** Null: mails are written as files to DATA_DIR. */
  smtpUrl: string | null;
  mailFrom: string;
}

export interface OpenOutboxParts extends Kit {
  settings: MailSettings;
  database: Database;
  access: Pick<Access, "grants">;
  publicUrl: () => string;
}

/** Opened before billing, which mails buyers through it. */
export function openOutbox(parts: OpenOutboxParts): Outbox {
  const { settings, access } = parts;
  return createOutbox({
    ...parts,
    transport:
      settings.smtpUrl === null
        ? folderTransport(join(settings.dataFolder, "outbox"))
        : smtpTransport(settings.smtpUrl),
    from: settings.mailFrom,
    hasAccount: async (email) => (await access.grants.accountsOf(email)).length > 0,
  });
}

export interface Accounts {
  owners: Owners;
  data: AccountData;
}

export function createAccounts(parts: {
  database: Database;
  access: Pick<Access, "grants" | "keys">;
  outbox: Outbox;
  limits: FormLimits;
  /** Cards that are charged each month, from the card billing. */
  renewals: Renewals;
  testKeys: boolean;
  mailsLeave: boolean;
  clock: Clock;
}): Accounts {
  const { database, access, clock } = parts;
  const { grants, keys } = access;
  return {
    owners: createOwners({ ...parts, grants, keys }),
    data: createAccountData({ database, clock }),
  };
}
