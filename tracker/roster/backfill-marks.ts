// Marks for finished back-fills, per wallet set and chain. A trader who was not watched for a while, entirely or with one
// wallet, has a gap there: the marks are deleted, and the history is read again up to the present.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { derivedUuid } from "../../kit/ids.ts";

/** Includes the wallets: progress for some of a trader's wallets says nothing about another. */
export function backfillName(chain: string, userId: string, wallets: readonly string[]): string {
  return `backfill:${chain}:${userId}:${[...wallets].sort().join(",")}`;
}

/** The cursor for several traders that are read together; a different set of them starts over. */
export function backfillGroupName(chain: string, names: readonly string[]): string {
  return `backfills:${chain}:${derivedUuid(...names.toSorted())}`;
}

/** Once a group is read, its marks replace the cursor. */
export async function forgetGroups(tx: Queries, chain: string): Promise<void> {
  await tx.run(sql`DELETE FROM tracker_cursor WHERE name LIKE ${`backfills:${chain}:%`}`);
}

export async function isBackfilled(queries: Queries, name: string): Promise<boolean> {
  return (await queries.one(sql`SELECT value FROM tracker_meta WHERE name = ${name}`)) !== null;
}

export async function markBackfilled(tx: Queries, name: string, now: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_meta (name, value) VALUES (${name}, ${String(now)}) ON CONFLICT (name) DO NOTHING`,
  );
}

/** Stored data stays; the history is just read once more. */
export async function forgetBackfills(tx: Queries, userId: string): Promise<void> {
  const names = `backfill:%:${userId}:%`;
  await tx.run(sql`DELETE FROM tracker_meta WHERE name LIKE ${names}`);
  await tx.run(sql`DELETE FROM tracker_cursor WHERE name LIKE ${names} OR name LIKE ${"backfills:%"}`);
}
