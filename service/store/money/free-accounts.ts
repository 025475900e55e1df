// Which mailbox has a free account, and how often a form was used. Both are exact on any number of nodes, because the
// database decides them in one statement.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** Claims the mailbox for an account; false when it already has one. */
export async function takeMailbox(
  tx: Queries,
  mailbox: string,
  accountId: string,
  at: number,
): Promise<boolean> {
  const changed = await tx.run(
    sql`INSERT INTO free_account (mailbox, account_id, created_at) VALUES (${mailbox}, ${accountId}, ${at})
        ON CONFLICT (mailbox) DO NOTHING`,
  );
  return changed === 1;
}

export async function accountOfMailbox(queries: Queries, mailbox: string): Promise<string | null> {
  const row = await queries.one<{ accountId: string }>(
    sql`SELECT account_id AS "accountId" FROM free_account WHERE mailbox = ${mailbox}`,
  );
  return row?.accountId ?? null;
}

export interface FormLimit {
  uses: number;
  windowMs: number;
}

/** Counts one use. Returns null within the limit, otherwise when the window ends. */
export async function takeUse(
  tx: Queries,
  subject: string,
  { uses, windowMs }: FormLimit,
  now: number,
): Promise<number | null> {
  const over = now - windowMs;
  const changed = await tx.run(
    sql`INSERT INTO form_use (subject, window_start, used) VALUES (${subject}, ${now}, 1)
        ON CONFLICT (subject) DO UPDATE SET
          used = CASE WHEN form_use.window_start <= ${over} THEN 1 ELSE form_use.used + 1 END,
          window_start = CASE WHEN form_use.window_start <= ${over} THEN excluded.window_start
            ELSE form_use.window_start END
        WHERE form_use.window_start <= ${over} OR form_use.used < ${uses}`,
  );
  if (changed === 1) return null;
  const row = await tx.one<{ windowStart: number }>(
    sql`SELECT window_start AS "windowStart" FROM form_use WHERE subject = ${subject}`,
  );
  return (row?.windowStart ?? now) + windowMs;
}

/** Deletes at most `limit` windows that began before a time at which every window was over. */
export async function forgetUses(tx: Queries, before: number, limit: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM form_use WHERE subject IN
        (SELECT subject FROM form_use WHERE window_start < ${before} LIMIT ${limit})`,
  );
}
