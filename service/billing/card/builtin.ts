// The built-in test checkout, for a service without a card provider: the same flow on a page that says it is
// a test. No card is needed, no money moves, and nothing renews.
import { fault } from "../../../contract/errors.ts";
import { PLANS } from "../../../contract/plans.ts";
import type { Database } from "../../../database/database.ts";
import { secureBytes } from "../../../kit/random.ts";
import { checkoutOfSession, type StoredCheckout } from "../../store/money/checkouts.ts";
import type { CardEvent, CardProvider, PaidPlan, SessionFacts } from "./provider.ts";

/** Knowing a session is enough to pay it and see its key, so it can't be guessable. */
const SESSION_BYTES = 24;

export interface BuiltinProvider extends CardProvider {
  /** The notice created by pressing "pay". */
  payment(checkout: StoredCheckout, email: string, now: number): CardEvent;
}

export function builtinProvider({ database }: { database: Database }): BuiltinProvider {
  return {
    name: "builtin",
    test: true,
    async createSession() {
      const sessionId = `cs_builtin_${Buffer.from(secureBytes(SESSION_BYTES)).toString("base64url")}`;
      return { sessionId, url: `/checkout/test/${sessionId}` };
    },
    async session(sessionId) {
      const checkout = await checkoutOfSession(database.read, sessionId);
      if (!checkout || checkout.status === "returned") return null;
      return factsOf(checkout, sessionId, checkout.status, checkout.email);
    },
    async stopRenewing() {
      throw fault("conflict", "A test checkout does not renew.");
    },
    async cancel() {
      throw fault("conflict", "A test checkout does not renew.");
    },
    async readEvent() {
      throw fault("not_found", "This service does not accept notices from a card provider.");
    },
    payment(checkout, email, now) {
      const sessionId = checkout.sessionId ?? "";
      const facts = factsOf(checkout, sessionId, "paid", email);
      return { eventId: `builtin:${sessionId}`, type: "builtin.paid", at: now, facts };
    },
  };
}

function factsOf(
  { checkoutId, plan }: StoredCheckout,
  sessionId: string,
  state: SessionFacts["state"],
  email: string | null,
): SessionFacts {
  return {
    kind: "session",
    checkoutId,
    sessionId,
    state,
    email,
    customerId: null,
    subscriptionId: null,
    invoiceId: `in_builtin_${checkoutId}`,
    amountCents: Math.round(PLANS[plan as PaidPlan].priceUsd * 100),
  };
}
