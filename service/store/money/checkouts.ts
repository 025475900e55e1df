// Stored card checkouts. Information from the provider is only ever added: a known id stays, and a paid checkout never
// goes back to waiting.
import type { Queries } from "../../../database/database.ts";
import { columnsOf, insertRow } from "../../../database/rows.ts";
import { sql } from "../../../database/sql.ts";

export type CheckoutStatus = "open" | "processing" | "paid" | "failed" | "expired" | "returned";
export type SubscriptionState = "active" | "past_due" | "ending" | "ended";

const BLANK = {
  checkoutId: "",
  provider: "",
  /** The provider's id of it; null until the provider has answered. */
  sessionId: null as string | null,
  plan: "",
  email: null as string | null,
  status: "open" as CheckoutStatus,
  accountId: null as string | null,
  /** 1 when the buyer gave the key of an existing account; then no key is created. */
  ownAccount: 0,
  customerId: null as string | null,
  subscriptionId: null as string | null,
  subscriptionState: null as SubscriptionState | null,
  /** When the subscription last changed, by the provider's clock: older notices of it change nothing. */
  subscriptionAt: 0,
  /** The plan of the next full invoice, if it differs. */
  nextPlan: null as string | null,
  /** When an ended subscription's plan ends. */
  endsAt: null as number | null,
  keyId: null as string | null,
  keyClaimedAt: null as number | null,
  keyShownAt: null as number | null,
  createdAt: 0,
  paidAt: null as number | null,
};

export type StoredCheckout = typeof BLANK;

const COLUMNS = columnsOf(BLANK, "card_checkout");

const SELECT = `SELECT ${COLUMNS.selected} FROM card_checkout`;

/** Columns changed by notices; who asked and when is written once, and the key has its own statements. */
const LEARNED = [
  "plan",
  "sessionId",
  "email",
  "status",
  "accountId",
  "customerId",
  "subscriptionId",
  "subscriptionState",
  "subscriptionAt",
  "nextPlan",
  "endsAt",
  "paidAt",
] as const satisfies readonly (keyof StoredCheckout)[];

export const insertCheckout = (tx: Queries, checkout: StoredCheckout): Promise<void> =>
  insertRow(tx, "card_checkout", COLUMNS, checkout);

export function findCheckout(queries: Queries, checkoutId: string): Promise<StoredCheckout | null> {
  return queries.one<StoredCheckout>({ text: `${SELECT} WHERE checkout_id = ?`, values: [checkoutId] });
}

export function checkoutOfSession(queries: Queries, sessionId: string): Promise<StoredCheckout | null> {
  return queries.one<StoredCheckout>({ text: `${SELECT} WHERE session_id = ?`, values: [sessionId] });
}

/** Reads a checkout and locks it until the transaction ends. */
export function lockCheckout(tx: Queries, checkoutId: string): Promise<StoredCheckout | null> {
  const lock = tx.dialect === "postgres" ? " FOR UPDATE" : "";
  return tx.one<StoredCheckout>({ text: `${SELECT} WHERE checkout_id = ?${lock}`, values: [checkoutId] });
}

/** Writes a checkout that this transaction has locked. */
export async function updateCheckout(tx: Queries, checkout: StoredCheckout): Promise<void> {
  const columns = COLUMNS.pairs.filter(([, property]) => LEARNED.some((learned) => learned === property));
  await tx.run({
    text: `UPDATE card_checkout SET ${columns.map(([column]) => `${column} = ?`).join(", ")} WHERE checkout_id = ?`,
    values: [...columns.map(([, property]) => checkout[property]), checkout.checkoutId],
  });
}

/** An account's checkouts whose card is still charged, oldest first. */
export async function renewingCheckouts(queries: Queries, accountId: string): Promise<StoredCheckout[]> {
  const found = await queries.all<StoredCheckout>({
    text: `${SELECT} WHERE account_id = ? AND subscription_id IS NOT NULL
           AND (subscription_state IS NULL OR subscription_state <> 'ended')`,
    values: [accountId],
  });
  return found.sort((a, b) => a.createdAt - b.createdAt || (a.checkoutId < b.checkoutId ? -1 : 1));
}

export function dueEndings(queries: Queries, now: number, limit: number): Promise<StoredCheckout[]> {
  return queries.all<StoredCheckout>({
    text: `${SELECT} WHERE ends_at IS NOT NULL AND ends_at <= ? ORDER BY ends_at, checkout_id LIMIT ?`,
    values: [now, limit],
  });
}

export async function scheduleEnding(tx: Queries, checkoutId: string, endsAt: number | null): Promise<void> {
  await tx.run(sql`UPDATE card_checkout SET ends_at = ${endsAt} WHERE checkout_id = ${checkoutId}`);
}

/** Claims the right to create and show the key; an unfinished claim expires. False when another has it. */
export async function claimKey(tx: Queries, checkoutId: string, at: number, stale: number): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE card_checkout SET key_claimed_at = ${at}
        WHERE checkout_id = ${checkoutId} AND status = 'paid' AND own_account = 0 AND key_id IS NULL
          AND (key_claimed_at IS NULL OR key_claimed_at <= ${stale})`,
  );
  return changed === 1;
}

/** Returns whether the claim was still valid; if not, the key must not be shown. */
export async function recordKey(
  tx: Queries,
  claim: { checkoutId: string; claimedAt: number; keyId: string; at: number },
): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE card_checkout SET key_id = ${claim.keyId}, key_shown_at = ${claim.at}
        WHERE checkout_id = ${claim.checkoutId} AND key_id IS NULL AND key_claimed_at = ${claim.claimedAt}`,
  );
  return changed === 1;
}
