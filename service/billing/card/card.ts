// Card payments from the choice of a plan to the key. A payment is applied once, whether its notice, the buyer's return
// or both tell of it, in any order and any number; the key it bought is shown once.
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import type { Metrics } from "../../../kit/metrics.ts";
import { secureBytes } from "../../../kit/random.ts";
import { closeEvent, findInvoice, noteEvent } from "../../store/money/card-invoices.ts";
import {
  checkoutOfSession,
  claimKey,
  insertCheckout,
  lockCheckout,
  recordKey,
  renewingCheckouts,
  type StoredCheckout,
  updateCheckout,
} from "../../store/money/checkouts.ts";
import type { OpenAccount, OwnerAccounts, OwnerKeys } from "./accounts.ts";
import { builtinProvider } from "./builtin.ts";
import type { CardEvent, CardProvider, PaidPlan, ReturnFacts } from "./provider.ts";
import { type Letters, recordFacts } from "./record.ts";
import { createSettling, endedPlan } from "./settle.ts";
import { type StripeSettings, stripeProvider } from "./stripe.ts";

/** What the page after the payment shows. */
export type Arrival =
  | { state: "key"; secret: string; plan: PaidPlan; email: string | null; test: boolean }
  | { state: "shown"; plan: PaidPlan; shownAt: number }
  | { state: "added"; plan: PaidPlan }
  | { state: "open" | "processing" | "failed" | "expired" | "returned" | "busy"; plan: PaidPlan };

export interface CardBilling {
  /** Null when cards are not taken here. */
  readonly provider: "stripe" | "builtin" | null;
  /** Where the buyer pays. With an account, the plan goes to it and no key is made. */
  start(order: { plan: PaidPlan; email: string | null; accountId: string | null }): Promise<string>;
  /** A notice of the provider; throws the fault of a bad one. */
  notice(body: Uint8Array, signature: string | null): Promise<void>;
  /** The buyer is back. Shows the key, once, unless only looked at. */
  arrive(sessionId: string, look?: boolean): Promise<Arrival>;
  /** An unpaid test checkout. */
  test(sessionId: string): Promise<StoredCheckout>;
  payTest(sessionId: string, email: string): Promise<void>;
  /** Which of an account's cards are still charged, and for what. */
  renewing(accountId: string): Promise<StoredCheckout[]>;
  stopRenewing(accountId: string): Promise<void>;
  /** Finishes what a crash left, and ends plans whose card was stopped. */
  sweep(): Promise<void>;
}

export interface CardParts {
  database: Database;
  accounts: OwnerAccounts;
  openAccount: OpenAccount;
  keys: OwnerKeys;
  letters: Letters & { wake(): void };
  clock: Clock;
  log: Log;
  metrics: Metrics;
  publicUrl: () => string;
  /** Null: cards are not taken here. */
  provider: StripeSettings | "builtin" | null;
}

/** 18 bytes, so that nobody meets another's checkout. */
const CHECKOUT_ID_BYTES = 18;
/** Longer than making a key takes; after it a claim counts as left by a process that ended. */
const CLAIM_MS = 30_000;

export function createCardBilling(parts: CardParts): CardBilling {
  const { database, accounts, openAccount, keys, letters, clock, log, metrics, publicUrl } = parts;
  const notices = metrics.counter("crowdtape_card_notices_total", "Notices of the card provider, by fate.");
  const started = metrics.counter("crowdtape_card_checkouts_total", "Card checkouts started.");
  const builtin = parts.provider === "builtin" ? builtinProvider({ database }) : null;
  const provider: CardProvider | null =
    builtin ??
    (parts.provider === null || parts.provider === "builtin"
      ? null
      : stripeProvider({ settings: parts.provider, publicUrl, clock }));
  const settling = createSettling({ database, accounts, clock });

  const cards = (): CardProvider => {
    if (!provider) throw fault("not_found", "This service does not take cards.");
    return provider;
  };

  const record = async (event: CardEvent) => {
    const now = clock.now();
    const { eventId, type, at, facts } = event;
    const known = await database.write(async (tx) => {
      const noted = await noteEvent(tx, { eventId, type, at, receivedAt: now });
      if (noted.outcome !== null) return noted.outcome;
      const outcome = facts
        ? await recordFacts({ openAccount, letters }, tx, facts, at, now)
        : "not one of ours";
      // Facts that the ledger does not have yet keep the notice open, so that its repetition takes them there.
      if (!facts) await closeEvent(tx, eventId, outcome);
      return { outcome };
    });
    if (typeof known === "string" || !facts)
      return notices.of({ fate: facts ? "repeated" : "ignored" }).add();
    await settling.settle(facts.checkoutId);
    // Before the notice is closed: when the provider is away, the repetition of the notice tries again.
    if (facts.kind === "return") await endDisputed(facts);
    await database.write((tx) => closeEvent(tx, eventId, known.outcome));
    letters.wake();
    notices.of({ fate: "applied" }).add();
    log.info("a card notice was applied", {
      eventId,
      type,
      checkoutId: facts.checkoutId,
      outcome: known.outcome,
    });
  };

  /** Who disputes what runs is not billed again for it. A month that is over says nothing of the one that followed. */
  const endDisputed = async ({ reason, invoiceId, subscriptionId }: ReturnFacts) => {
    if (reason !== "disputed" || subscriptionId === null) return;
    const invoice = await findInvoice(database.read, invoiceId);
    if (invoice && endedPlan(invoice)) await cards().cancel(subscriptionId);
  };

  /** Asks the provider how far a session is, for a buyer who is quicker than the notice. */
  const refresh = async (checkout: StoredCheckout, sessionId: string): Promise<StoredCheckout> => {
    const facts = await cards().session(sessionId);
    if (facts && facts.checkoutId === checkout.checkoutId) {
      const now = clock.now();
      await database.write((tx) => recordFacts({ openAccount, letters }, tx, facts, now, now));
    }
    await settling.settle(checkout.checkoutId);
    letters.wake();
    return (await checkoutOfSession(database.read, sessionId)) ?? checkout;
  };

  const known = async (sessionId: string): Promise<StoredCheckout> => {
    const checkout = await checkoutOfSession(database.read, sessionId);
    if (!checkout || checkout.provider !== provider?.name)
      throw fault("not_found", "There is no such checkout.");
    return checkout;
  };

  const showKey = async (checkout: StoredCheckout): Promise<Arrival> => {
    const plan = checkout.plan as PaidPlan;
    const { checkoutId, accountId } = checkout;
    const claimedAt = clock.now();
    const claimed = await database.write((tx) => claimKey(tx, checkoutId, claimedAt, claimedAt - CLAIM_MS));
    if (!claimed || accountId === null) return { state: "busy", plan };
    const test = cards().test;
    const made = await keys.create({ accountId, name: "checkout", mode: test ? "test" : "live" });
    const keyId = made.key.id;
    if (!(await database.write((tx) => recordKey(tx, { checkoutId, claimedAt, keyId, at: clock.now() })))) {
      await keys.revoke({ accountId, keyId });
      return { state: "busy", plan };
    }
    return { state: "key", secret: made.secret, plan, email: checkout.email, test };
  };

  return {
    provider: provider?.name ?? null,
    async start({ plan, email, accountId }) {
      const taker = cards();
      if (accountId !== null && (await renewingCheckouts(database.read, accountId)).length > 0) {
        throw fault(
          "conflict",
          "A card already renews this key's plan. Stop that one first: /recover sends you a link for it.",
        );
      }
      const checkout: StoredCheckout = {
        checkoutId: `chk_${Buffer.from(secureBytes(CHECKOUT_ID_BYTES)).toString("base64url")}`,
        provider: taker.name,
        sessionId: null,
        plan,
        email,
        status: "open",
        accountId,
        ownAccount: accountId === null ? 0 : 1,
        ...{ customerId: null, subscriptionId: null, subscriptionState: null, subscriptionAt: 0 },
        ...{ nextPlan: null, endsAt: null, keyId: null, keyClaimedAt: null, keyShownAt: null },
        createdAt: clock.now(),
        paidAt: null,
      };
      // Stored before the provider knows of it: no notice can come for a checkout that is not there.
      await database.write((tx) => insertCheckout(tx, checkout));
      const { checkoutId } = checkout;
      const { sessionId, url } = await taker.createSession({ checkoutId, plan, email });
      await database.write(async (tx) => {
        const held = await lockCheckout(tx, checkoutId);
        if (held) await updateCheckout(tx, { ...held, sessionId });
      });
      started.add();
      return url;
    },
    async notice(body, signature) {
      const event = await cards()
        .readEvent(body, signature)
        .catch((problem) => {
          notices.of({ fate: "refused" }).add();
          throw problem;
        });
      await record(event);
    },
    async arrive(sessionId, look = false) {
      let checkout = await known(sessionId);
      const undecided = checkout.status === "open" || checkout.status === "processing";
      if (undecided) checkout = await refresh(checkout, sessionId);
      const plan = checkout.plan as PaidPlan;
      if (checkout.status !== "paid") return { state: checkout.status, plan };
      if (checkout.ownAccount === 1) return { state: "added", plan };
      if (checkout.keyShownAt !== null) return { state: "shown", plan, shownAt: checkout.keyShownAt };
      if (look) return { state: "busy", plan };
      // A notice may have recorded the payment a moment ago and be on its way to the ledger.
      await settling.settle(checkout.checkoutId);
      return showKey(checkout);
    },
    async test(sessionId) {
      if (!builtin) throw fault("not_found", "There is no such checkout.");
      return known(sessionId);
    },
    async payTest(sessionId, email) {
      if (!builtin) throw fault("not_found", "There is no such checkout.");
      await record(builtin.payment(await known(sessionId), email, clock.now()));
    },
    renewing: (accountId) => renewingCheckouts(database.read, accountId),
    async stopRenewing(accountId) {
      for (const { subscriptionId, subscriptionState } of await renewingCheckouts(database.read, accountId)) {
        if (subscriptionId !== null && subscriptionState !== "ending")
          await cards().stopRenewing(subscriptionId);
      }
    },
    sweep: () => settling.sweep(),
  };
}
