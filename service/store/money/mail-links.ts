// Queued mail, and the single-use links in it. A queued mail survives any restart; a link is identified by its hash,
// works until it expires, and works once.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export interface StoredMail {
  mailId: string;
  kind: string;
  recipient: string;
  /** The template data of its text, as JSON. */
  data: string;
  attempts: number;
  nextTryAt: number;
  createdAt: number;
}

const SELECT_MAIL = `SELECT mail_id AS "mailId", kind, recipient, data, attempts, next_try_at AS "nextTryAt",
  created_at AS "createdAt" FROM mail`;

export async function insertMail(tx: Queries, mail: StoredMail): Promise<void> {
  await tx.run(
    sql`INSERT INTO mail (mail_id, kind, recipient, data, status, attempts, next_try_at, created_at)
        VALUES (${mail.mailId}, ${mail.kind}, ${mail.recipient}, ${mail.data}, 'waiting', ${mail.attempts},
          ${mail.nextTryAt}, ${mail.createdAt})
        ON CONFLICT (mail_id) DO NOTHING`,
  );
}

export function dueMail(queries: Queries, now: number, limit: number): Promise<StoredMail[]> {
  return queries.all<StoredMail>({
    text: `${SELECT_MAIL} WHERE status = 'waiting' AND next_try_at <= ? ORDER BY next_try_at, mail_id LIMIT ?`,
    values: [now, limit],
  });
}

/** Claims a due mail for this process; false when another was quicker. A crashed holder's claim expires. */
export async function claimMail(tx: Queries, mail: StoredMail, until: number): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE mail SET next_try_at = ${until}, attempts = attempts + 1
        WHERE mail_id = ${mail.mailId} AND status = 'waiting' AND next_try_at = ${mail.nextTryAt}`,
  );
  return changed === 1;
}

export async function postponeMail(tx: Queries, mailId: string, until: number): Promise<void> {
  await tx.run(sql`UPDATE mail SET next_try_at = ${until} WHERE mail_id = ${mailId} AND status = 'waiting'`);
}

export async function closeMail(
  tx: Queries,
  mailId: string,
  status: "sent" | "dropped" | "failed",
  at: number,
): Promise<void> {
  await tx.run(sql`UPDATE mail SET status = ${status}, done_at = ${at} WHERE mail_id = ${mailId}`);
}

export async function insertLink(
  tx: Queries,
  link: { tokenHash: string; email: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    sql`INSERT INTO mail_link (token_hash, email, expires_at)
        VALUES (${link.tokenHash}, ${link.email}, ${link.expiresAt})`,
  );
}

/** The owner of this link, if it still works. */
export async function emailOfLink(queries: Queries, tokenHash: string, now: number): Promise<string | null> {
  const row = await queries.one<{ email: string }>(
    sql`SELECT email FROM mail_link
        WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${now}`,
  );
  return row?.email ?? null;
}

/** Redeems a link; false when it was already used or has expired. */
export async function useLink(tx: Queries, tokenHash: string, now: number): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE mail_link SET used_at = ${now}
        WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${now}`,
  );
  return changed === 1;
}

/** Deletes at most `limit` of each that are no longer needed. */
export async function forgetMail(tx: Queries, before: number, limit: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM mail WHERE mail_id IN (SELECT mail_id FROM mail WHERE done_at < ${before} LIMIT ${limit})`,
  );
  await tx.run(
    sql`DELETE FROM mail_link WHERE token_hash IN
        (SELECT token_hash FROM mail_link WHERE expires_at < ${before} LIMIT ${limit})`,
  );
}
