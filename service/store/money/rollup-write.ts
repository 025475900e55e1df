// The rows of a rollup: usage by hour and, on SQLite, the balances. The caller owns the transaction and the position in
// ledger_state.
import { insertMany, type Queries } from "../../../database/database.ts";
import type { AccountSum } from "./sums.ts";

/** Statements per turn of the event loop: a few milliseconds of the thread. */
const STATEMENTS_PER_TURN_MAX = 500;

export async function writeSums(tx: Queries, accounts: readonly AccountSum[]): Promise<void> {
  await writeHours(tx, accounts);
  if (tx.dialect === "sqlite") await writeBalances(tx, accounts);
}

const ADD_TO_HOUR = `ON CONFLICT (hour, account_id, key_id, route_id) DO UPDATE SET
  calls = usage_hour.calls + excluded.calls, credits = usage_hour.credits + excluded.credits,
  resolutions = usage_hour.resolutions + excluded.resolutions,
  last_at = CASE WHEN excluded.last_at > usage_hour.last_at THEN excluded.last_at ELSE usage_hour.last_at END`;

async function writeHours(tx: Queries, accounts: readonly AccountSum[]): Promise<void> {
  const rows = accounts.flatMap(({ accountId, hours }) =>
    hours.map(({ hour, keyId, routeId, calls, credits, resolutions, lastAt }) => ({
      hour,
      accountId,
      keyId,
      routeId,
      calls,
      credits,
      resolutions,
      lastAt,
    })),
  );
  for (let start = 0; start < rows.length; start += STATEMENTS_PER_TURN_MAX) {
    const some = rows.slice(start, start + STATEMENTS_PER_TURN_MAX);
    await insertMany(tx, "usage_hour", some, ADD_TO_HOUR);
    if (start + STATEMENTS_PER_TURN_MAX < rows.length) await turn();
  }
}

const TAKE_OFF = `UPDATE balance SET monthly_remaining = monthly_remaining - MIN(monthly_remaining, ?),
  prepaid_remaining = prepaid_remaining - MAX(0, ? - monthly_remaining),
  resolutions_remaining = resolutions_remaining - ? WHERE account_id = ?`;

async function writeBalances(tx: Queries, accounts: readonly AccountSum[]): Promise<void> {
  for (let start = 0; start < accounts.length; start += STATEMENTS_PER_TURN_MAX) {
    // Together: awaiting each one separately takes longer than the statements.
    await Promise.all(
      accounts
        .slice(start, start + STATEMENTS_PER_TURN_MAX)
        .map(({ accountId, credits, resolutions }) =>
          tx.run({ text: TAKE_OFF, values: [credits, credits, resolutions, accountId] }),
        ),
    );
    if (start + STATEMENTS_PER_TURN_MAX < accounts.length) await turn();
  }
}

/** Not the kit's: the transaction is open, and must not queue behind others' turns. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
