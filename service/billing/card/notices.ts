// The card provider's reports, from notices or polling, on their way into the books: recorded, applied to the
// ledger and only then closed, so that interrupted work is resumed when the notice is redelivered.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLru } from "../../../kit/lru.ts";
import { closeEvent, noteEvent } from "../../store/money/card-invoices.ts";
import { checkoutOfSession, type StoredCheckout } from "../../store/money/checkouts.ts";
import type { InvoiceApplier } from "./invoices.ts";
import type { CardEvent, CardProvider, ReturnFacts } from "./provider.ts";
import { type Letters, recordFacts } from "./record.ts";

export interface Notices {
  /** Applies an event once, no matter how many times it arrives. */
  record(event: CardEvent): Promise<void>;
  /** Reads a signed notice and applies it; throws the fault of a bad one. */
  receive(body: Uint8Array, signature: string | null): Promise<void>;
  /** Asks the provider for a session's state, for a buyer who is quicker than the notice. */
  refresh(checkout: StoredCheckout, sessionId: string): Promise<StoredCheckout>;
}

export interface NoticesParts extends Pick<Kit, "clock" | "log" | "metrics"> {
  database: Database;
  invoices: InvoiceApplier;
  letters: Letters & { wake(): void };
  /** Throws where cards are not accepted. */
  provider(): CardProvider;
}

export function createNotices(parts: NoticesParts): Notices {
  const { database, invoices, letters, provider, clock, log } = parts;
  const notices = parts.metrics.counter(
    "crowdtape_card_notices_total",
    "Notices of the card provider, by fate.",
  );

  const record = async (event: CardEvent) => {
    const { eventId, type, facts } = event;
    const known = await noteFacts(database, letters, event, clock.now());
    if (known.repeated || !facts) return notices.of({ fate: facts ? "repeated" : "ignored" }).add();
    await invoices.apply(facts.checkoutId);
    // Before the notice is closed: if the provider is down, the redelivered notice tries again.
    if (facts.kind === "return") await endSubscription(provider, facts);
    await database.write((tx) => closeEvent(tx, eventId, known.outcome));
    letters.wake();
    notices.of({ fate: "applied" }).add();
    const { checkoutId } = facts;
    log.info("a card notice was applied", { eventId, type, checkoutId, outcome: known.outcome });
  };

  const isDue = turns(clock);

  return {
    record,
    async receive(body, signature) {
      const event = await provider()
        .readEvent(body, signature)
        .catch((error) => {
          notices.of({ fate: "refused" }).add();
          throw error;
        });
      await record(event);
    },
    async refresh(checkout, sessionId) {
      const facts = isDue(sessionId) ? await provider().session(sessionId) : null;
      if (facts && facts.checkoutId === checkout.checkoutId) {
        const now = clock.now();
        await database.write((tx) => recordFacts({ letters }, tx, facts, now, now));
      }
      await invoices.apply(checkout.checkoutId);
      letters.wake();
      return (await checkoutOfSession(database.read, sessionId)) ?? checkout;
    },
  };
}

/** A page that reloads, or is loaded by many, asks the provider about one session only so often. */
const ASKED_EVERY_MS = 3_000;
const SESSIONS_MAX = 1_000;

/** Whether a session's turn to be asked about has come. What was asked a moment ago is known, or is on its way. */
function turns(clock: Clock): (sessionId: string) => boolean {
  const askedAt = createLru<string, number>(SESSIONS_MAX);
  return (sessionId) => {
    const now = clock.now();
    if (now - (askedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY) < ASKED_EVERY_MS) return false;
    askedAt.set(sessionId, now);
    return true;
  };
}

function noteFacts(
  database: Database,
  letters: Letters,
  { eventId, type, at, facts }: CardEvent,
  now: number,
): Promise<{ outcome: string; repeated: boolean }> {
  return database.write(async (tx) => {
    const noted = await noteEvent(tx, { eventId, type, at, receivedAt: now });
    if (noted.outcome !== null) return { outcome: noted.outcome, repeated: true };
    const outcome = facts ? await recordFacts({ letters }, tx, facts, at, now) : "not one of ours";
    // Facts that the ledger does not have yet keep the notice open, so that its redelivery applies them.
    if (!facts) await closeEvent(tx, eventId, outcome);
    return { outcome, repeated: false };
  });
}

/** A buyer who got all of a payment back is not billed again. */
async function endSubscription(
  provider: () => CardProvider,
  { whole, subscriptionId }: ReturnFacts,
): Promise<void> {
  if (whole && subscriptionId !== null) await provider().cancel(subscriptionId);
}
