// Reads Stripe's objects as plain facts. Only what is used is looked at, and both where today's API version has a field
// and where the ones before it had it, because a webhook keeps the version it was made with.
import { z } from "zod";
import type { SubscriptionState } from "../../store/money/checkouts.ts";
import type { SessionFacts } from "./provider.ts";

/** Stripe gives a related object as its id or, when asked to, whole. */
const Reference = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((value) => (typeof value === "string" ? value : value.id));
const Metadata = z.record(z.string(), z.string()).nullish();

export const SessionObject = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string(),
  status: z.string().nullish(),
  customer: Reference.nullish(),
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  subscription: Reference.nullish(),
  invoice: Reference.nullish(),
  amount_total: z.number().nullish(),
});

const PriceReference = Reference.nullish();

const Line = z.object({
  amount: z.number(),
  pricing: z.object({ price_details: z.object({ price: PriceReference }).nullish() }).nullish(),
  price: PriceReference,
  proration: z.boolean().nullish(),
  parent: z
    .object({
      subscription_item_details: z.object({ proration: z.boolean().nullish() }).nullish(),
      invoice_item_details: z.object({ proration: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
});

export const InvoiceObject = z.object({
  id: z.string(),
  billing_reason: z.string().nullish(),
  amount_paid: z.number(),
  customer: Reference.nullish(),
  customer_email: z.string().nullish(),
  parent: z
    .object({
      subscription_details: z.object({ subscription: Reference, metadata: Metadata }).nullish(),
    })
    .nullish(),
  subscription: Reference.nullish(),
  subscription_details: z.object({ metadata: Metadata }).nullish(),
  lines: z.object({ data: z.array(Line) }),
});
export type InvoiceObject = z.infer<typeof InvoiceObject>;

export const SubscriptionObject = z.object({
  id: z.string(),
  status: z.string(),
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: z.number().nullish(),
  metadata: Metadata,
  items: z.object({ data: z.array(z.object({ price: PriceReference })) }),
});

export const ChargeObject = z.object({
  amount_refunded: z.number(),
  refunded: z.boolean(),
  payment_intent: Reference.nullish(),
  invoice: Reference.nullish(),
});

export const DisputeObject = z.object({
  amount: z.number(),
  payment_intent: Reference.nullish(),
  status: z.string().nullish(),
});

/** The name under which our checkout travels through Stripe: in the subscription, and so in each of its invoices. */
export const CHECKOUT_FIELD = "crowdtape_checkout";

export function checkoutOfMetadata(metadata: z.infer<typeof Metadata>): string | null {
  return metadata?.[CHECKOUT_FIELD] ?? null;
}

export function checkoutOfInvoice(invoice: InvoiceObject): string | null {
  const details = invoice.parent?.subscription_details ?? invoice.subscription_details;
  return checkoutOfMetadata(details?.metadata);
}

export function subscriptionOfInvoice(invoice: InvoiceObject): string | null {
  return invoice.parent?.subscription_details?.subscription ?? invoice.subscription ?? null;
}

/** The price of the invoice's whole month; undefined when it only bills a part of one. */
export function wholeMonthPrice(invoice: InvoiceObject): string | null | undefined {
  const line = invoice.lines.data.find(
    ({ proration, parent }) =>
      !(
        proration ||
        parent?.subscription_item_details?.proration ||
        parent?.invoice_item_details?.proration ||
        parent?.invoice_item_details
      ),
  );
  return line && (line.pricing?.price_details?.price ?? line.price ?? null);
}

export function sessionFacts(session: z.infer<typeof SessionObject>, failed: boolean): SessionFacts | null {
  const checkoutId = session.client_reference_id;
  if (!checkoutId?.startsWith("chk_")) return null;
  return {
    kind: "session",
    checkoutId,
    sessionId: session.id,
    state: failed ? "failed" : stateOfSession(session),
    email: session.customer_details?.email ?? null,
    customerId: session.customer ?? null,
    subscriptionId: session.subscription ?? null,
    invoiceId: session.invoice ?? null,
    amountCents: session.amount_total ?? 0,
  };
}

function stateOfSession({ payment_status, status }: z.infer<typeof SessionObject>): SessionFacts["state"] {
  if (payment_status === "paid" || payment_status === "no_payment_required") {
    return status === "complete" ? "paid" : "open";
  }
  if (status === "expired") return "expired";
  return status === "complete" ? "processing" : "open";
}

export function stateOfSubscription({
  status,
  cancel_at_period_end,
  cancel_at,
}: z.infer<typeof SubscriptionObject>): SubscriptionState {
  if (status === "canceled" || status === "incomplete_expired") return "ended";
  if (status === "past_due" || status === "unpaid") return "past_due";
  return cancel_at_period_end || cancel_at ? "ending" : "active";
}
