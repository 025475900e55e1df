// An owner's view of an account: plan and balances, usage, keys, charges.

import { PLANS, type PlanName } from "../../contract/plans.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { DAY_MS } from "../../kit/units.ts";
import { bringUpToDate, delayMsOf, type KeyCaller } from "../access/identity/caller.ts";
import { CHARGES_KEPT_DAYS } from "../access/ledger/history.ts";
import { allowanceOf, requestsPerMinuteOf, socketsMaxOf } from "../access/limits/allowance.ts";
import { type LedgerEntry, remainingOf } from "../store/money/accounts.ts";
import { renewingCheckouts } from "../store/money/checkouts.ts";
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
  /** Whether there is a next month: a free plan's, one that is paid already, or one that a card is charged for. */
  renews(caller: KeyCaller): Promise<boolean>;
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

export function createAccountData({ database, clock }: { database: Database; clock: Clock }): AccountData {
  return {
    async renews(caller) {
      bringUpToDate(caller.view, clock.now());
      const { paidUntil, periodEnd } = caller.view.account;
      if (paidUntil === null || paidUntil > periodEnd) return true;
      return (await renewingCheckouts(database.read, caller.accountId)).length > 0;
    },
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
      const rows = await usageOf(database.read, accountId, range, groupBy);
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
        keysOfAccount(database.read, caller.accountId, KEYS_LISTED_MAX),
        keyUsageSince(database.read, caller.accountId, periodStart),
        keyUsageSince(database.read, caller.accountId, historyFrom),
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
      chargesOfAccount(database.read, accountId, range, limit),
    entries: (accountId) => entriesOfAccount(database.read, accountId, ENTRIES_LISTED_MAX),
  };
}
