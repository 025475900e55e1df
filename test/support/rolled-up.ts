// Rolls up all there is. On PostgreSQL one rollup leaves what a running transaction could still precede, and the server that
// all test files share always runs some of another file's.
import type { Database } from "../../database/database.ts";
import { raw } from "../../database/sql.ts";
import { rollUp } from "../../service/store/money/rollup.ts";
import { eventually } from "./eventually.ts";

/** Says how many charges that were. */
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
