// Stored answers for a repeated Idempotency-Key. The first request holds the row while it runs; the hold of a process
// that died expires, so a key is never stuck.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export interface KeptAnswer {
  bodyHash: string;
  holder: string;
  heldUntil: number;
  /** Null while the holder is still working. */
  status: number | null;
  answer: string | null;
  expiresAt: number;
}

export interface Hold {
  id: string;
  bodyHash: string;
  holder: string;
  heldUntil: number;
  expiresAt: number;
}

/** Takes the row if it is free, expired, or left by a dead holder; null means that it is now ours. */
export async function holdAnswer(tx: Queries, hold: Hold, at: number): Promise<KeptAnswer | null> {
  const taken = await tx.run(
    sql`INSERT INTO idempotent_answer (id, body_hash, holder, held_until, status, answer, expires_at)
        VALUES (${hold.id}, ${hold.bodyHash}, ${hold.holder}, ${hold.heldUntil}, NULL, NULL, ${hold.expiresAt})
        ON CONFLICT (id) DO UPDATE SET body_hash = excluded.body_hash, holder = excluded.holder,
          held_until = excluded.held_until, status = NULL, answer = NULL, expires_at = excluded.expires_at
        WHERE idempotent_answer.expires_at <= ${at}
          OR (idempotent_answer.status IS NULL AND idempotent_answer.held_until <= ${at}
            AND idempotent_answer.body_hash = excluded.body_hash)`,
  );
  return taken > 0 ? null : findAnswer(tx, hold.id);
}

function findAnswer(queries: Queries, id: string): Promise<KeptAnswer | null> {
  return queries.one<KeptAnswer>(
    sql`SELECT body_hash AS "bodyHash", holder, held_until AS "heldUntil", status, answer, expires_at AS "expiresAt"
        FROM idempotent_answer WHERE id = ${id}`,
  );
}

export function keepAnswer(
  tx: Queries,
  hold: { id: string; holder: string },
  result: { status: number; answer: string },
): Promise<number> {
  return tx.run(
    sql`UPDATE idempotent_answer SET status = ${result.status}, answer = ${result.answer}
        WHERE id = ${hold.id} AND holder = ${hold.holder} AND status IS NULL`,
  );
}

/** Releases the row without an answer, so that a repeated request tries again. */
export function dropHold(tx: Queries, hold: { id: string; holder: string }): Promise<number> {
  return tx.run(
    sql`DELETE FROM idempotent_answer WHERE id = ${hold.id} AND holder = ${hold.holder} AND status IS NULL`,
  );
}

/** Deletes at most `limit` expired answers. Returns how many. */
export function deleteExpiredAnswers(tx: Queries, at: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM idempotent_answer WHERE id IN
        (SELECT id FROM idempotent_answer WHERE expires_at <= ${at} LIMIT ${limit})`,
  );
}
