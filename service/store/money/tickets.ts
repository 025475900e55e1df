// Stream tickets, identified by their SHA-256. Deleting a ticket's row redeems it, so it is redeemed once.
import { countOf, type Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export async function insertTicket(
  tx: Queries,
  ticket: { hash: string; keyId: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    sql`INSERT INTO stream_ticket (ticket_hash, key_id, expires_at)
        VALUES (${ticket.hash}, ${ticket.keyId}, ${ticket.expiresAt})`,
  );
}

export function countTickets(queries: Queries, keyId: string, at: number): Promise<number> {
  return countOf(queries, sql`FROM stream_ticket WHERE key_id = ${keyId} AND expires_at > ${at}`);
}

/** The key a ticket stands for, without using it; null when it is unknown, already used or expired. */
export async function findTicket(queries: Queries, hash: string, at: number): Promise<string | null> {
  const row = await queries.one<{ keyId: string }>(
    sql`SELECT key_id AS "keyId" FROM stream_ticket WHERE ticket_hash = ${hash} AND expires_at > ${at}`,
  );
  return row?.keyId ?? null;
}

/** The key a ticket stands for, once; null when it is unknown, already used or expired. */
export async function redeemTicket(tx: Queries, hash: string, at: number): Promise<string | null> {
  const row = await tx.one<{ keyId: string; expiresAt: number }>(
    sql`DELETE FROM stream_ticket WHERE ticket_hash = ${hash}
        RETURNING key_id AS "keyId", expires_at AS "expiresAt"`,
  );
  return row && row.expiresAt > at ? row.keyId : null;
}

export function deleteExpiredTickets(tx: Queries, at: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM stream_ticket WHERE ticket_hash IN
        (SELECT ticket_hash FROM stream_ticket WHERE expires_at <= ${at} LIMIT ${limit})`,
  );
}
