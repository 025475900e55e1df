// Invoices and notices of card payments. A returned invoice never becomes paid again, and a paid one never refused, in
// whatever order the notices arrive.
import { excluded, type Queries } from "../../../database/database.ts";
import { columnsOf, insertRow } from "../../../database/rows.ts";
import { sql } from "../../../database/sql.ts";

const BLANK = {
  invoiceId: "",
  checkoutId: "",
  /** A month of the plan, or a part of a month's price that became prepaid credits. */
  kind: "month" as "month" | "prepaid",
  /** 1 for the invoice paid by the checkout itself. */
  first: 0,
  plan: "",
  credits: 0,
  amountCents: 0,
  state: "paid" as "paid" | "failed" | "refunded" | "disputed",
  /** 1 once the ledger has its credits. */
  granted: 0,
  /** 1 once the ledger has reversed it. */
  returned: 0,
  /** Months paid by other means, which its return must leave. */
  keptMonths: null as number | null,
  /** Prepaid credits that its return took. */
  taken: 0,
  /** Whether a dispute of it was won: 0 no, 1 yes but not yet restored, 2 yes and done. */
  won: 0,
  /** When the first notice of it arrived. */
  at: 0,
  paidAt: null as number | null,
};

export type StoredInvoice = typeof BLANK;

const COLUMNS = columnsOf(BLANK, "card_invoice");

const SELECT = `SELECT ${COLUMNS.selected} FROM card_invoice`;
/** Spelled exactly as in the partial index, so that both databases use it. */
const UNSETTLED = `((state = 'paid' AND granted = 0) OR (state IN ('refunded', 'disputed') AND granted = 1 AND returned = 0) OR won = 1)`;

/** Writes the complete current invoice. The caller has locked its checkout. */
export const putInvoice = (tx: Queries, invoice: StoredInvoice): Promise<void> =>
  insertRow(
    tx,
    "card_invoice",
    COLUMNS,
    invoice,
    (columns) => `ON CONFLICT (invoice_id) DO UPDATE SET ${excluded(columns)}`,
  );

export function findInvoice(queries: Queries, invoiceId: string): Promise<StoredInvoice | null> {
  return queries.one<StoredInvoice>({ text: `${SELECT} WHERE invoice_id = ?`, values: [invoiceId] });
}

export function invoicesOfCheckout(queries: Queries, checkoutId: string): Promise<StoredInvoice[]> {
  return queries.all<StoredInvoice>({
    text: `${SELECT} WHERE checkout_id = ? ORDER BY at, invoice_id`,
    values: [checkoutId],
  });
}

/** Invoices not fully applied to the ledger, oldest first. */
export function unsettledInvoices(queries: Queries, before: number, limit: number): Promise<StoredInvoice[]> {
  return queries.all<StoredInvoice>({
    text: `${SELECT} WHERE ${UNSETTLED} AND at <= ? ORDER BY at, invoice_id LIMIT ?`,
    values: [before, limit],
  });
}

export async function nextUnsettled(queries: Queries, checkoutId: string): Promise<StoredInvoice | null> {
  return queries.one<StoredInvoice>({
    text: `${SELECT} WHERE checkout_id = ? AND ${UNSETTLED} ORDER BY at, invoice_id LIMIT 1`,
    values: [checkoutId],
  });
}

/** The last month of a checkout that was paid and granted. */
export function newestMonth(queries: Queries, checkoutId: string): Promise<StoredInvoice | null> {
  return queries.one<StoredInvoice>({
    text: `${SELECT} WHERE checkout_id = ? AND kind = 'month' AND granted = 1
           ORDER BY paid_at DESC, at DESC, invoice_id DESC LIMIT 1`,
    values: [checkoutId],
  });
}

export async function markGranted(tx: Queries, invoiceId: string): Promise<void> {
  await tx.run(sql`UPDATE card_invoice SET granted = 1 WHERE invoice_id = ${invoiceId}`);
}

export async function markReturned(tx: Queries, invoiceId: string, taken: number): Promise<void> {
  await tx.run(
    sql`UPDATE card_invoice SET returned = 1, taken = taken + ${taken} WHERE invoice_id = ${invoiceId} AND returned = 0`,
  );
}

/** The money stayed after all: the invoice is paid, and what the return took has been restored. */
export async function markRestored(tx: Queries, invoiceId: string): Promise<void> {
  await tx.run(
    sql`UPDATE card_invoice SET state = 'paid', returned = 0, taken = 0, kept_months = NULL, won = 2
        WHERE invoice_id = ${invoiceId}`,
  );
}

/** When the next month was paid by the same card; null if it was not. */
export async function nextMonthPaidAt(queries: Queries, invoice: StoredInvoice): Promise<number | null> {
  const row = await queries.one<{ at: number }>(
    sql`SELECT paid_at AS at FROM card_invoice WHERE checkout_id = ${invoice.checkoutId} AND kind = 'month'
        AND granted = 1 AND paid_at > ${invoice.paidAt ?? invoice.at} ORDER BY paid_at LIMIT 1`,
  );
  return row?.at ?? null;
}

/** The first value stays: it dates from before anything was taken back. */
export async function keepMonths(tx: Queries, invoiceId: string, months: number): Promise<number> {
  await tx.run(
    sql`UPDATE card_invoice SET kept_months = ${months} WHERE invoice_id = ${invoiceId} AND kept_months IS NULL`,
  );
  return (await findInvoice(tx, invoiceId))?.keptMonths ?? months;
}

export interface StoredEvent {
  eventId: string;
  type: string;
  /** By the provider's clock. */
  at: number;
  receivedAt: number;
  /** Null until it is settled. */
  outcome: string | null;
}

/** Records a notice and returns its stored row, so that a settled one is not processed again. */
export async function noteEvent(tx: Queries, event: Omit<StoredEvent, "outcome">): Promise<StoredEvent> {
  await tx.run(
    sql`INSERT INTO card_event (event_id, type, at, received_at)
        VALUES (${event.eventId}, ${event.type}, ${event.at}, ${event.receivedAt})
        ON CONFLICT (event_id) DO NOTHING`,
  );
  return (await findEvent(tx, event.eventId)) ?? { ...event, outcome: null };
}

export function findEvent(queries: Queries, eventId: string): Promise<StoredEvent | null> {
  return queries.one<StoredEvent>(
    sql`SELECT event_id AS "eventId", type, at, received_at AS "receivedAt", outcome
        FROM card_event WHERE event_id = ${eventId}`,
  );
}

export async function closeEvent(tx: Queries, eventId: string, outcome: string): Promise<void> {
  await tx.run(
    sql`UPDATE card_event SET outcome = ${outcome} WHERE event_id = ${eventId} AND outcome IS NULL`,
  );
}
