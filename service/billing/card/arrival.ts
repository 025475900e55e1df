// The buyer returns from paying: what the page shows then, and the key it bought, which is created and shown once.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Keys } from "../../access/identity/keys.ts";
import { claimKey, recordKey, type StoredCheckout } from "../../store/money/checkouts.ts";
import type { InvoiceApplier } from "./invoices.ts";
import type { Notices } from "./notices.ts";
import type { PaidPlan } from "./provider.ts";

/** What the page after the payment shows. */
export type Arrival =
  | { state: "key"; secret: string; plan: PaidPlan; email: string | null; test: boolean }
  | { state: "shown"; plan: PaidPlan; shownAt: number }
  | { state: "added"; plan: PaidPlan }
  | { state: "open" | "processing" | "failed" | "expired" | "returned" | "busy"; plan: PaidPlan };

export interface ArrivalParts {
  database: Database;
  keys: Pick<Keys, "create" | "revoke">;
  invoices: Pick<InvoiceApplier, "apply">;
  notices: Pick<Notices, "refresh">;
  /** Whether the keys sold are for trying out. */
  test(): boolean;
  clock: Clock;
}

/** Longer than creating a key takes; after it a claim counts as abandoned by a dead process. */
const CLAIM_MS = 30_000;

export async function arrive(
  parts: ArrivalParts,
  found: StoredCheckout,
  sessionId: string,
  look: boolean,
): Promise<Arrival> {
  const undecided = found.status === "open" || found.status === "processing";
  const checkout = undecided ? await parts.notices.refresh(found, sessionId) : found;
  const plan = checkout.plan as PaidPlan;
  if (checkout.status !== "paid") return { state: checkout.status, plan };
  if (checkout.ownAccount === 1) return { state: "added", plan };
  if (checkout.keyShownAt !== null) return { state: "shown", plan, shownAt: checkout.keyShownAt };
  if (look) return { state: "busy", plan };
  // A notice may have recorded the payment a moment ago and be on its way to the ledger.
  await parts.invoices.apply(checkout.checkoutId);
  return showKey(parts, checkout);
}

async function showKey(parts: ArrivalParts, checkout: StoredCheckout): Promise<Arrival> {
  const { database, keys, clock } = parts;
  const plan = checkout.plan as PaidPlan;
  const { checkoutId, accountId } = checkout;
  const claimedAt = clock.now();
  const claimed = await database.write((tx) => claimKey(tx, checkoutId, claimedAt, claimedAt - CLAIM_MS));
  if (!claimed || accountId === null) return { state: "busy", plan };
  const test = parts.test();
  const made = await keys.create({ accountId, name: "checkout", mode: test ? "test" : "live" });
  const keyId = made.key.id;
  if (!(await database.write((tx) => recordKey(tx, { checkoutId, claimedAt, keyId, at: clock.now() })))) {
    await keys.revoke({ accountId, keyId });
    return { state: "busy", plan };
  }
  return { state: "key", secret: made.secret, plan, email: checkout.email, test };
}
