// Writes a provider's reports into checkouts and invoices, in one transaction and in any order: each fact only ever
// moves a row forward, so repeating one, or a later one arriving first, gives the same rows.
import { fault } from "../../../contract/errors.ts";
import { PREPAID } from "../../../contract/plans.ts";
import type { Queries } from "../../../database/database.ts";
import { openAccount } from "../../access/ledger/open-account.ts";
import { findInvoice, putInvoice, type StoredInvoice } from "../../store/money/card-invoices.ts";
import { lockCheckout, type StoredCheckout, updateCheckout } from "../../store/money/checkouts.ts";
import type {
  CardFacts,
  InvoiceFacts,
  ReturnFacts,
  SessionFacts,
  SubscriptionFacts,
  WonFacts,
} from "./provider.ts";

export interface Letters {
  /** Queues a mail inside the transaction; the same id is queued once. */
  queue(
    tx: Queries,
    letter: { mailId: string; kind: "paid" | "refused"; recipient: string; plan: string },
  ): Promise<void>;
}

export interface RecordParts {
  letters: Letters;
}

/** In words, for an operator who looks a notice up. */
export type NoticeOutcome = string;

export async function recordFacts(
  parts: RecordParts,
  tx: Queries,
  facts: CardFacts,
  saidAt: number,
  now: number,
): Promise<NoticeOutcome> {
  const checkout = await lockCheckout(tx, facts.checkoutId);
  if (!checkout) return "no such checkout";
  switch (facts.kind) {
    case "session":
      return recordSession(parts, tx, checkout, facts, now);
    case "invoice":
      return recordInvoice(parts, tx, checkout, facts, now);
    case "subscription":
      return recordSubscription(tx, checkout, facts, saidAt, now);
    case "return":
      return recordReturn(tx, checkout, facts, now);
    case "won":
      return recordWon(tx, checkout, facts, now);
  }
}

async function recordSession(
  parts: RecordParts,
  tx: Queries,
  checkout: StoredCheckout,
  facts: SessionFacts,
  now: number,
): Promise<NoticeOutcome> {
  const known = learned({ ...checkout, sessionId: checkout.sessionId ?? facts.sessionId }, facts);
  if (facts.state === "paid") {
    // A checkout has one first invoice; a provider that does not name it is given a name for it.
    const invoiceId = facts.invoiceId ?? `first:${checkout.checkoutId}`;
    const { amountCents } = facts;
    const bill = { invoiceId, first: true, wholeMonth: true, plan: null, amountCents };
    return recordPaid(parts, tx, known, bill, now);
  }
  const undecided = checkout.status === "open" || checkout.status === "processing";
  await updateCheckout(tx, { ...known, status: undecided ? facts.state : checkout.status });
  return undecided ? facts.state : "applied before";
}

async function recordInvoice(
  parts: RecordParts,
  tx: Queries,
  checkout: StoredCheckout,
  facts: InvoiceFacts,
  now: number,
): Promise<NoticeOutcome> {
  const known = learned(checkout, facts);
  if (facts.paid) {
    if (known.subscriptionState === "past_due") known.subscriptionState = "active";
    return recordPaid(parts, tx, known, facts, now);
  }
  const running = known.subscriptionState === "active" || known.subscriptionState === null;
  const earlier = await findInvoice(tx, facts.invoiceId);
  if (earlier && earlier.state !== "failed") return "applied before";
  await updateCheckout(tx, { ...known, subscriptionState: running ? "past_due" : known.subscriptionState });
  if (earlier) return "refused again";
  await putInvoice(tx, { ...invoiceOf(known, facts, now), state: "failed", paidAt: null });
  // A first payment that is refused shows on the checkout's own page.
  if (!facts.first && known.email !== null) {
    await parts.letters.queue(tx, {
      mailId: `refused:${facts.invoiceId}`,
      kind: "refused",
      recipient: known.email,
      plan: known.plan,
    });
  }
  return "refused";
}

type Bill = Pick<InvoiceFacts, "invoiceId" | "first" | "wholeMonth" | "plan" | "amountCents">;

async function recordPaid(
  { letters }: RecordParts,
  tx: Queries,
  checkout: StoredCheckout,
  bill: Bill,
  now: number,
): Promise<NoticeOutcome> {
  const earlier = await findInvoice(tx, bill.invoiceId);
  if (earlier?.state === "refunded" || earlier?.state === "disputed") {
    await updateCheckout(tx, { ...checkout, status: bill.first ? "returned" : checkout.status });
    return "given back before it was applied";
  }
  const email = checkout.email ?? `${checkout.checkoutId}@checkout.invalid`;
  const accountId = checkout.accountId ?? (await openAccount(tx, { email, at: now })).id;
  const paid = checkout.status === "paid" || checkout.status === "returned";
  await updateCheckout(tx, {
    ...checkout,
    accountId,
    status: paid ? checkout.status : "paid",
    paidAt: checkout.paidAt ?? now,
    plan: bill.wholeMonth && bill.plan !== null ? bill.plan : checkout.plan,
    nextPlan: bill.plan !== null && bill.plan === checkout.nextPlan ? null : checkout.nextPlan,
  });
  if (earlier && earlier.state !== "failed") return "applied before";
  const fresh = invoiceOf(checkout, bill, now);
  await putInvoice(tx, {
    ...fresh,
    at: earlier?.at ?? now,
    won: earlier?.won ?? 0,
    state: "paid",
    paidAt: now,
  });
  if (bill.first && checkout.email !== null) {
    const { plan, checkoutId } = checkout;
    await letters.queue(tx, { mailId: `paid:${checkoutId}`, kind: "paid", recipient: checkout.email, plan });
  }
  return "applied";
}

async function recordSubscription(
  tx: Queries,
  checkout: StoredCheckout,
  facts: SubscriptionFacts,
  saidAt: number,
  now: number,
): Promise<NoticeOutcome> {
  if (checkout.subscriptionState === "ended") return "applied before";
  const ended = facts.state === "ended";
  if (!ended && saidAt < checkout.subscriptionAt) return "older than what is known";
  await updateCheckout(tx, {
    ...checkout,
    subscriptionId: checkout.subscriptionId ?? facts.subscriptionId,
    subscriptionState: facts.state,
    subscriptionAt: Math.max(saidAt, checkout.subscriptionAt),
    nextPlan: facts.plan === null ? checkout.nextPlan : facts.plan === checkout.plan ? null : facts.plan,
    endsAt: ended ? now : checkout.endsAt,
  });
  return facts.state;
}

async function recordReturn(
  tx: Queries,
  checkout: StoredCheckout,
  facts: ReturnFacts,
  now: number,
): Promise<NoticeOutcome> {
  if (!facts.whole) return `a part was ${facts.reason}: ${facts.amountCents} cents`;
  const earlier = await findInvoice(tx, facts.invoiceId);
  const { invoiceId, amountCents, reason } = facts;
  if (earlier?.state === "refunded" || earlier?.state === reason) return "applied before";
  if (earlier?.state === "disputed") {
    // A won dispute is restored before what the seller gives back is taken: the notice comes again.
    if (earlier.won === 1) throw fault("unavailable", "An earlier notice is still being applied.");
    // Given back by the seller too, so that winning the dispute restores nothing.
    await putInvoice(tx, { ...earlier, state: reason });
    return reason;
  }
  if (reason === "disputed" && earlier?.won === 2) return "a dispute that was won";
  const invoice = earlier ?? unknownInvoice(checkout, invoiceId, amountCents, now);
  await putInvoice(tx, { ...invoice, state: reason });
  if (invoice.first === 1) await updateCheckout(tx, { ...checkout, status: "returned" });
  return earlier ? reason : `${reason} before it was applied`;
}

async function recordWon(
  tx: Queries,
  checkout: StoredCheckout,
  { invoiceId }: WonFacts,
  now: number,
): Promise<NoticeOutcome> {
  const earlier = await findInvoice(tx, invoiceId);
  if (earlier && earlier.won > 0) return "applied before";
  if (earlier?.state === "refunded") return "refunded all the same";
  if (earlier?.state !== "disputed") {
    // Reported before the dispute itself, which will find it decided.
    const invoice = earlier ?? { ...unknownInvoice(checkout, invoiceId, 0, now), state: "failed" as const };
    await putInvoice(tx, { ...invoice, won: 2 });
    return "won before it was disputed";
  }
  const taken = earlier.returned === 1;
  await putInvoice(tx, { ...earlier, won: taken ? 1 : 2, state: taken ? "disputed" : "paid" });
  if (earlier.first === 1 && checkout.status === "returned")
    await updateCheckout(tx, { ...checkout, status: checkout.accountId === null ? "processing" : "paid" });
  return "won";
}

/** An invoice of which its return is the first that is heard. */
function unknownInvoice(checkout: StoredCheckout, invoiceId: string, amountCents: number, now: number) {
  const bill = { invoiceId, first: false, wholeMonth: true, plan: null, amountCents };
  return { ...invoiceOf(checkout, bill, now), paidAt: null };
}

function invoiceOf(checkout: StoredCheckout, bill: Bill, now: number): Omit<StoredInvoice, "state"> {
  return {
    invoiceId: bill.invoiceId,
    checkoutId: checkout.checkoutId,
    kind: bill.wholeMonth ? "month" : "prepaid",
    first: bill.first ? 1 : 0,
    plan: bill.plan ?? checkout.plan,
    // A part of a month's price buys what it would have bought as prepaid credits: nothing paid is lost.
    credits: bill.wholeMonth ? 0 : Math.floor((bill.amountCents * PREPAID.creditsPerUsd) / 100),
    amountCents: bill.amountCents,
    granted: 0,
    returned: 0,
    keptMonths: null,
    taken: 0,
    won: 0,
    at: now,
    paidAt: now,
  };
}

function learned(
  checkout: StoredCheckout,
  facts: Pick<SessionFacts, "email" | "customerId" | "subscriptionId">,
): StoredCheckout {
  return {
    ...checkout,
    // The address that the payer gave to the provider is truer than one typed here before.
    email: facts.email?.trim().toLowerCase() ?? checkout.email,
    customerId: checkout.customerId ?? facts.customerId,
    subscriptionId: checkout.subscriptionId ?? facts.subscriptionId,
    subscriptionState: checkout.subscriptionState ?? (facts.subscriptionId === null ? null : "active"),
  };
}
