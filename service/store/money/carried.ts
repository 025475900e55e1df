// Credits that a plan change carried from a paid month into prepaid ones, so that a refund of that month can find them.
import type { Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";

/** The total carried since a time, and before another if one is given. */
export async function carriedBetween(
  read: Queries,
  accountId: string,
  from: number,
  before: number | null,
): Promise<number> {
  const end = before === null ? raw("") : sql`AND at < ${before}`;
  const row = await read.one<{ credits: number | null }>(
    sql`SELECT CAST(SUM(credits) AS BIGINT) AS credits FROM ledger_entry
        WHERE account_id = ${accountId} AND kind = 'carried' AND at >= ${from} ${end}`,
  );
  return Number(row?.credits ?? 0);
}
