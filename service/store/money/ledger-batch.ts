// A batch of charges in one statement, which on PostgreSQL is one round trip and its own transaction. It charges every
// account whose charges all fit without a look at months or caps, which is nearly always all of them; the others it
// leaves as they are and says so by leaving them out. Run twice, it charges once.

import type { Database } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { type Charge, encode, type JournalRow } from "./journal.ts";

/** An account whose charges were all made: its balance as it was before. */
export interface ChargedBalance {
  accountId: string;
  nextChangeAt: number;
  monthlyRemaining: number;
  prepaidRemaining: number;
  resolutionsRemaining: number;
  version: number;
}

interface ChargedRow extends Omit<ChargedBalance, "accountId"> {
  stored: number;
  accountId: string | null;
}

/**
 * Each request id once, all of one minute. Accounts that are not in the answer were not touched. Null when the batch was
 * there before: what it holds then is what was charged.
 */
export async function chargeFitting(
  db: Database,
  { at, batchId }: Pick<JournalRow, "at" | "batchId">,
  charges: readonly Charge[],
): Promise<ChargedBalance[] | null> {
  const rows = await db.single<ChargedRow>(statementOf({ at, batchId }, charges));
  if (rows[0]?.stored !== 1) return null;
  return rows.flatMap(({ stored: _, accountId, ...row }) =>
    accountId === null ? [] : [{ accountId, ...row }],
  );
}

/**
 * Balances are locked in order of id, as everywhere, and read as they are once locked, whatever the statement's snapshot
 * says; what is journaled depends on that, and what is taken off a balance depends on what was journaled. New balances are
 * worked out from the locked row: the update itself first tries, and checks, the row of the snapshot. The batch's row is
 * written even when nobody fits, so that the same batch, sent again, always meets it.
 */
function statementOf({ at, batchId }: Pick<JournalRow, "at" | "batchId">, charges: readonly Charge[]): Sql {
  const byAccount = new Map<string, Charge[]>();
  for (const charge of charges) {
    const own = byAccount.get(charge.accountId);
    if (own) own.push(charge);
    else byAccount.set(charge.accountId, [charge]);
  }
  const groups = [...byAccount.values()];
  const ids = [...byAccount.keys()].join("\n");
  const sums = (of: (charge: Charge) => number) =>
    groups.map((group) => group.reduce((sum, charge) => sum + of(charge), 0)).join("\n");
  const latest = groups.map((group) => group.reduce((last, one) => Math.max(last, one.at), 0)).join("\n");
  // Without the brackets, so that those of several accounts make one list.
  const encoded = groups.map((group) => encode(group, at).slice(1, -1)).join("\n");
  return sql`WITH wanted AS (
      SELECT * FROM unnest(${lines(ids)}, CAST(${lines(sums((c) => c.credits))} AS BIGINT[]),
        CAST(${lines(sums((c) => c.resolutions))} AS BIGINT[]), CAST(${lines(latest)} AS BIGINT[]),
        ${lines(encoded)}) AS one (account_id, credits, resolutions, latest, charges)
    ), held AS (
      SELECT * FROM balance WHERE account_id = ANY(${lines(ids)}) ORDER BY account_id FOR UPDATE
    ), fitting AS (
      SELECT held.*, wanted.credits AS used, LEAST(held.monthly_remaining, wanted.credits) AS from_monthly,
        wanted.resolutions AS resolved, wanted.charges
      FROM held JOIN wanted ON wanted.account_id = held.account_id
      WHERE wanted.latest < held.next_change_at
        AND wanted.credits <= held.monthly_remaining + held.prepaid_remaining
        AND wanted.resolutions <= held.resolutions_remaining
    ), stored AS (
      INSERT INTO journal (at, batch_id, charges)
      SELECT CAST(${at} AS BIGINT), CAST(${batchId} AS TEXT), '[' || COALESCE(string_agg(charges, ','), '') || ']'
      FROM fitting ON CONFLICT DO NOTHING RETURNING 1
    ), paid AS (
      UPDATE balance SET
        monthly_remaining = fitting.monthly_remaining - fitting.from_monthly,
        prepaid_remaining = fitting.prepaid_remaining - (fitting.used - fitting.from_monthly),
        resolutions_remaining = fitting.resolutions_remaining - fitting.resolved
      FROM fitting WHERE balance.account_id = fitting.account_id AND EXISTS (SELECT 1 FROM stored)
    )
    SELECT done.stored, fitting.account_id AS "accountId", fitting.next_change_at AS "nextChangeAt",
      fitting.monthly_remaining AS "monthlyRemaining", fitting.prepaid_remaining AS "prepaidRemaining",
      fitting.resolutions_remaining AS "resolutionsRemaining", fitting.version
    FROM (SELECT COUNT(*) AS stored FROM stored) AS done LEFT JOIN fitting ON true`;
}

/** A list as one parameter, a line each: one prepared statement for batches of any size, and nothing to escape. */
function lines(text: string): Sql {
  return sql`string_to_array(CAST(${text} AS TEXT), chr(10))`;
}
