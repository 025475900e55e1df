// Stored stablecoin payments. A transfer's row is written in the same transaction as what it buys, and a unique index
// keeps one signature from paying twice. Nothing here is ever deleted: money leaves a trace.
import type { Queries } from "../../../database/database.ts";
import { columnsOf, insertRow } from "../../../database/rows.ts";
import { list, sql } from "../../../database/sql.ts";

const BLANK = {
  paymentId: "",
  accountId: "",
  plan: "",
  credits: 0,
  amountAtomic: "",
  symbol: "",
  mint: "",
  decimals: 0,
  network: "",
  recipient: "",
  reference: "",
  memo: "",
  /** 1 on the built-in test chain. */
  test: 0,
  status: "",
  paidAtomic: "",
  /** The part of it that was on chain before the payment expired. */
  paidInTimeAtomic: "",
  /** The part of it that was converted to prepaid credits. */
  convertedAtomic: "",
  planGranted: 0,
  /** The latest transaction that paid. */
  signature: null as string | null,
  creditedAt: null as number | null,
  createdAt: 0,
  expiresAt: 0,
  /** Null once it is no longer checked for transfers. */
  nextCheckAt: null as number | null,
  failures: 0,
};

export type StoredPayment = typeof BLANK;

const COLUMNS = columnsOf(BLANK, "payment");

const SELECT = `SELECT ${COLUMNS.selected} FROM payment`;

/** Newest first. */
export function paymentsOfAccount(
  queries: Queries,
  accountId: string,
  limit: number,
): Promise<StoredPayment[]> {
  return queries.all<StoredPayment>({
    text: `${SELECT} WHERE account_id = ? ORDER BY created_at DESC, payment_id LIMIT ?`,
    values: [accountId, limit],
  });
}

export const insertPayment = (tx: Queries, payment: StoredPayment): Promise<void> =>
  insertRow(tx, "payment", COLUMNS, payment);

export function findPayment(queries: Queries, paymentId: string): Promise<StoredPayment | null> {
  return queries.one<StoredPayment>({ text: `${SELECT} WHERE payment_id = ?`, values: [paymentId] });
}

/** Reads a payment and locks it until the transaction ends. */
export async function lockPayment(tx: Queries, paymentId: string): Promise<StoredPayment | null> {
  const lock = tx.dialect === "postgres" ? " FOR UPDATE" : "";
  return tx.one<StoredPayment>({ text: `${SELECT} WHERE payment_id = ?${lock}`, values: [paymentId] });
}

export function paymentsOfReferences(
  queries: Queries,
  references: readonly string[],
): Promise<StoredPayment[]> {
  const inList = list(references);
  return queries.all<StoredPayment>({
    text: `${SELECT} WHERE reference IN (${inList.text}) ORDER BY created_at, payment_id`,
    values: inList.values,
  });
}

/** When each unpaid, unexpired payment of an account expires, soonest first. */
export async function openPayments(queries: Queries, accountId: string, now: number): Promise<number[]> {
  const rows = await queries.all<{ expiresAt: number }>(
    sql`SELECT expires_at AS "expiresAt" FROM payment
        WHERE account_id = ${accountId} AND status = 'awaiting_payment' AND expires_at > ${now}
        ORDER BY expires_at`,
  );
  return rows.map((row) => row.expiresAt);
}

/** Writes the columns that settling changes: the rest of a payment is written once. */
export async function updateSettlement(tx: Queries, payment: StoredPayment): Promise<void> {
  await tx.run(
    sql`UPDATE payment SET status = ${payment.status}, paid_atomic = ${payment.paidAtomic},
          paid_in_time_atomic = ${payment.paidInTimeAtomic}, converted_atomic = ${payment.convertedAtomic},
          plan_granted = ${payment.planGranted}, signature = ${payment.signature},
          credited_at = ${payment.creditedAt}
        WHERE payment_id = ${payment.paymentId}`,
  );
}

export function duePayments(
  queries: Queries,
  test: boolean,
  now: number,
  limit: number,
): Promise<StoredPayment[]> {
  return queries.all<StoredPayment>({
    text: `${SELECT} WHERE test = ? AND next_check_at IS NOT NULL AND next_check_at <= ?
           ORDER BY next_check_at, payment_id LIMIT ?`,
    values: [test ? 1 : 0, now, limit],
  });
}

/** The recipients and coins at which payments of this kind are still expected, each pair once. */
export function watchedAccounts(
  queries: Queries,
  test: boolean,
): Promise<{ recipient: string; mint: string; decimals: number; since: number }[]> {
  return queries.all(
    sql`SELECT recipient, mint, decimals, MIN(created_at) AS since FROM payment
        WHERE test = ${test ? 1 : 0} AND next_check_at IS NOT NULL
        GROUP BY recipient, mint, decimals ORDER BY recipient, mint`,
  );
}

/** Claims a due payment for this process; false when another was quicker. A crashed holder's claim expires. */
export async function claimCheck(tx: Queries, payment: StoredPayment, until: number): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE payment SET next_check_at = ${until}
        WHERE payment_id = ${payment.paymentId} AND next_check_at = ${payment.nextCheckAt}`,
  );
  return changed === 1;
}

export async function scheduleCheck(
  tx: Queries,
  paymentId: string,
  nextCheckAt: number | null,
  failures: number,
): Promise<void> {
  await tx.run(
    sql`UPDATE payment SET next_check_at = ${nextCheckAt}, failures = ${failures}
        WHERE payment_id = ${paymentId}`,
  );
}
