// What follows a card payment: renewals, refusals, ends, changes, refunds and disputes, in any order.

import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PLANS } from "../../../contract/plans.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { findEvent, findInvoice, invoicesOfCheckout } from "../../store/money/card-invoices.ts";
import { entriesOfAccount } from "../../store/money/ledger.ts";
import { line } from "./test-stripe.ts";
import { type CardWorld, cardWorld } from "./test-support.ts";

const worlds: CardWorld[] = [];
const open = async (...options: Parameters<typeof cardWorld>) => {
  const world = await cardWorld(...options);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const success = (sessionId: string) => `/checkout/success?session_id=${sessionId}`;
const paidMonths = async (world: CardWorld, sessionId: string) => {
  const account = await world.account(sessionId);
  const entries = await entriesOfAccount(world.database.read, account.id, 100);
  return entries.filter(({ reference }) => /^card:(first|invoice):[^:]+$/.test(reference ?? "")).length;
};
/** A paid Starter checkout whose notice has come. */
const buy = async (world: CardWorld, plan = "starter") => {
  const sessionId = await world.begin(plan);
  const session = world.stripe.pay(sessionId);
  await world.tell("checkout.session.completed", session);
  return { sessionId, session };
};
const renewal = (world: CardWorld, session: Parameters<CardWorld["stripe"]["invoice"]>[0], more = {}) =>
  world.stripe.invoice(session, { billing_reason: "subscription_cycle", ...more });

describe("a subscription", () => {
  test("renews from the month's end, also when paid early, and each invoice counts once", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    const first = await world.account(sessionId);
    await world.clock.advance(20 * DAY_MS);
    const invoice = renewal(world, session, { id: "in_next" });
    await world.tell("invoice.paid", invoice);
    await world.tell("invoice.paid", invoice);
    const then = await world.account(sessionId);
    expect(new Date(then.paidUntil ?? 0).getUTCMonth()).toBe(
      (new Date(first.paidUntil ?? 0).getUTCMonth() + 1) % 12,
    );
    expect(new Date(then.paidUntil ?? 0).getUTCDate()).toBe(new Date(first.paidUntil ?? 0).getUTCDate());
    expect(await paidMonths(world, sessionId)).toBe(2);
  });

  test("whose card is refused keeps its plan for the grace, tells its owner once, and continues when paid", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.clock.advance(32 * DAY_MS);
    const invoice = renewal(world, session, { id: "in_due", amount_paid: 0 });
    await world.tell("invoice.payment_failed", invoice);
    await world.tell("invoice.payment_failed", invoice);
    expect((await world.stored(sessionId)).subscriptionState).toBe("past_due");
    expect((await findInvoice(world.database.read, "in_due"))?.state).toBe("failed");
    expect((await world.account(sessionId)).plan).toBe("starter");
    await world.checkout.outbox.pass();
    expect(world.mails().filter((mail) => mail.includes("Subject: Your card was refused"))).toHaveLength(1);
    await world.tell("invoice.paid", { ...invoice, amount_paid: 4_999 });
    // A refusal that comes late does not undo the payment.
    await world.tell("invoice.payment_failed", invoice);
    expect((await findInvoice(world.database.read, "in_due"))?.state).toBe("paid");
    expect((await world.stored(sessionId)).subscriptionState).toBe("active");
    await world.clock.advance(20 * DAY_MS);
    expect((await world.account(sessionId)).plan).toBe("starter");
  });

  test("that is never paid again ends after the grace", async () => {
    const world = await open();
    const { sessionId } = await buy(world);
    await world.clock.advance(31 * DAY_MS + 8 * DAY_MS);
    expect((await world.account(sessionId)).plan).toBe("free");
  });

  test("that is cancelled ends with the paid month, not before and not after", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    const { paidUntil } = await world.account(sessionId);
    const subscription = {
      id: session.subscription,
      status: "canceled",
      metadata: { crowdtape_checkout: session.client_reference_id },
      items: { data: [] },
    };
    await world.clock.advance(10 * DAY_MS);
    await world.tell("customer.subscription.deleted", subscription);
    await world.checkout.cards.sweep();
    expect(await world.account(sessionId)).toMatchObject({ plan: "starter", paidUntil });
    await world.clock.advance((paidUntil ?? 0) - world.clock.now() - 1);
    await world.checkout.cards.sweep();
    expect((await world.account(sessionId)).plan).toBe("starter");
    await world.clock.advance(1);
    await world.checkout.cards.sweep();
    expect((await world.account(sessionId)).plan).toBe("free");
    // An older notice does not bring it back.
    await world.tell(
      "customer.subscription.updated",
      { ...subscription, status: "active" },
      { at: world.clock.now() - DAY_MS },
    );
    expect((await world.stored(sessionId)).subscriptionState).toBe("ended");
  });

  test("that changes its plan is on the new one from the first invoice for it; a part of a month buys credits", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.begin("growth");
    const growth = [...world.stripe.prices.values()].find(({ lookup_key }) =>
      /growth/.test(String(lookup_key)),
    );
    const price = String(growth?.id);
    await world.tell("customer.subscription.updated", {
      id: session.subscription,
      status: "active",
      metadata: { crowdtape_checkout: session.client_reference_id },
      items: { data: [{ price }] },
    });
    expect((await world.stored(sessionId)).nextPlan).toBe("growth");
    const part = { subscription_item_details: { proration: true } };
    await world.tell(
      "invoice.paid",
      renewal(world, session, {
        billing_reason: "subscription_update",
        amount_paid: 10_000,
        lines: { data: [line(price, { parent: part })] },
      }),
    );
    expect(await world.account(sessionId)).toMatchObject({ plan: "starter", prepaidRemaining: 4_000_000 });
    await world.clock.advance(31 * DAY_MS);
    await world.tell("invoice.paid", renewal(world, session, { lines: { data: [line(price)] } }));
    expect((await world.account(sessionId)).plan).toBe("growth");
    expect((await world.stored(sessionId)).nextPlan).toBeNull();
  });
});

describe("money that goes back", () => {
  const intent = (invoice: unknown) => `pi_${invoice}`;
  const refund = (invoice: unknown, more = {}) => ({
    amount_refunded: 4_999,
    refunded: true,
    payment_intent: intent(invoice),
    ...more,
  });

  test("by refund or by dispute ends the plan at once, once, and can be found", async () => {
    for (const [type, object, state] of [
      ["charge.refunded", (invoice: unknown) => refund(invoice), "refunded"],
      [
        "charge.dispute.created",
        (invoice: unknown) => ({ amount: 4_999, payment_intent: intent(invoice) }),
        "disputed",
      ],
    ] as const) {
      const world = await open();
      const { sessionId, session } = await buy(world);
      await world.tell(type, object(session.invoice), { id: "evt_back" });
      await world.tell(type, object(session.invoice));
      const account = await world.account(sessionId);
      expect(account).toMatchObject({ plan: "free", monthlyRemaining: PLANS.free.creditsPerMonth });
      expect((await findInvoice(world.database.read, String(session.invoice)))?.state).toBe(state);
      expect((await findEvent(world.database.read, "evt_back"))?.outcome).toBe(state);
      expect((await world.get(success(sessionId))).text).toContain("given back");
    }
  });

  const dispute = (invoice: unknown) => ({ amount: 4_999, payment_intent: intent(invoice) });

  test("by a dispute that ends the plan cancels the subscription, once, no matter how many times it is reported", async () => {
    const world = await open();
    const { session } = await buy(world);
    await world.tell("charge.dispute.created", dispute(session.invoice), { id: "evt_dispute" });
    await world.tell("charge.dispute.created", dispute(session.invoice), { id: "evt_dispute" });
    await world.tell("charge.dispute.created", dispute(session.invoice), { id: "evt_again" });
    expect(world.stripe.cancelled).toEqual([String(session.subscription)]);
    // The first and the other notice ask; the repetition of a settled one does not.
    expect(world.stripe.asked.filter((asked) => asked.startsWith("DELETE"))).toHaveLength(2);
    expect((await findEvent(world.database.read, "evt_again"))?.outcome).toBe("applied before");
  });

  test("by dispute while Stripe can't cancel ends the plan, and the notice's repetition cancels", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    const tell = () => world.tell("charge.dispute.created", dispute(session.invoice), { id: "evt_dispute" });
    world.stripe.down = /^DELETE /;
    await expect(tell()).rejects.toMatchObject({ code: "unavailable", status: 503 });
    expect((await world.account(sessionId)).plan).toBe("free");
    expect((await findEvent(world.database.read, "evt_dispute"))?.outcome).toBeNull();
    world.stripe.down = false;
    await tell();
    expect(world.stripe.cancelled).toEqual([String(session.subscription)]);
    expect((await findEvent(world.database.read, "evt_dispute"))?.outcome).not.toBeNull();
  }, 900_000);

  test("by a dispute that is reported before its payment cancels the subscription too", async () => {
    const world = await open();
    const session = world.stripe.pay(await world.begin());
    await world.tell("charge.dispute.created", dispute(session.invoice));
    expect(world.stripe.cancelled).toEqual([String(session.subscription)]);
  });

  test("ends the subscription whether by refund or dispute, also for a month that is over", async () => {
    for (const type of ["charge.dispute.created", "charge.refunded"]) {
      const world = await open();
      const { sessionId, session } = await buy(world);
      await world.clock.advance(31 * DAY_MS);
      await world.tell("invoice.paid", renewal(world, session));
      const back = type === "charge.refunded" ? refund(session.invoice) : dispute(session.invoice);
      await world.tell(type, back);
      // The month that runs was paid by another invoice and stays.
      expect((await world.account(sessionId)).plan).toBe("starter");
      expect(world.stripe.cancelled).toEqual([String(session.subscription)]);
    }
  });

  test("after a change of plan takes the month's credits from the prepaid ones they became, and not what was bought separately", async () => {
    for (const [type, back] of [
      ["charge.refunded", (invoice: unknown) => refund(invoice)],
      ["charge.dispute.created", dispute],
    ] as const) {
      const world = await open();
      const { sessionId, session } = await buy(world);
      const { id: accountId } = await world.account(sessionId);
      await world.access.grants.addPrepaid({ accountId, credits: 7_000, reference: "coins" });
      await world.access.grants.payForPlan({ accountId, plan: "growth", reference: "another payment" });
      expect((await world.account(sessionId)).prepaidRemaining).toBe(7_000 + PLANS.starter.creditsPerMonth);
      await world.tell(type, back(session.invoice));
      await world.tell(type, back(session.invoice));
      expect(await world.account(sessionId)).toMatchObject({ plan: "growth", prepaidRemaining: 7_000 });
      expect(world.stripe.cancelled).toEqual([String(session.subscription)]);
    }
  });

  test("of a month that had expired before the plan changed takes nothing", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    const { id: accountId } = await world.account(sessionId);
    await world.clock.advance(31 * DAY_MS);
    await world.tell("invoice.paid", renewal(world, session));
    await world.access.grants.payForPlan({ accountId, plan: "growth", reference: "another payment" });
    const before = await world.account(sessionId);
    await world.tell("charge.refunded", refund(session.invoice));
    expect((await world.account(sessionId)).prepaidRemaining).toBe(before.prepaidRemaining);
  });

  const closed = (invoice: unknown, status = "won") => ({ ...dispute(invoice), status });

  test("by a dispute that is won is restored: the plan, or the credits; a lost one is not", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.tell("charge.dispute.created", dispute(session.invoice));
    await world.tell("charge.dispute.closed", closed(session.invoice, "lost"));
    expect((await world.account(sessionId)).plan).toBe("free");
    await world.tell("charge.dispute.closed", closed(session.invoice));
    await world.tell("charge.dispute.funds_reinstated", dispute(session.invoice));
    expect(await world.account(sessionId)).toMatchObject({
      plan: "starter",
      monthlyRemaining: PLANS.starter.creditsPerMonth,
    });
    expect((await findInvoice(world.database.read, String(session.invoice)))?.state).toBe("paid");

    const other = await buy(world);
    const { id: accountId } = await world.account(other.sessionId);
    await world.access.grants.payForPlan({ accountId, plan: "growth", reference: "another payment" });
    const { prepaidRemaining } = await world.account(other.sessionId);
    await world.tell("charge.dispute.created", dispute(other.session.invoice));
    expect((await world.account(other.sessionId)).prepaidRemaining).toBe(0);
    await world.tell("charge.dispute.closed", closed(other.session.invoice));
    expect((await world.account(other.sessionId)).prepaidRemaining).toBe(prepaidRemaining);
    // The seller may still refund what the bank left with them.
    await world.tell("charge.refunded", refund(other.session.invoice));
    expect((await world.account(other.sessionId)).prepaidRemaining).toBe(0);
  });

  test("by a refund while it is disputed stays given back when the dispute is won", async () => {
    for (const change of [false, true]) {
      const world = await open();
      const { sessionId, session } = await buy(world);
      const { id: accountId } = await world.account(sessionId);
      if (change) await world.access.grants.payForPlan({ accountId, plan: "growth", reference: "change" });
      await world.tell("charge.dispute.created", dispute(session.invoice));
      await world.tell("charge.refunded", refund(session.invoice));
      await world.tell("charge.dispute.closed", closed(session.invoice));
      expect(await world.account(sessionId)).toMatchObject({
        plan: change ? "growth" : "free",
        prepaidRemaining: 0,
      });
      expect((await findInvoice(world.database.read, String(session.invoice)))?.state).toBe("refunded");
    }
  });

  test("by a bank's question is not one; by a dispute whose end is reported first changes nothing", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.tell("charge.dispute.created", closed(session.invoice, "warning_needs_response"));
    expect((await world.account(sessionId)).plan).toBe("starter");
    await world.tell("charge.dispute.closed", closed(session.invoice));
    await world.tell("charge.dispute.created", dispute(session.invoice));
    expect((await world.account(sessionId)).plan).toBe("starter");
  });

  test("in every order of refund, dispute, its end and a change of plan leaves no credit that was not paid for", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(["refund", "dispute", "change"], { minLength: 3 }),
        async (order) => {
          const world = await open();
          const { sessionId, session } = await buy(world);
          const { id: accountId } = await world.account(sessionId);
          for (const step of order) {
            if (step === "refund") await world.tell("charge.refunded", refund(session.invoice));
            if (step === "dispute") await world.tell("charge.dispute.created", dispute(session.invoice));
            if (step === "change")
              await world.access.grants.payForPlan({
                accountId,
                plan: "growth",
                reference: `change:${accountId}`,
              });
          }
          const account = await world.account(sessionId);
          expect([account.plan, account.prepaidRemaining]).toEqual(["growth", 0]);
        },
      ),
      { numRuns: 6 },
    );
  }, 900_000);

  test("in part is noted and takes nothing", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.tell("charge.refunded", refund(session.invoice, { refunded: false, amount_refunded: 500 }), {
      id: "evt_part",
    });
    expect((await world.account(sessionId)).plan).toBe("starter");
    expect((await findEvent(world.database.read, "evt_part"))?.outcome).toBe(
      "a part was refunded: 500 cents",
    );
  });

  test("for a month that is over leaves the one that runs", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    await world.clock.advance(31 * DAY_MS);
    await world.tell("invoice.paid", renewal(world, session));
    await world.tell("charge.refunded", refund(session.invoice));
    expect((await world.account(sessionId)).plan).toBe("starter");
  });

  test("leaves months that were paid otherwise", async () => {
    const world = await open();
    const { sessionId, session } = await buy(world);
    const { id: accountId } = await world.account(sessionId);
    await world.access.grants.payForPlan({ accountId, plan: "starter", months: 2, reference: "coins" });
    await world.tell("charge.refunded", refund(session.invoice));
    const account = await world.account(sessionId);
    expect(account.plan).toBe("starter");
    expect(Math.round(((account.paidUntil ?? 0) - world.clock.now()) / (30 * DAY_MS))).toBe(2);
  });

  test("before the payment was reported gives nothing at all", async () => {
    const world = await open();
    const sessionId = await world.begin();
    const session = world.stripe.pay(sessionId);
    await world.tell("charge.refunded", refund(session.invoice));
    await world.tell("checkout.session.completed", session);
    await world.tell("invoice.paid", world.stripe.invoice(session, { id: session.invoice }));
    expect(await world.accounts()).toBe(0);
    expect((await world.get(success(sessionId))).text).toContain("given back");
  });
});

test("notices in any order and any number end in the same account", async () => {
  const world = await open();
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        [0, 1, 2, 3, 0, 1, 2, 3].map((event, place) => ({ event, place })),
        { minLength: 8 },
      ),
      async (order) => {
        const sessionId = await world.begin();
        const session = world.stripe.pay(sessionId);
        const mark = session.id;
        const notices = [
          ["checkout.session.completed", session],
          ["invoice.paid", world.stripe.invoice(session, { id: session.invoice })],
          ["invoice.paid", renewal(world, session, { id: `in_renewal_${mark}` })],
          ["invoice.payment_failed", renewal(world, session, { id: `in_renewal_${mark}`, amount_paid: 0 })],
        ] as const;
        for (const { event } of order) {
          const [type, object] = notices[event] ?? notices[0];
          await world.tell(type, object, { id: `evt_${mark}_${event}` });
        }
        expect(await paidMonths(world, sessionId)).toBe(2);
        const { checkoutId } = await world.stored(sessionId);
        const invoices = await invoicesOfCheckout(world.database.read, checkoutId);
        expect(invoices.map(({ state, granted }) => `${state} ${granted}`)).toEqual(["paid 1", "paid 1"]);
      },
    ),
    { numRuns: 25 },
  );
}, 900_000);
