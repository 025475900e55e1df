// What an owner asks about an account: plan and balances, usage, keys, charges.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { bringUpToDate, delayMsOf, type KeyCaller } from "../access/identity/caller.ts";
import { remainingOf } from "../access/ledger/decide.ts";
import { CHARGES_KEPT_DAYS } from "../access/ledger/history.ts";
import { DAY_MS } from "../access/ledger/months.ts";
import { allowanceOf, requestsPerMinuteOf, socketsMaxOf } from "../access/limits/allowance.ts";
import type { LedgerEntry } from "../store/money/accounts.ts";
import { type Charge, chargesOfAccount } from "../store/money/journal.ts";
import { type Key, keysOfAccount } from "../store/money/keys.ts";
import { entriesOfAccount } from "../store/money/ledger.ts";
import { keyUsageSince, type UsageGroup, type UsageRow, usageOf } from "../store/money/usage.ts";

interface Me {
  plan: PlanName;
  planExpiresAt: number | null;
  key: Key;
  credits: { monthly: number; usedThisMonth: number; prepaid: number; remaining: number; resetsAt: number };
  resolutions: { monthly: number; usedThisMonth: number; remaining: number; resetsAt: number };
  rate: { requestsPerMinute: number; inFlightAtMost: number; socketsAtOnce: number };
  delaySeconds: number;
  onChain: boolean;
}

export interface KeyWithUsage {
  key: Key;
  usedThisMonth: number;
  /** When it was last charged, within the charges' history. */
  lastUsedAt: number | null;
}

export interface AccountData {
  me(caller: KeyCaller): Me;
  /** From a time (inclusive) to a time (exclusive); a day's group is its date. Older than 35 days, days are whole. */
  usage(accountId: string, range: { from: number; to: number }, groupBy: UsageGroup): Promise<UsageRow[]>;
  keys(caller: KeyCaller): Promise<KeyWithUsage[]>;
  /** Single charges of a time, oldest first: the shorter the time, the less is looked through. */
  charges(accountId: string, range: { from: number; to: number }, limit?: number): Promise<Charge[]>;
  entries(accountId: string): Promise<LedgerEntry[]>;
}

const KEYS_LISTED_MAX = 500;
const CHARGES_LISTED_MAX = 100;
const ENTRIES_LISTED_MAX = 500;

export function createAccountData({ db, clock }: { db: Database; clock: Clock }): AccountData {
  return {
    me(caller) {
      const now = clock.now();
      bringUpToDate(caller.view, now);
      const { account } = caller.view;
      const plan = PLANS[caller.plan];
      const allowance = allowanceOf(caller);
      const resetsAt = account.nextChangeAt;
      return {
        plan: caller.plan,
        planExpiresAt: account.paidUntil,
        key: caller.key,
        credits: {
          monthly: plan.creditsPerMonth,
          usedThisMonth: Math.max(0, plan.creditsPerMonth - account.monthlyRemaining),
          prepaid: account.prepaidRemaining,
          remaining: remainingOf(account),
          resetsAt,
        },
        resolutions: {
          monthly: plan.resolutionsPerMonth,
          usedThisMonth: Math.max(0, plan.resolutionsPerMonth - account.resolutionsRemaining),
          remaining: account.resolutionsRemaining,
          resetsAt,
        },
        rate: {
          requestsPerMinute: requestsPerMinuteOf(allowance),
          inFlightAtMost: allowance.inFlightMax,
          socketsAtOnce: socketsMaxOf(caller),
        },
        delaySeconds: delayMsOf(caller, now) / 1000,
        onChain: plan.onChain,
      };
    },
    async usage(accountId, range, groupBy) {
      const rows = await usageOf(db.read, accountId, range, groupBy);
      if (groupBy !== "day") return rows;
      return rows
        .sort((a, b) => Number(a.group) - Number(b.group))
        .map((row) => ({ ...row, group: new Date(Number(row.group)).toISOString().slice(0, 10) }));
    },
    async keys(caller) {
      bringUpToDate(caller.view, clock.now());
      const { periodStart } = caller.view.account;
      const historyFrom = clock.now() - CHARGES_KEPT_DAYS * DAY_MS;
      const [keys, month, recent] = await Promise.all([
        keysOfAccount(db.read, caller.accountId, KEYS_LISTED_MAX),
        keyUsageSince(db.read, caller.accountId, periodStart),
        keyUsageSince(db.read, caller.accountId, historyFrom),
      ]);
      const used = new Map(month.map((row) => [row.keyId, row.credits]));
      const last = new Map(recent.map((row) => [row.keyId, row.lastAt]));
      return keys.map((key) => ({
        key,
        usedThisMonth: used.get(key.id) ?? 0,
        lastUsedAt: last.get(key.id) ?? null,
      }));
    },
    charges: (accountId, range, limit = CHARGES_LISTED_MAX) =>
      chargesOfAccount(db.read, accountId, range, limit),
    entries: (accountId) => entriesOfAccount(db.read, accountId, ENTRIES_LISTED_MAX),
  };
}
