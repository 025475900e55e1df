// Stored charges, for tests that compare answers with them.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { type Charge, chargesOfAccount } from "../../service/store/money/journal.ts";

/** All charges of an account that were not reversed, oldest first. */
export async function allCharges(queries: Queries, accountId: string): Promise<Charge[]> {
  const always = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const stored = await chargesOfAccount(queries, accountId, always, Number.POSITIVE_INFINITY);
  const given = await queries.all<{ reference: string }>(
    sql`SELECT reference FROM ledger_entry WHERE account_id = ${accountId} AND kind = 'reversal'`,
  );
  const reversed = new Set(given.map(({ reference }) => reference.replace("reversal:", "")));
  return stored.filter(({ requestId }) => !reversed.has(requestId));
}
