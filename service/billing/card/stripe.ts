// Card payments through Stripe's hosted checkout. No card number comes near this service; a notice counts only with
// Stripe's signature over its raw bytes, no older than five minutes. The SDK is loaded when it is first needed.
import type StripeSdk from "stripe";
import { z } from "zod";
import { fault } from "../../../contract/errors.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { CardEvent, CardFacts, CardProvider } from "./provider.ts";
import {
  CHECKOUT_FIELD,
  ChargeObject,
  checkoutOfInvoice,
  checkoutOfMetadata,
  DisputeObject,
  InvoiceObject,
  SessionObject,
  SubscriptionObject,
  sessionFacts,
  stateOfSubscription,
  subscriptionOfInvoice,
  wholeMonthPrice,
} from "./stripe-events.ts";
import { createPrices, type GivenPrices } from "./stripe-prices.ts";

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Price ids; for a plan without one a price is made, once. */
  prices: GivenPrices;
  /** Another address than Stripe's own, for a stand-in. */
  apiBase: string | null;
}

/** What Stripe recommends: a recorded notice can't be played again later. */
const TOLERANCE_SECONDS = 300;
/** A buyer waits for it. */
const TIMEOUT_MS = 10_000;
/** With backoff inside the SDK; more would keep a buyer waiting for longer than they stay. */
const RETRIES = 2;

const EventObject = z.object({
  id: z.string().min(1),
  type: z.string(),
  created: z.number(),
  data: z.object({ object: z.unknown() }),
});

export function stripeProvider(parts: {
  settings: StripeSettings;
  publicUrl: () => string;
  clock: Clock;
}): CardProvider {
  const { settings, publicUrl, clock } = parts;
  let loading: Promise<StripeSdk> | null = null;
  const sdk = () => {
    loading ??= load(settings);
    return loading;
  };
  const prices = createPrices(sdk, settings.prices);

  const readers = new Map<string, (object: unknown) => Promise<CardFacts | null>>(
    Object.entries({
      "checkout.session.completed": async (object: unknown) =>
        sessionFacts(SessionObject.parse(object), false),
      "checkout.session.async_payment_succeeded": async (object: unknown) =>
        sessionFacts(SessionObject.parse(object), false),
      "checkout.session.async_payment_failed": async (object: unknown) =>
        sessionFacts(SessionObject.parse(object), true),
      "checkout.session.expired": async (object: unknown) => sessionFacts(SessionObject.parse(object), false),
      "invoice.paid": (object: unknown) => invoice(object, true),
      "invoice.payment_failed": (object: unknown) => invoice(object, false),
      "customer.subscription.updated": subscription,
      "customer.subscription.deleted": subscription,
      "charge.refunded": async (object: unknown) => {
        const charge = ChargeObject.parse(object);
        const { refunded: whole, amount_refunded: amountCents } = charge;
        return moneyBack(charge.payment_intent ?? null, { reason: "refunded", whole, amountCents });
      },
      "charge.dispute.created": disputed,
      "charge.dispute.funds_withdrawn": disputed,
      "charge.dispute.closed": async (object: unknown) => {
        const { payment_intent, status } = DisputeObject.parse(object);
        return status === "won" ? disputeWon(payment_intent ?? null) : null;
      },
      "charge.dispute.funds_reinstated": async (object: unknown) =>
        disputeWon(DisputeObject.parse(object).payment_intent ?? null),
    }),
  );

  async function invoice(object: unknown, paid: boolean): Promise<CardFacts | null> {
    const bill = InvoiceObject.parse(object);
    const checkoutId = checkoutOfInvoice(bill);
    const subscriptionId = subscriptionOfInvoice(bill);
    if (checkoutId === null || subscriptionId === null) return null;
    const first = bill.billing_reason === "subscription_create";
    const price = wholeMonthPrice(bill);
    return {
      kind: "invoice",
      checkoutId,
      invoiceId: bill.id,
      paid,
      first,
      wholeMonth: first || price !== undefined,
      plan: first || !price ? null : await prices.planOf(price),
      amountCents: bill.amount_paid,
      email: bill.customer_email ?? null,
      customerId: bill.customer ?? null,
      subscriptionId,
    };
  }

  async function subscription(object: unknown): Promise<CardFacts | null> {
    const found = SubscriptionObject.parse(object);
    const checkoutId = checkoutOfMetadata(found.metadata);
    if (checkoutId === null) return null;
    const price = found.items.data[0]?.price ?? null;
    const plan = price === null ? null : await prices.planOf(price);
    const state = stateOfSubscription(found);
    return { kind: "subscription", checkoutId, subscriptionId: found.id, state, plan };
  }

  /** A bank's question ("warning_…") takes no money, so it takes nothing here; its dispute would. */
  async function disputed(object: unknown): Promise<CardFacts | null> {
    const { amount, payment_intent, status } = DisputeObject.parse(object);
    if (status?.startsWith("warning_")) return null;
    return moneyBack(payment_intent ?? null, { reason: "disputed", whole: true, amountCents: amount });
  }

  async function disputeWon(paymentIntent: string | null): Promise<CardFacts | null> {
    const bill = await billOf(paymentIntent);
    return bill && { kind: "won", checkoutId: bill.checkoutId, invoiceId: bill.invoiceId };
  }

  async function moneyBack(
    paymentIntent: string | null,
    what: { reason: "refunded" | "disputed"; whole: boolean; amountCents: number },
  ): Promise<CardFacts | null> {
    const bill = await billOf(paymentIntent);
    return bill && { kind: "return", ...bill, ...what };
  }

  /** A charge does not say what it paid: its invoice does, and the invoice knows our checkout. */
  async function billOf(paymentIntent: string | null) {
    if (paymentIntent === null) return null;
    const stripe = await sdk();
    const found = await stripe.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: paymentIntent },
      expand: ["data.invoice"],
      limit: 1,
    });
    const bill = InvoiceObject.safeParse(found.data[0]?.invoice).data;
    const checkoutId = bill ? checkoutOfInvoice(bill) : null;
    if (!bill || checkoutId === null) return null;
    return { checkoutId, invoiceId: bill.id, subscriptionId: subscriptionOfInvoice(bill) };
  }

  return {
    name: "stripe",
    test: /^[sr]k_test_/.test(settings.secretKey),
    async createSession({ checkoutId, plan, email }) {
      const stripe = await sdk();
      const session = await reachable(async () =>
        stripe.checkout.sessions.create(
          {
            mode: "subscription",
            line_items: [{ price: await prices.priceOf(plan), quantity: 1 }],
            client_reference_id: checkoutId,
            subscription_data: { metadata: { [CHECKOUT_FIELD]: checkoutId } },
            ...(email === null ? {} : { customer_email: email }),
            success_url: `${publicUrl()}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
            cancel_url: `${publicUrl()}/pricing`,
          },
          { idempotencyKey: checkoutId },
        ),
      );
      if (!session.url) throw fault("unavailable", "The card checkout could not be opened. Try again soon.");
      return { sessionId: session.id, url: session.url };
    },
    async session(sessionId) {
      const stripe = await sdk();
      const found = await reachable(() => stripe.checkout.sessions.retrieve(sessionId));
      return sessionFacts(SessionObject.parse(found), false);
    },
    async stopRenewing(subscriptionId) {
      const stripe = await sdk();
      await reachable(() => stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }));
    },
    async cancel(subscriptionId) {
      const stripe = await sdk();
      await reachable(() =>
        stripe.subscriptions.cancel(subscriptionId).catch((error: unknown) => {
          // Stripe's answer for one that is cancelled already.
          if ((error as { code?: unknown }).code !== "resource_missing") throw error;
        }),
      );
    },
    async readEvent(body, signature): Promise<CardEvent> {
      const stripe = await sdk();
      const signed = await stripe.webhooks
        .constructEventAsync(
          Buffer.from(body),
          signature ?? "",
          settings.webhookSecret,
          TOLERANCE_SECONDS,
          undefined,
          clock.now(),
        )
        .catch(() => {
          throw fault("invalid_body", "This notice is not signed by Stripe, or is older than five minutes.");
        });
      const event = EventObject.parse(signed);
      const facts = (await readers.get(event.type)?.(event.data.object)) ?? null;
      return { eventId: event.id, type: event.type, at: event.created * 1_000, facts };
    },
  };
}

async function load(settings: StripeSettings): Promise<StripeSdk> {
  const { default: Stripe } = await import("stripe");
  const base = settings.apiBase === null ? null : new URL(settings.apiBase);
  return new Stripe(settings.secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(base && {
      protocol: base.protocol === "http:" ? "http" : "https",
      host: base.hostname,
      port: base.port || (base.protocol === "http:" ? 80 : 443),
    }),
  });
}

/** Stripe's own words stay in the log: they can name our settings. */
async function reachable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const said = fault("unavailable", "The card checkout can't be reached right now. Try again soon.");
    said.cause = error;
    throw said;
  }
}
