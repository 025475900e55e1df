// The ledger's entries: one for each change of a balance that is not a charge. Entries less charges equal the balance;
// `imbalances` lists the accounts where they don't.

import { insertMany, type Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import type { LedgerEntry } from "./accounts.ts";
import { rolledBelowOf } from "./rollup.ts";

export async function insertEntries(
  tx: Queries,
  accountId: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await insertMany(
    tx,
    "ledger_entry",
    entries.map(({ kind, credits, resolutions, reference, at }) => ({
      accountId,
      kind,
      credits,
      resolutions,
      reference,
      at,
    })),
  );
}

export function findEntry(
  queries: Queries,
  reference: string,
): Promise<(LedgerEntry & { accountId: string }) | null> {
  return queries.one(
    sql`SELECT account_id AS "accountId", kind, credits, resolutions, reference, at
        FROM ledger_entry WHERE reference = ${reference}`,
  );
}

export function entriesOfAccount(queries: Queries, accountId: string, limit: number): Promise<LedgerEntry[]> {
  return queries.all<LedgerEntry>(
    sql`SELECT kind, credits, resolutions, reference, at FROM ledger_entry
        WHERE account_id = ${accountId} ORDER BY at DESC, id DESC LIMIT ${limit}`,
  );
}

export interface Imbalance {
  accountId: string;
  credits: { balance: number; entries: number; charged: number };
  resolutions: { balance: number; entries: number; charged: number };
}

/** Every charge that was not rolled up, from the journal. */
const TAIL: Record<Queries["dialect"], string> = {
  sqlite: `SELECT json_extract(one.value, '$[1]') AS account_id, json_extract(one.value, '$[4]') AS credits,
      json_extract(one.value, '$[5]') AS resolutions
    FROM ledger_state JOIN journal ON position >= rolled_below JOIN json_each(charges) AS one
    WHERE position >= ${rolledBelowOf(raw("json_extract(one.value, '$[1]')")).text}`,
  postgres: `SELECT one ->> 1 AS account_id, CAST(one ->> 4 AS BIGINT) AS credits,
      CAST(one ->> 5 AS BIGINT) AS resolutions
    FROM ledger_state JOIN journal ON position >= rolled_below
      CROSS JOIN LATERAL json_array_elements(CAST(charges AS JSON)) AS one`,
};

/**
 * Accounts whose balance is not their entries less their charges. Reads everything: for tests and `doctor`. SQLite's rows
 * exclude charges not rolled up, so these are subtracted from the balance here, which PostgreSQL does not need.
 */
export async function imbalances(queries: Queries): Promise<Imbalance[]> {
  const taken = raw(queries.dialect === "sqlite" ? "1" : "0");
  const rows = await queries.all<Record<string, number | string>>(
    sql`WITH tail AS (${raw(TAIL[queries.dialect])}),
        sums AS (
          SELECT account_id, 0 AS credits, 0 AS resolutions, SUM(credits) AS used, SUM(resolutions) AS resolved,
            SUM(credits) AS late, SUM(resolutions) AS resolved_late
          FROM tail GROUP BY account_id
          UNION ALL
          SELECT account_id, SUM(credits), SUM(resolutions), 0, 0, 0, 0 FROM ledger_entry GROUP BY account_id
          UNION ALL
          SELECT account_id, 0, 0, SUM(credits), SUM(resolutions), 0, 0 FROM usage_hour GROUP BY account_id
          UNION ALL
          SELECT account_id, 0, 0, SUM(credits), SUM(resolutions), 0, 0 FROM usage_day GROUP BY account_id
        ), books AS (
          SELECT account_id AS id, CAST(SUM(credits) AS BIGINT) AS given_credits,
            CAST(SUM(resolutions) AS BIGINT) AS given_resolutions, CAST(SUM(used) AS BIGINT) AS charged_credits,
            CAST(SUM(resolved) AS BIGINT) AS charged_resolutions, CAST(SUM(late) AS BIGINT) AS late,
            CAST(SUM(resolved_late) AS BIGINT) AS resolved_late
          FROM sums GROUP BY account_id
        ), held AS (
          SELECT balance.account_id AS id,
            monthly_remaining + prepaid_remaining - ${taken} * COALESCE(late, 0) AS balance,
            resolutions_remaining - ${taken} * COALESCE(resolved_late, 0) AS resolutions,
            COALESCE(given_credits, 0) AS given_credits, COALESCE(given_resolutions, 0) AS given_resolutions,
            COALESCE(charged_credits, 0) AS charged_credits,
            COALESCE(charged_resolutions, 0) AS charged_resolutions
          FROM balance LEFT JOIN books ON books.id = balance.account_id
        )
        SELECT * FROM held WHERE balance <> given_credits - charged_credits
          OR resolutions <> given_resolutions - charged_resolutions`,
  );
  return rows.map((row) => ({
    accountId: String(row.id),
    credits: {
      balance: Number(row.balance),
      entries: Number(row.given_credits),
      charged: Number(row.charged_credits),
    },
    resolutions: {
      balance: Number(row.resolutions),
      entries: Number(row.given_resolutions),
      charged: Number(row.charged_resolutions),
    },
  }));
}
