// Reconciles the ledger with the invoices. Each step has a reference that the ledger applies once and is marked when
// done, so that a crash, a repetition or another node at the same moment changes nothing: the step is taken again.

import { PLANS } from "../../../contract/plans.ts";
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Grants } from "../../access/ledger/grants.ts";
import type { Account } from "../../store/money/accounts.ts";
import {
  keepMonths,
  markGranted,
  markRestored,
  markReturned,
  newestMonth,
  nextMonthPaidAt,
  nextUnsettled,
  type StoredInvoice,
  unsettledInvoices,
} from "../../store/money/card-invoices.ts";
import { carriedBetween } from "../../store/money/carried.ts";
import {
  dueEndings,
  findCheckout,
  renewingCheckouts,
  type StoredCheckout,
  scheduleEnding,
} from "../../store/money/checkouts.ts";
import type { PaidPlan } from "./provider.ts";

/** A declined card is retried for days; meanwhile the plan continues with what is left of its last month. */
const GRACE_MS = 7 * DAY_MS;
/** A step this old was abandoned by a dead process; a younger one is being taken right now. */
const LEFT_AFTER_MS = 30_000;
const SWEPT_MAX = 50;
/** Close enough to tell whole months apart, up to several years of them. */
const AVERAGE_MONTH_MS = 30.44 * DAY_MS;

/** What invoices need of the ledger. Each grant has a reference that is applied once. */
export type InvoiceGrants = Pick<
  Grants,
  "payForPlan" | "endPlan" | "addPrepaid" | "takeBackPrepaid" | "account"
>;

export interface InvoiceApplier {
  /** Everything that a checkout's invoices still owe or are owed. */
  apply(checkoutId: string): Promise<void>;
  /** Work left undone elsewhere, and plans that have expired. */
  sweep(): Promise<void>;
}

export function createInvoiceApplier(parts: {
  database: Database;
  grants: InvoiceGrants;
  clock: Clock;
}): InvoiceApplier {
  const { database, grants, clock } = parts;

  const grant = async (checkout: StoredCheckout, accountId: string, invoice: StoredInvoice) => {
    const reference = referenceOf(invoice);
    if (invoice.kind === "month") {
      const renews = checkout.subscriptionId !== null && checkout.subscriptionState !== "ended";
      const plan = invoice.plan as PaidPlan;
      await grants.payForPlan({ accountId, plan, reference, months: 1, graceMs: renews ? GRACE_MS : 0 });
    } else if (invoice.credits > 0) {
      await grants.addPrepaid({ accountId, credits: invoice.credits, reference });
    }
    await database.write((tx) => markGranted(tx, invoice.invoiceId));
  };

  const giveBack = async (accountId: string, invoice: StoredInvoice) => {
    const reference = returnReferenceOf(invoice);
    let taken = 0;
    if (invoice.kind === "prepaid") {
      taken = await takeBack(accountId, invoice.credits, reference);
    } else if (await isCurrent(accountId, invoice)) {
      const account = await grants.account(accountId);
      // Months that were paid otherwise are not part of this refund: the plan ends and starts over for them.
      const months = account ? otherMonths(account, clock.now()) : 0;
      const kept = await database.write((tx) => keepMonths(tx, invoice.invoiceId, months));
      await grants.endPlan({ accountId, reference });
      if (kept > 0) {
        const plan = invoice.plan as PaidPlan;
        await grants.payForPlan({
          accountId,
          plan,
          reference: `${reference}:kept`,
          months: kept,
          graceMs: 0,
        });
      }
    } else {
      taken = await takeBack(accountId, await carriedFrom(accountId, invoice), reference);
    }
    await database.write((tx) => markReturned(tx, invoice.invoiceId, taken));
  };

  /** What there is of this many prepaid credits, once. */
  const takeBack = async (accountId: string, credits: number, reference: string): Promise<number> => {
    if (credits <= 0) return 0;
    return (await grants.takeBackPrepaid({ accountId, credits, reference })).taken;
  };

  /** What a change of plan made prepaid of this month: at most the month's own credits. */
  const carriedFrom = async (accountId: string, invoice: StoredInvoice): Promise<number> => {
    const until = await nextMonthPaidAt(database.read, invoice);
    const carried = await carriedBetween(database.read, accountId, invoice.paidAt ?? invoice.at, until);
    return Math.min(carried, PLANS[invoice.plan as PaidPlan].creditsPerMonth);
  };

  /** A dispute that was won gives back what it took: the plan for a month, or the credits. */
  const restore = async (accountId: string, invoice: StoredInvoice) => {
    const reference = `${returnReferenceOf(invoice)}:won`;
    if (invoice.returned === 1 && invoice.keptMonths !== null) {
      const plan = invoice.plan as PaidPlan;
      await grants.payForPlan({ accountId, plan, reference, months: 1, graceMs: 0 });
    } else if (invoice.taken > 0) {
      await grants.addPrepaid({ accountId, credits: invoice.taken, reference });
    }
    await database.write((tx) => markRestored(tx, invoice.invoiceId));
  };

  /** A month that has been used up, or whose plan was left, is not taken from the one that followed. */
  const isCurrent = async (accountId: string, invoice: StoredInvoice): Promise<boolean> => {
    if (invoice.keptMonths !== null) return true;
    const newest = await newestMonth(database.read, invoice.checkoutId);
    const account = await grants.account(accountId);
    return newest?.invoiceId === invoice.invoiceId && account?.plan === invoice.plan;
  };

  const endIfDue = async (checkout: StoredCheckout) => {
    const { accountId, checkoutId } = checkout;
    const account = accountId === null ? null : await grants.account(accountId);
    const others = accountId === null ? [] : await renewingCheckouts(database.read, accountId);
    // Without a grace the plan was paid otherwise since, or ends by itself; with another card it continues.
    const over =
      !account || account.paidUntil === null || account.graceMs === 0 || others.length > 0
        ? null
        : account.paidUntil;
    if (over !== null && over <= clock.now() && accountId !== null) {
      await grants.endPlan({ accountId, reference: `card:ended:${checkoutId}` });
    }
    const next = over !== null && over > clock.now() ? over : null;
    await database.write((tx) => scheduleEnding(tx, checkoutId, next));
  };

  const apply = async (checkoutId: string) => {
    for (;;) {
      const invoice = await nextUnsettled(database.read, checkoutId);
      const checkout = await findCheckout(database.read, checkoutId);
      if (!checkout) return;
      if (!invoice || checkout.accountId === null) {
        if (checkout.endsAt !== null && checkout.endsAt <= clock.now()) await endIfDue(checkout);
        return;
      }
      if (invoice.won === 1) await restore(checkout.accountId, invoice);
      else if (invoice.state === "paid") await grant(checkout, checkout.accountId, invoice);
      else await giveBack(checkout.accountId, invoice);
    }
  };

  return {
    apply,
    async sweep() {
      const now = clock.now();
      const left = await unsettledInvoices(database.read, now - LEFT_AFTER_MS, SWEPT_MAX);
      const over = await dueEndings(database.read, now, SWEPT_MAX);
      for (const checkoutId of new Set([...left, ...over].map((row) => row.checkoutId))) {
        await apply(checkoutId);
      }
    },
  };
}

/** The first invoice is reported twice, by the session and by itself, so it goes by its checkout's name. */
function referenceOf(invoice: StoredInvoice): string {
  return invoice.first === 1 ? `card:first:${invoice.checkoutId}` : `card:invoice:${invoice.invoiceId}`;
}

/** A second return, after a dispute that was won, has a name of its own. */
function returnReferenceOf(invoice: StoredInvoice): string {
  return `${referenceOf(invoice)}:${invoice.won === 2 ? invoice.state : "returned"}`;
}

/** Paid months beyond the one that runs. */
function otherMonths({ paidUntil, periodEnd }: Account, now: number): number {
  if (paidUntil === null || paidUntil <= now) return 0;
  return Math.max(0, Math.round((paidUntil - periodEnd) / AVERAGE_MONTH_MS));
}
