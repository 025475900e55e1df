// The effect of time and payments on an account, as pure functions: the month's credits are granted on the plan's own day, an
// unpaid plan falls to free, a month paid early lengthens the plan, and nothing that was paid for is lost.
// Every change of a balance is also an entry, so that the entries less the charges always give the balance.
import { PLAN_NAMES, PLANS, type PlanName } from "../../../contract/plans.ts";
import type { Account, LedgerEntry } from "../../store/money/accounts.ts";
import { addMonths, monthsBetween } from "./months.ts";

export interface AccountChange {
  account: Account;
  entries: LedgerEntry[];
}

// A row's plan name is a non-interned string, which makes property lookups slow; there is one with every request.
const NAMED = new Map<string, PlanName>(PLAN_NAMES.map((name) => [name, name]));

export function planOf(account: Account): PlanName {
  return NAMED.get(account.plan) ?? "free";
}

/** A new account on the free plan, with its first month's credits. */
export function freshAccount(id: string, email: string, at: number): AccountChange {
  const blank: Account = {
    id,
    email,
    plan: "free",
    anchorAt: at,
    periodStart: at,
    periodEnd: at,
    paidUntil: null,
    graceMs: 0,
    nextChangeAt: at,
    monthlyRemaining: 0,
    prepaidRemaining: 0,
    resolutionsRemaining: 0,
    createdAt: at,
    version: 0,
  };
  return startPlan({ account: blank, entries: [] }, "free", at, null, 0);
}

/** The account at a given time: with all renewals and expiries due since it was last written. */
export function advance(account: Account, at: number): AccountChange {
  let change: AccountChange = { account, entries: [] };
  while (at >= change.account.nextChangeAt) change = nextChange(change, at);
  return change;
}

function nextChange(change: AccountChange, at: number): AccountChange {
  const { account } = change;
  const { paidUntil } = account;
  if (paidUntil !== null && account.periodEnd >= paidUntil) {
    return startPlan(forfeitMonth(change, paidUntil), "free", paidUntil, null, 0);
  }
  // Months without a call are skipped: their credits would have been granted and expired.
  const reached = paidUntil === null ? at : Math.min(at, paidUntil - 1);
  const months = monthsBetween(account.anchorAt, reached);
  return grantMonth(forfeitMonth(change, account.periodEnd), months, null);
}

function startPlan(
  change: AccountChange,
  plan: PlanName,
  at: number,
  paidMonths: number | null,
  graceMs: number,
  reference: string | null = null,
): AccountChange {
  const paidUntil = paidMonths === null ? null : addMonths(at, paidMonths);
  const account: Account = { ...change.account, plan, anchorAt: at, paidUntil, graceMs };
  return grantMonth({ account, entries: change.entries }, 0, reference);
}

/** Fills the buckets for the n-th month of the anchor. */
function grantMonth(change: AccountChange, month: number, reference: string | null): AccountChange {
  const plan = PLANS[planOf(change.account)];
  const account: Account = {
    ...change.account,
    periodStart: addMonths(change.account.anchorAt, month),
    periodEnd: addMonths(change.account.anchorAt, month + 1),
    monthlyRemaining: plan.creditsPerMonth,
    resolutionsRemaining: plan.resolutionsPerMonth,
  };
  const entry: LedgerEntry = {
    kind: "month",
    credits: plan.creditsPerMonth,
    resolutions: plan.resolutionsPerMonth,
    reference,
    at: account.periodStart,
  };
  return { account: withNextChange(account), entries: [...change.entries, entry] };
}

function withNextChange(account: Account): Account {
  const { paidUntil, periodEnd } = account;
  const expires = paidUntil !== null && periodEnd >= paidUntil;
  return { ...account, nextChangeAt: expires ? paidUntil + account.graceMs : periodEnd };
}

function forfeitMonth({ account, entries }: AccountChange, at: number): AccountChange {
  const entry: LedgerEntry = {
    kind: "expired",
    credits: -account.monthlyRemaining,
    resolutions: -account.resolutionsRemaining,
    reference: null,
    at,
  };
  const empty = entry.credits === 0 && entry.resolutions === 0;
  return {
    account: { ...account, monthlyRemaining: 0, resolutionsRemaining: 0 },
    entries: empty ? entries : [...entries, entry],
  };
}

export interface PlanPayment {
  plan: Exclude<PlanName, "free">;
  months: number;
  at: number;
  reference: string;
  /** The grace period after the paid time while a renewing card's next payment is pending. */
  graceMs: number;
}

/** A paid month (or several) of a plan: lengthens the running one, or starts a new one at once. */
export function payForPlan(account: Account, payment: PlanPayment): AccountChange {
  const current = advance(account, payment.at);
  const { paidUntil, anchorAt } = current.account;
  if (paidUntil !== null && current.account.plan === payment.plan) {
    const months = monthsBetween(anchorAt, paidUntil) + payment.months;
    const longer = { ...current.account, paidUntil: addMonths(anchorAt, months), graceMs: payment.graceMs };
    const marker: LedgerEntry = {
      kind: "plan",
      credits: 0,
      resolutions: 0,
      reference: payment.reference,
      at: payment.at,
    };
    const then = advance(withNextChange(longer), payment.at);
    return { account: then.account, entries: [...current.entries, marker, ...then.entries] };
  }
  const cleared = forfeitMonth(keepPaidCredits(current, payment.at), payment.at);
  return startPlan(cleared, payment.plan, payment.at, payment.months, payment.graceMs, payment.reference);
}

/**
 * A change between paid plans: credits left of the old one, this month's and later ones', become prepaid. In the grace
 * period none do: that month is over and the next one was not paid. The entry records how much was carried, so that a refund
 * finds it.
 */
function keepPaidCredits(change: AccountChange, at: number): AccountChange {
  const { account } = change;
  const { anchorAt, paidUntil, periodEnd } = account;
  if (paidUntil === null || at >= paidUntil) return change;
  const monthsAhead = Math.max(0, monthsBetween(anchorAt, paidUntil) - monthsBetween(anchorAt, periodEnd));
  const ahead = monthsAhead * PLANS[planOf(account)].creditsPerMonth;
  const carried = account.monthlyRemaining + ahead;
  if (carried === 0) return change;
  const entry = (kind: LedgerEntry["kind"], credits: number): LedgerEntry => ({
    kind,
    credits,
    resolutions: 0,
    reference: null,
    at,
  });
  return {
    account: { ...account, monthlyRemaining: 0, prepaidRemaining: account.prepaidRemaining + carried },
    entries: [
      ...change.entries,
      ...(account.monthlyRemaining > 0 ? [entry("expired", -account.monthlyRemaining)] : []),
      entry("carried", carried),
    ],
  };
}

/** A refunded or disputed plan ends at once and takes the month's credits with it. */
export function endPlan(account: Account, at: number, reference: string): AccountChange {
  const current = advance(account, at);
  const marker: LedgerEntry = { kind: "plan-ended", credits: 0, resolutions: 0, reference, at };
  if (current.account.paidUntil === null) {
    return { account: current.account, entries: [...current.entries, marker] };
  }
  const ended = startPlan(forfeitMonth(current, at), "free", at, null, 0);
  return { account: ended.account, entries: [...ended.entries, marker] };
}

/** Prepaid credits bought (positive) or taken back by a refund (negative, at most what is left). */
export function changePrepaid(
  account: Account,
  credits: number,
  at: number,
  reference: string,
): AccountChange {
  const current = advance(account, at);
  const amount = Math.max(credits, -current.account.prepaidRemaining);
  const entry: LedgerEntry = {
    kind: amount < 0 ? "refund" : "prepaid",
    credits: amount,
    resolutions: 0,
    reference,
    at,
  };
  return {
    account: { ...current.account, prepaidRemaining: current.account.prepaidRemaining + amount },
    entries: [...current.entries, entry],
  };
}
