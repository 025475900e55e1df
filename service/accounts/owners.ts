// Key self-service without signing in: get a free one, and replace a lost one through a
// mail that only the owner of the address can read. One mailbox has one free account, however it is spelt.
import { fault } from "../../contract/errors.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { addressSubject, siteSubject } from "../access/identity/address.ts";
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
  /**
   * Where mails are sent: a mail with a link, with the same result for a new and a known mailbox, so that no one learns who has an
   * account. Elsewhere a key at once, or, for a mailbox that has one, a link that the operator finds.
   */
  freeKey(email: string, address: string): Promise<{ secret: string } | { mailed: "link" | "known" }>;
  /** Always has the same result, so that no one learns who has an account. */
  requestLink(email: string, address: string): Promise<void>;
  /** What a link opens; null when it was used or has expired. This does not use it up. */
  look(token: string): Promise<OwnedAccount[] | null>;
  /** A new key, once. */
  replaceKey(wanted: {
    token: string;
    accountId: string;
    revokeOthers: boolean;
  }): Promise<{ secret: string }>;
  stopRenewing(wanted: { token: string; accountId: string }): Promise<void>;
}

/** An owner's queries about monthly card payments, answered by card billing. */
export interface Renewals {
  renews(accountId: string): Promise<boolean>;
  stop(accountId: string): Promise<void>;
}

export interface OwnersParts {
  database: Database;
  grants: Pick<Grants, "account" | "accountsOf">;
  keys: Pick<Keys, "create" | "list" | "revokeAll">;
  outbox: Pick<Outbox, "queueLink" | "wake">;
  renewals: Renewals;
  limits: FormLimits;
  /** Whether the keys given here are for trying out. */
  testKeys: boolean;
  /** Whether mails leave this machine. Then a free key goes to the mailbox, not to the person who typed its address. */
  mailsLeave: boolean;
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
        // Rolled back entirely if another request was quicker: there is no second account, not even an empty one.
        if (!(await takeMailbox(tx, mailboxOf(email), account.id, now))) throw new MailboxTaken();
        return account;
      })
      .catch((error) => {
        if (error instanceof MailboxTaken) return null;
        throw error;
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

  /** Checks the link and that the account belongs to its owner. */
  const chosen = async (token: string, accountId: string): Promise<Account> => {
    const email = await emailOfLink(database.read, hashOfToken(token), clock.now());
    const account =
      email === null ? undefined : (await grants.accountsOf(email)).find(({ id }) => id === accountId);
    if (!account) throw fault("not_found", "This link was already used or has expired. Request a new one.");
    return account;
  };
  const use = async (token: string) => {
    if (await database.write((tx) => useLink(tx, hashOfToken(token), clock.now()))) return;
    throw fault("not_found", "This link was already used or has expired. Request a new one.");
  };

  return {
    async freeKey(text, address) {
      const email = emailOf(text);
      await limits.require("freeKeysPerAddress", addressSubject(address));
      await limits.require("freeKeysPerSite", siteSubject(address));
      const taken = await accountOfMailbox(database.read, mailboxOf(email));
      const account = taken === null ? await openFree(email) : null;
      if (account && parts.mailsLeave) {
        await mailLink(email);
        return { mailed: "link" };
      }
      if (account) {
        const made = await keys.create({ accountId: account.id, name: "free", mode });
        return { secret: made.secret };
      }
      const holder = await accountOfMailbox(database.read, mailboxOf(email));
      const known = holder === null ? null : await grants.account(holder);
      // To the address as it was first given: another spelling may be another person's where plus has no meaning.
      await mailLink(known?.email ?? email);
      return { mailed: parts.mailsLeave ? "link" : "known" };
    },
    async requestLink(text, address) {
      const email = emailOf(text);
      await limits.require("linksPerAddress", addressSubject(address));
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
      const [newest] = await keys.list(accountId);
      if (revokeOthers) await keys.revokeAll(accountId);
      const made = await keys.create({
        accountId: account.id,
        name: "replacement",
        mode: newest?.mode ?? mode,
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
