// The port to a card payment provider. Its reports are turned into a few plain facts, so that one piece of
// code decides what a payment, a renewal, an end or a refund means, for every provider.
import type { PlanName } from "../../../contract/plans.ts";
import type { CheckoutStatus, SubscriptionState } from "../../store/money/checkouts.ts";

export type PaidPlan = Exclude<PlanName, "free">;

/** How far a checkout is. */
export interface SessionFacts {
  kind: "session";
  checkoutId: string;
  sessionId: string;
  state: Exclude<CheckoutStatus, "returned">;
  email: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  amountCents: number;
}

/** A bill that was paid, or that a card refused. */
export interface InvoiceFacts {
  kind: "invoice";
  checkoutId: string;
  invoiceId: string;
  paid: boolean;
  /** Whether it is the one that the checkout itself paid. */
  first: boolean;
  /** Whether it is for a whole month; a part of one, after a change of plan, is not. */
  wholeMonth: boolean;
  /** Null: what the checkout bought. */
  plan: PaidPlan | null;
  amountCents: number;
  email: string | null;
  customerId: string | null;
  subscriptionId: string;
}

export interface SubscriptionFacts {
  kind: "subscription";
  checkoutId: string;
  subscriptionId: string;
  state: SubscriptionState;
  /** What it renews to; null when the provider's price is not one of ours. */
  plan: PaidPlan | null;
}

/** Money that went back, by the seller's will or by the bank's. */
export interface ReturnFacts {
  kind: "return";
  checkoutId: string;
  invoiceId: string;
  reason: "refunded" | "disputed";
  /** A part that went back is noted and takes nothing. */
  whole: boolean;
  amountCents: number;
  subscriptionId: string | null;
}

/** A dispute that ended in the seller's favour: the money stays, or came back. */
export interface WonFacts {
  kind: "won";
  checkoutId: string;
  invoiceId: string;
}

export type CardFacts = SessionFacts | InvoiceFacts | SubscriptionFacts | ReturnFacts | WonFacts;

/** One notice; facts are null when it does not concern us. */
export interface CardEvent {
  eventId: string;
  type: string;
  at: number;
  facts: CardFacts | null;
}

export interface CardProvider {
  readonly name: "stripe" | "builtin";
  /** Whether no money moves. */
  readonly test: boolean;
  createSession(order: {
    checkoutId: string;
    plan: PaidPlan;
    email: string | null;
  }): Promise<{ sessionId: string; url: string }>;
  /** How far a session is now; null when the provider does not know it. */
  session(sessionId: string): Promise<SessionFacts | null>;
  /** The card is not charged again; what is paid stays. */
  stopRenewing(subscriptionId: string): Promise<void>;
  /** Ends it now, so that no other bill follows; one that has ended stays so. */
  cancel(subscriptionId: string): Promise<void>;
  /** A notice from its raw body; throws the fault that an unsigned, wrongly signed or stale one gets. */
  readEvent(body: Uint8Array, signature: string | null): Promise<CardEvent>;
}
