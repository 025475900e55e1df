// What people do with keys without having an account to sign in to: get a free one, and replace a lost one through a
// mail that only the owner of the address can read. One mailbox has one free account, however it is spelt.
import { fault } from "../../contract/errors.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Keys } from "../access/identity/keys.ts";
import { emailOf, mailboxOf } from "../access/identity/mailbox.ts";
import type { Grants } from "../access/ledger/grants.ts";
import { openAccount } from "../access/ledger/open-account.ts";
import type { FormLimits } from "../access/limits/form-limits.ts";
import type { Account } from "../store/money/accounts.ts";
import { accountOfMailbox, takeMailbox } from "../store/money/free-accounts.ts";
import type { Key } from "../store/money/keys.ts";
import { emailOfLink, useLink } from "../store/money/mail-links.ts";
import { hashOfToken, type Outbox } from "./mail/outbox.ts";

export interface OwnedAccount {
  account: Account;
  /** Those that still work. */
  keys: Key[];
  /** Whether a card is charged each month. */
  renews: boolean;
}

export interface Owners {
  /** A key, or, for a mailbox that has one, a mail by which to replace it. */
  freeKey(email: string, subject: string): Promise<{ secret: string } | { mailed: true }>;
  /** Always ends alike, so that nobody learns who has an account. */
  requestLink(email: string, subject: string): Promise<void>;
  /** What a link opens; null when it was used or is too old. Looking does not use it. */
  look(token: string): Promise<OwnedAccount[] | null>;
  /** A new key, once. */
  replaceKey(wanted: {
    token: string;
    accountId: string;
    revokeOthers: boolean;
  }): Promise<{ secret: string }>;
  stopRenewing(wanted: { token: string; accountId: string }): Promise<void>;
}

/** What an owner may ask about cards that are charged each month; whoever takes cards answers it. */
export interface Renewals {
  renews(accountId: string): Promise<boolean>;
  stop(accountId: string): Promise<void>;
}

export interface OwnersParts {
  database: Database;
  grants: Pick<Grants, "account" | "accountsOf">;
  keys: Pick<Keys, "create" | "list" | "revoke">;
  outbox: Pick<Outbox, "queueLink" | "wake">;
  renewals: Renewals;
  limits: FormLimits;
  /** Whether the keys given here are for trying out. */
  testKeys: boolean;
  clock: Clock;
}

class MailboxTaken extends Error {}

export function createOwners(parts: OwnersParts): Owners {
  const { database, grants, keys, outbox, renewals, limits, clock } = parts;
  const mode = parts.testKeys ? "test" : "live";

  const mailLink = async (email: string) => {
    if (!(await limits.take("linksPerMailbox", mailboxOf(email)))) return;
    await database.write((tx) => outbox.queueLink(tx, email));
    outbox.wake();
  };

  const openFree = (email: string): Promise<Account | null> =>
    database
      .write(async (tx) => {
        const now = clock.now();
        const account = await openAccount(tx, { email, at: now });
        // Undone as a whole if another request was quicker: there is no second account, not even an empty one.
        if (!(await takeMailbox(tx, mailboxOf(email), account.id, now))) throw new MailboxTaken();
        return account;
      })
      .catch((problem) => {
        if (problem instanceof MailboxTaken) return null;
        throw problem;
      });

  const owned = async (account: Account): Promise<OwnedAccount> => {
    const now = clock.now();
    const all = await keys.list(account.id);
    return {
      account,
      keys: all.filter(({ endsAt }) => endsAt === null || now < endsAt),
      renews: await renewals.renews(account.id),
    };
  };

  /** Checks the link and that the account is its owner's. */
  const chosen = async (token: string, accountId: string): Promise<Account> => {
    const email = await emailOfLink(database.read, hashOfToken(token), clock.now());
    const account =
      email === null ? undefined : (await grants.accountsOf(email)).find(({ id }) => id === accountId);
    if (!account)
      throw fault("not_found", "This link was used before, or its time is over. Ask for a new one.");
    return account;
  };
  const use = async (token: string) => {
    if (await database.write((tx) => useLink(tx, hashOfToken(token), clock.now()))) return;
    throw fault("not_found", "This link was used before, or its time is over. Ask for a new one.");
  };

  return {
    async freeKey(text, subject) {
      const email = emailOf(text);
      await limits.require("freeKeysPerAddress", subject);
      const taken = await accountOfMailbox(database.read, mailboxOf(email));
      const account = taken === null ? await openFree(email) : null;
      if (account) {
        const made = await keys.create({ accountId: account.id, name: "free", mode });
        return { secret: made.secret };
      }
      const holder = await accountOfMailbox(database.read, mailboxOf(email));
      const known = holder === null ? null : await grants.account(holder);
      // To the address as it was given first: another spelling may be another person's where plus means nothing.
      await mailLink(known?.email ?? email);
      return { mailed: true };
    },
    async requestLink(text, subject) {
      const email = emailOf(text);
      await limits.require("linksPerAddress", subject);
      await mailLink(email);
    },
    async look(token) {
      const email = await emailOfLink(database.read, hashOfToken(token), clock.now());
      if (email === null) return null;
      return Promise.all((await grants.accountsOf(email)).map(owned));
    },
    async replaceKey({ token, accountId, revokeOthers }) {
      const account = await chosen(token, accountId);
      await use(token);
      const { keys: working } = await owned(account);
      const all = await keys.list(accountId);
      if (revokeOthers) {
        for (const { id: keyId } of working) await keys.revoke({ accountId, keyId });
      }
      // As old as the first: the free plan's realtime days do not begin anew with a lost key.
      const createdAt = Math.min(clock.now(), ...all.map((key) => key.createdAt));
      const made = await keys.create({
        accountId,
        name: "replacement",
        mode: all[0]?.mode ?? mode,
        createdAt,
      });
      return { secret: made.secret };
    },
    async stopRenewing({ token, accountId }) {
      await chosen(token, accountId);
      await renewals.stop(accountId);
      await use(token);
    },
  };
}
