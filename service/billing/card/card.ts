// Card payments from the choice of a plan to the key. A payment is applied once, whether its notice, the buyer's return
// or both tell of it, in any order and any number; the key it bought is shown once.
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import type { Kit } from "../../../kit/kit.ts";
import { secureBytes } from "../../../kit/random.ts";
import type { Keys } from "../../access/identity/keys.ts";
import {
  checkoutOfSession,
  insertCheckout,
  lockCheckout,
  renewingCheckouts,
  type StoredCheckout,
  updateCheckout,
} from "../../store/money/checkouts.ts";
import { type Arrival, arrive } from "./arrival.ts";
import { builtinProvider } from "./builtin.ts";
import { createInvoiceApplier, type InvoiceGrants } from "./invoices.ts";
import { createNotices } from "./notices.ts";
import type { CardProvider, PaidPlan } from "./provider.ts";
import type { Letters } from "./record.ts";
import { type StripeSettings, stripeProvider } from "./stripe.ts";

export interface CardBilling {
  /** Null when cards are not accepted here. */
  readonly provider: "stripe" | "builtin" | null;
  /** Where the buyer pays. With an account, the plan goes to it and no key is made. */
  start(order: CheckoutOrder): Promise<string>;
  /** A notice of the provider; throws the fault of a bad one. */
  notice(body: Uint8Array, signature: string | null): Promise<void>;
  /** The buyer is back. Shows the key, once, unless it is only peeked at. */
  arrive(sessionId: string, look?: boolean): Promise<Arrival>;
  /** An unpaid test checkout. */
  test(sessionId: string): Promise<StoredCheckout>;
  payTest(sessionId: string, email: string): Promise<void>;
  /** Whether one of an account's cards is charged each month. */
  renews(accountId: string): Promise<boolean>;
  stopRenewing(accountId: string): Promise<void>;
  /** Finishes work left by a crash, and ends plans whose card was cancelled. */
  sweep(): Promise<void>;
}

interface CheckoutOrder {
  plan: PaidPlan;
  email: string | null;
  accountId: string | null;
}

export interface CardParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  database: Database;
  grants: InvoiceGrants;
  keys: Pick<Keys, "create" | "revoke">;
  letters: Letters & { wake(): void };
  publicUrl: () => string;
  /** Null: cards are not accepted here. */
  provider: StripeSettings | "builtin" | null;
}

/** 18 bytes, so that no checkout can be guessed. */
const CHECKOUT_ID_BYTES = 18;

export function createCardBilling(parts: CardParts): CardBilling {
  const { database, grants, keys, clock, metrics } = parts;
  const started = metrics.counter("crowdtape_card_checkouts_total", "Card checkouts started.");
  const builtin = parts.provider === "builtin" ? builtinProvider({ database }) : null;
  const provider = builtin ?? stripeOf(parts);
  const cards = (): CardProvider => {
    if (!provider) throw fault("not_found", "This service does not take cards.");
    return provider;
  };
  const invoices = createInvoiceApplier({ database, grants, clock });
  const notices = createNotices({ ...parts, invoices, provider: cards });
  const arrival = { database, keys, invoices, notices, clock, test: () => cards().test };

  const known = async (sessionId: string): Promise<StoredCheckout> => {
    const checkout = await checkoutOfSession(database.read, sessionId);
    if (!checkout || checkout.provider !== provider?.name)
      throw fault("not_found", "There is no such checkout.");
    return checkout;
  };
  const renewing = async (accountId: string) =>
    (await renewingCheckouts(database.read, accountId)).filter(
      ({ subscriptionState }) => subscriptionState !== "ending",
    );

  return {
    provider: provider?.name ?? null,
    async start(order) {
      const url = await startCheckout(database, cards(), order, clock.now());
      started.add();
      return url;
    },
    notice: notices.receive,
    arrive: async (sessionId, look = false) => arrive(arrival, await known(sessionId), sessionId, look),
    async test(sessionId) {
      if (!builtin) throw fault("not_found", "There is no such checkout.");
      return known(sessionId);
    },
    async payTest(sessionId, email) {
      if (!builtin) throw fault("not_found", "There is no such checkout.");
      await notices.record(builtin.payment(await known(sessionId), email, clock.now()));
    },
    renews: async (accountId) => (await renewing(accountId)).length > 0,
    async stopRenewing(accountId) {
      for (const { subscriptionId } of await renewing(accountId)) {
        if (subscriptionId !== null) await cards().stopRenewing(subscriptionId);
      }
    },
    sweep: () => invoices.sweep(),
  };
}

function stripeOf({ provider, publicUrl, clock }: CardParts): CardProvider | null {
  if (provider === null || provider === "builtin") return null;
  return stripeProvider({ settings: provider, publicUrl, clock });
}

async function startCheckout(
  database: Database,
  provider: CardProvider,
  { plan, email, accountId }: CheckoutOrder,
  now: number,
): Promise<string> {
  if (accountId !== null && (await renewingCheckouts(database.read, accountId)).length > 0) {
    throw fault(
      "conflict",
      "A card already renews this key's plan. Cancel it first: /recover sends you a link.",
    );
  }
  const checkout: StoredCheckout = {
    checkoutId: `chk_${Buffer.from(secureBytes(CHECKOUT_ID_BYTES)).toString("base64url")}`,
    provider: provider.name,
    sessionId: null,
    plan,
    email,
    status: "open",
    accountId,
    ownAccount: accountId === null ? 0 : 1,
    customerId: null,
    subscriptionId: null,
    subscriptionState: null,
    subscriptionAt: 0,
    nextPlan: null,
    endsAt: null,
    keyId: null,
    keyClaimedAt: null,
    keyShownAt: null,
    createdAt: now,
    paidAt: null,
  };
  // Stored before the provider knows of it: no notice can arrive for an unknown checkout.
  await database.write((tx) => insertCheckout(tx, checkout));
  const { checkoutId } = checkout;
  const { sessionId, url } = await provider.createSession({ checkoutId, plan, email });
  await database.write(async (tx) => {
    const held = await lockCheckout(tx, checkoutId);
    if (held) await updateCheckout(tx, { ...held, sessionId });
  });
  return url;
}
