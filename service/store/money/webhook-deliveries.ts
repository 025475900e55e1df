// The log of deliveries: every attempt with its status and duration, kept for a while and then forgotten in small steps.
import { insertMany, type Queries } from "../../../database/database.ts";
import { beyond, type Keyset, type KeysetPage, orderAndLimit, pageOf } from "../../../database/keyset.ts";
import { list, sql, where } from "../../../database/sql.ts";

export interface StoredDelivery {
  deliveryId: string;
  webhookId: string;
  at: number;
  kind: "events" | "test";
  messageId: string;
  attempt: number;
  events: number;
  fromSeq: number | null;
  toSeq: number | null;
  outcome: string;
  status: number | null;
  durationMs: number;
  note: string | null;
}

export async function insertDeliveries(tx: Queries, deliveries: readonly StoredDelivery[]): Promise<void> {
  await insertMany(tx, "webhook_delivery", deliveries, "ON CONFLICT DO NOTHING");
}

const ORDER = { column: "at", idColumn: "delivery_id", direction: "DESC" } as const;

/** Newest first. */
export async function deliveriesOf(
  queries: Queries,
  webhookId: string,
  limit: number,
  cursor: Keyset | null,
): Promise<KeysetPage<StoredDelivery>> {
  const rows = await queries.all<StoredDelivery>(
    sql`SELECT delivery_id AS "deliveryId", webhook_id AS "webhookId", at, kind, message_id AS "messageId", attempt,
          events, from_seq AS "fromSeq", to_seq AS "toSeq", outcome, status, duration_ms AS "durationMs", note
        FROM webhook_delivery ${where([sql`webhook_id = ${webhookId}`, ...beyond(ORDER, cursor)])}
        ${orderAndLimit(ORDER, limit)}`,
  );
  return pageOf(
    rows,
    limit,
    ({ at, deliveryId }) => ({ value: at, id: deliveryId }),
    (row) => row,
  );
}

/** Deletes up to `limit` deliveries from before a time. Returns how many. */
export function forgetDeliveries(tx: Queries, before: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM webhook_delivery WHERE delivery_id IN
        (SELECT delivery_id FROM webhook_delivery WHERE at < ${before} ORDER BY at LIMIT ${limit})`,
  );
}

/** Which of these are stored, by their ids. */
export async function storedDeliveries(
  queries: Queries,
  deliveries: readonly Pick<StoredDelivery, "deliveryId">[],
): Promise<Set<string>> {
  const rows = await queries.all<{ id: string }>(
    sql`SELECT delivery_id AS id FROM webhook_delivery
        WHERE delivery_id IN (${list(deliveries.map(({ deliveryId }) => deliveryId))})`,
  );
  return new Set(rows.map(({ id }) => id));
}
