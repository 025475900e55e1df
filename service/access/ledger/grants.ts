// Credit changes other than charges: accounts opened, plans paid, prepaid credits bought or refunded. Each
// reference is applied once, no matter how often and on how many nodes it arrives.
import type { PlanName } from "../../../contract/plans.ts";
import type { Database, Queries } from "../../../database/database.ts";
import { AlreadyExists } from "../../../database/errors.ts";
import type { Clock } from "../../../kit/clock.ts";
import {
  type Account,
  accountsFrom,
  accountsOfEmail,
  findAccount,
  lockAccounts,
  updateAccounts,
} from "../../store/money/accounts.ts";
import { findEntry, insertEntries } from "../../store/money/ledger.ts";
import type { AccessChanges } from "../changes.ts";
import { normalEmail, openAccount } from "./open-account.ts";
import { type AccountChange, advance, changePrepaid, endPlan, payForPlan } from "./renewal.ts";
import type { Views } from "./views.ts";

interface Applied {
  /** False when this reference was already applied; then nothing changed. */
  applied: boolean;
  account: Account;
}

/** What a payment pays for. */
type GrantOrder = { accountId: string; reference: string; at: number } & (
  | { kind: "prepaid"; credits: number }
  | { kind: "plan"; plan: Exclude<PlanName, "free">; months: number }
);

export interface Grants {
  openAccount(email: string, at?: number): Promise<Account>;
  /** A month (or several) of a plan, from its payment on. `graceMs` is for automatically renewing cards. */
  payForPlan(payment: {
    accountId: string;
    plan: Exclude<PlanName, "free">;
    reference: string;
    months?: number;
    graceMs?: number;
    at?: number;
  }): Promise<Applied>;
  endPlan(end: { accountId: string; reference: string; at?: number }): Promise<Applied>;
  addPrepaid(grant: { accountId: string; credits: number; reference: string; at?: number }): Promise<Applied>;
  /** Takes back what is left of refunded credits; `taken` is how many. */
  takeBackPrepaid(refund: {
    accountId: string;
    credits: number;
    reference: string;
    at?: number;
  }): Promise<Applied & { taken: number }>;
  /** One grant inside the caller's transaction; false when its reference was already applied. */
  apply(tx: Queries, grant: GrantOrder): Promise<boolean>;
  /** After that transaction's commit: nodes refresh their cached account. */
  announce(accountId: string): void;
  /** Every account opened with this address, oldest first: for someone who has proved access to its mailbox. */
  accountsOf(email: string): Promise<Account[]>;
  /** The operator's, in pages: this many with ids after this one, each as its row says, without the latest charges. */
  accountsFrom(after: string, limit: number): Promise<Account[]>;
  /** The current account, renewed if due; null if it does not exist. */
  account(accountId: string): Promise<Account | null>;
}

export function createGrants(parts: {
  database: Database;
  clock: Clock;
  views: Views;
  changes: AccessChanges;
  /** The ledger's, where there is one: it need not look through the journal. */
  find?: (accountId: string) => Promise<Account | null>;
}): Grants {
  const { database, clock, views, changes } = parts;
  const find = parts.find ?? ((accountId: string) => findAccount(database.read, accountId));

  const apply = async (
    accountId: string,
    reference: string,
    change: (account: Account) => AccountChange,
  ): Promise<Applied> => {
    const work = (tx: Queries) => applyIn(tx, accountId, reference, change);
    // A reference used for another account is found only by its unique index; it was applied, so it is not applied again.
    const result = await database.write(work).catch(async (error) => {
      const account = error instanceof AlreadyExists ? await findAccount(database.read, accountId) : null;
      if (!account) throw error;
      return { applied: false, account };
    });
    views.learn(result.account, clock.now());
    if (result.applied) changes.announce({ kind: "account", accountId });
    return result;
  };

  return {
    openAccount: (email, at = clock.now()) => database.write((tx) => openAccount(tx, { email, at })),
    payForPlan: ({ accountId, reference, plan, months = 1, graceMs = 0, at = clock.now() }) =>
      apply(accountId, reference, (account) => payForPlan(account, { plan, months, at, reference, graceMs })),
    endPlan: ({ accountId, reference, at = clock.now() }) =>
      apply(accountId, reference, (account) => endPlan(account, at, reference)),
    addPrepaid: ({ accountId, credits, reference, at = clock.now() }) =>
      apply(accountId, reference, (account) => changePrepaid(account, amount(credits), at, reference)),
    async takeBackPrepaid({ accountId, credits, reference, at = clock.now() }) {
      let taken = 0;
      const result = await apply(accountId, reference, (account) => {
        const change = changePrepaid(account, -amount(credits), at, reference);
        taken = advance(account, at).account.prepaidRemaining - change.account.prepaidRemaining;
        return change;
      });
      return { ...result, taken: result.applied ? taken : 0 };
    },
    async apply(tx, grant) {
      const { accountId, reference, at } = grant;
      const change = (account: Account): AccountChange =>
        grant.kind === "prepaid"
          ? changePrepaid(account, amount(grant.credits), at, reference)
          : payForPlan(account, { plan: grant.plan, months: grant.months, at, reference, graceMs: 0 });
      return (await applyIn(tx, accountId, reference, change)).applied;
    },
    accountsFrom: (after, limit) => accountsFrom(database.read, after, limit),
    async accountsOf(email) {
      const found = await accountsOfEmail(database.read, normalEmail(email));
      return found.map((account) => advance(account, clock.now()).account);
    },
    announce: (accountId) => changes.announce({ kind: "account", accountId }),
    async account(accountId) {
      const startedAt = clock.now();
      const found = await find(accountId);
      if (!found) return null;
      views.learn(found, startedAt);
      return advance(found, clock.now()).account;
    },
  };
}

async function applyIn(
  tx: Queries,
  accountId: string,
  reference: string,
  change: (account: Account) => AccountChange,
): Promise<Applied> {
  const [held] = await lockAccounts(tx, [accountId]);
  if (!held) throw new Error("A grant names an account that does not exist.");
  if (await findEntry(tx, reference)) return { applied: false, account: held };
  const { account, entries } = change(held);
  await insertEntries(tx, accountId, entries);
  const [written = account] = await updateAccounts(tx, [account]);
  return { applied: true, account: written };
}

function amount(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits <= 0)
    throw new RangeError("Credits are given in whole numbers above 0.");
  return credits;
}
