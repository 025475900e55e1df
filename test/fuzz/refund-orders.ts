// Checkout, renewal, plan change, top-up, refund, dispute, its end and cancellation, delivered in any order, any number of
// times, with credits spent and days passing between them: the books balance, no balance is negative, no account keeps
// refunded credits, and a refunded subscription is ended.

import fc from "fast-check";
import { Fault } from "../../contract/errors.ts";
import { PLANS } from "../../contract/plans.ts";
import { ROUTES } from "../../contract/routes.ts";
import { freshRequestId } from "../../kit/ids.ts";
import { DAY_MS } from "../../kit/units.ts";
import { type CardWorld, cardWorld } from "../../service/billing/card/test-support.ts";
import type { Account } from "../../service/store/money/accounts.ts";
import { findInvoice } from "../../service/store/money/card-invoices.ts";

const NOTICES = ["completed", "paid", "refund", "dispute", "won", "lost", "cancelled"] as const;
const DEEDS = ["change", "top up", "spend", "day"] as const;
type Step = (typeof NOTICES)[number] | (typeof DEEDS)[number];

const TOP_UP_CREDITS = 7_000;
/** Pages of theses requested at once: 125,000 credits. */
const SPENT_PAGES = 100;
/** After this any month and any grace period is over. */
const LONG_DAYS = 45;

export interface OrdersResult {
  failure: string | null;
  runs: number;
}

export async function tryRefundOrders(seed: number, runs: number): Promise<OrdersResult> {
  const steps = fc.array(fc.constantFrom<Step>(...NOTICES, ...DEEDS), { minLength: 4, maxLength: 14 });
  const property = fc.asyncProperty(steps, async (order) => {
    const world = await cardWorld();
    try {
      await follow(world, order);
    } finally {
      // Returns an error if the books do not balance.
      await world.close();
    }
  });
  const details = await fc.check(property, { seed, numRuns: runs });
  const failure = details.failed
    ? `${details.errorInstance}: ${JSON.stringify(details.counterexample)} (seed ${seed}, path ${details.counterexamplePath})`
    : null;
  return { failure, runs: details.numRuns };
}

interface Tale {
  world: CardWorld;
  sessionId: string;
  session: ReturnType<CardWorld["stripe"]["pay"]>;
  reported: Set<Step>;
  /** Whether the dispute's won event was delivered before the dispute itself, which then has no effect. */
  wonFirst: boolean;
  toppedUp: number;
}

async function follow(world: CardWorld, order: readonly Step[]): Promise<void> {
  const sessionId = await world.begin();
  const session = world.stripe.pay(sessionId);
  const tale: Tale = { world, sessionId, session, reported: new Set(), wonFirst: false, toppedUp: 0 };
  for (const step of order) {
    await take(tale, step);
    const account = await accountOf(tale);
    if (account) requireSane(tale, account);
  }
  await requireRightEnd(tale);
  await world.clock.jump(LONG_DAYS * DAY_MS);
  await world.checkout.cards.sweep();
  const account = await accountOf(tale);
  if (account && account.plan !== "free")
    throw new Error(`after ${LONG_DAYS} days the plan is ${account.plan}`);
}

async function take(tale: Tale, step: Step): Promise<void> {
  const { world, session, reported } = tale;
  const { invoice, subscription, client_reference_id } = session;
  const back = { payment_intent: `pi_${invoice}` };
  const isFirst = !reported.has(step);
  if (step === "won" && !reported.has("dispute")) tale.wonFirst = true;
  reported.add(step);
  const closed = (status: string) =>
    world.tell("charge.dispute.closed", { ...back, amount: 4_999, status }, { id: `evt_${step}` });
  const id = { id: `evt_${step}` };
  switch (step) {
    case "completed":
      return world.tell("checkout.session.completed", session, id);
    case "paid":
      return world.tell("invoice.paid", world.stripe.invoice(session, { id: invoice }), id);
    case "refund":
      return world.tell("charge.refunded", { ...back, amount_refunded: 4_999, refunded: true }, id);
    case "dispute":
      return world.tell("charge.dispute.created", { ...back, amount: 4_999 }, id);
    case "won":
    case "lost":
      return closed(step);
    case "cancelled":
      return world.tell("customer.subscription.deleted", {
        id: subscription,
        status: "canceled",
        items: { data: [] },
        metadata: { crowdtape_checkout: client_reference_id },
      });
    case "day":
      return world.clock.jump(DAY_MS);
    default:
      return doDeed(tale, step, isFirst);
  }
}

/** The account owner's actions; none before there is an account. */
async function doDeed(tale: Tale, step: "change" | "top up" | "spend", isFirst: boolean): Promise<void> {
  const { world, reported } = tale;
  const account = await accountOf(tale);
  if (!account) {
    if (isFirst) reported.delete(step);
    return;
  }
  const { grants } = world.access;
  const accountId = account.id;
  if (step === "change") await grants.payForPlan({ accountId, plan: "growth", reference: "change" });
  if (step === "top up") {
    tale.toppedUp = TOP_UP_CREDITS;
    await grants.addPrepaid({ accountId, credits: TOP_UP_CREDITS, reference: "top up" });
  }
  if (step === "spend") await spend(world, accountId);
}

async function spend({ access }: CardWorld, accountId: string): Promise<void> {
  const { secret } = await access.keys.create({ accountId, name: null });
  try {
    const admission = await access.admit(
      await access.identifyKey(secret),
      ROUTES.listTokenTheses,
      SPENT_PAGES,
    );
    try {
      await admission.finish({ requestId: freshRequestId(), units: SPENT_PAGES, outcome: "hit" });
    } finally {
      admission.release();
    }
  } catch (error) {
    // Too few credits are left, which is not an error.
    if (!(error instanceof Fault && error.status === 402)) throw error;
  }
}

async function accountOf({ world, sessionId }: Tale): Promise<Account | null> {
  const { accountId } = await world.stored(sessionId);
  return accountId === null ? null : world.access.grants.account(accountId);
}

/** Whether the bank or the seller has taken the money back, judging by the events delivered so far. */
const isReturned = ({ reported, wonFirst }: Tale) =>
  reported.has("refund") || (reported.has("dispute") && !reported.has("won") && !wonFirst);

function requireSane(tale: Tale, { monthlyRemaining, prepaidRemaining }: Account): void {
  if (monthlyRemaining < 0 || prepaidRemaining < 0)
    throw new Error(`a balance is negative: ${monthlyRemaining} and ${prepaidRemaining}`);
  const paidFor =
    PLANS.free.creditsPerMonth +
    (isReturned(tale) ? 0 : PLANS.starter.creditsPerMonth) +
    (tale.reported.has("change") ? PLANS.growth.creditsPerMonth : 0) +
    tale.toppedUp;
  if (monthlyRemaining + prepaidRemaining > paidFor)
    throw new Error(`${monthlyRemaining} and ${prepaidRemaining} are left where ${paidFor} were paid for`);
}

async function requireRightEnd(tale: Tale): Promise<void> {
  const { world, session, reported } = tale;
  const isPaid = reported.has("completed") || reported.has("paid");
  const invoice = await findInvoice(world.database.read, String(session.invoice));
  const stands = !isReturned(tale);
  if (isPaid && (invoice?.state === "paid") !== stands)
    throw new Error(`the invoice is ${invoice?.state} after ${[...reported].join(", ")}`);
  if (!stands && !world.stripe.cancelled.includes(String(session.subscription)))
    throw new Error("the money went back, and the subscription continues");
}
