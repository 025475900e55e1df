// Rolls up everything. On PostgreSQL one rollup leaves out rows that a running transaction could still precede, and the shared
// server of all test files is always running some of another file's.
import type { Database } from "../../database/database.ts";
import { raw } from "../../database/sql.ts";
import { rollUp } from "../../service/store/money/rollup.ts";
import { eventually } from "./eventually.ts";

/** Returns the number of charges. */
export async function rollUpAll(database: Database): Promise<number> {
  let total = 0;
  await eventually(async () => {
    total += (await database.write((tx) => rollUp(tx))).charges;
    const left = await database.read.one(
      raw("SELECT 1 AS one FROM journal, ledger_state WHERE position >= rolled_below LIMIT 1"),
    );
    return left === null;
  }, "every charge was rolled up");
  return total;
}
