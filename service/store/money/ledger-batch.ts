// A batch of charges in one statement, which on PostgreSQL is one round trip and its own transaction. It settles every
// account whose charges all fit without a look at months or caps, which is nearly always all of them; the others it
// leaves as they are and says so by leaving them out. Run twice, it charges once.

import type { Database } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { type Account, accountColumns } from "./accounts.ts";
import type { Charge } from "./ledger.ts";

/** An account whose charges were all settled. */
export interface ChargedAccount {
  /** As it was before. */
  account: Account;
  /** Request ids that had been charged before; these cost nothing more. */
  repeated: string[];
}

interface ChargedRow extends Account {
  stored: number;
  /** Null when all were new, which saves sending them. */
  storedIds: string[] | null;
}

/** Each request id once. Accounts that are not in the answer were not touched. */
export async function chargeFitting(db: Database, charges: readonly Charge[]): Promise<ChargedAccount[]> {
  const byAccount = Map.groupBy(charges, (charge) => charge.accountId);
  const rows = await db.single<ChargedRow>(statementOf(charges, byAccount));
  return rows.map(({ stored, storedIds, ...account }) => {
    const own = byAccount.get(account.id) ?? [];
    const fresh = new Set(storedIds ?? []);
    const isAllNew = stored === own.length;
    return {
      account,
      repeated: isAllNew
        ? []
        : own.map((charge) => charge.requestId).filter((requestId) => !fresh.has(requestId)),
    };
  });
}

/**
 * Rows are locked in order of id, as everywhere, and read as they are once locked, whatever the statement's snapshot
 * says; what is inserted depends on that, and what is taken off a balance depends on what was inserted. New balances are
 * worked out from the locked row: the update itself first tries, and checks, the row of the snapshot. Nobody is used
 * who does not fit, so the full join is a left one, but one that is never done by comparing each with each.
 */
function statementOf(charges: readonly Charge[], byAccount: Map<string, Charge[]>): Sql {
  const ids = [...byAccount.keys()];
  const groups = [...byAccount.values()];
  const total = (of: (charge: Charge) => number) =>
    numbers(groups.map((group) => group.reduce((sum, charge) => sum + of(charge), 0)));
  const latest = numbers(groups.map((group) => Math.max(...group.map((charge) => charge.at))));
  return sql`WITH wanted AS (
      SELECT * FROM unnest(CAST(${texts(ids)} AS TEXT[]), CAST(${total(() => 1)} AS BIGINT[]),
        CAST(${total((c) => c.credits)} AS BIGINT[]), CAST(${total((c) => c.resolutions)} AS BIGINT[]),
        CAST(${latest} AS BIGINT[])) AS one (account_id, charges, credits, resolutions, latest)
    ), held AS (
      SELECT * FROM account WHERE id = ANY(CAST(${texts(ids)} AS TEXT[])) ORDER BY id FOR UPDATE
    ), fitting AS (
      SELECT held.*, wanted.charges FROM held JOIN wanted ON wanted.account_id = held.id
      WHERE wanted.latest < held.next_change_at
        AND wanted.credits <= held.monthly_remaining + held.prepaid_remaining
        AND wanted.resolutions <= held.resolutions_remaining
    ), inserted AS (
      INSERT INTO charge (request_id, account_id, key_id, route_id, credits, resolutions, at)
      SELECT one.* FROM unnest(
          CAST(${texts(charges.map((c) => c.requestId))} AS TEXT[]),
          CAST(${texts(charges.map((c) => c.accountId))} AS TEXT[]),
          CAST(${texts(charges.map((c) => c.keyId))} AS TEXT[]),
          CAST(${texts(charges.map((c) => c.routeId))} AS TEXT[]),
          CAST(${numbers(charges.map((c) => c.credits))} AS BIGINT[]),
          CAST(${numbers(charges.map((c) => c.resolutions))} AS BIGINT[]),
          CAST(${numbers(charges.map((c) => c.at))} AS BIGINT[])
        ) AS one (request_id, account_id, key_id, route_id, credits, resolutions, at)
      WHERE one.account_id IN (SELECT id FROM fitting)
      ON CONFLICT DO NOTHING
      RETURNING request_id, account_id, credits, resolutions
    ), used AS (
      SELECT account_id, COUNT(*) AS stored, CAST(SUM(credits) AS BIGINT) AS credits,
        CAST(SUM(resolutions) AS BIGINT) AS resolutions
      FROM inserted GROUP BY account_id
    ), settled AS (
      SELECT fitting.*, COALESCE(used.stored, 0) AS stored, COALESCE(used.credits, 0) AS used_credits,
        LEAST(fitting.monthly_remaining, COALESCE(used.credits, 0)) AS from_monthly,
        COALESCE(used.resolutions, 0) AS used_resolutions
      FROM fitting FULL JOIN used ON used.account_id = fitting.id
    ), paid AS (
      UPDATE account SET
        monthly_remaining = settled.monthly_remaining - settled.from_monthly,
        prepaid_remaining = settled.prepaid_remaining - (settled.used_credits - settled.from_monthly),
        resolutions_remaining = settled.resolutions_remaining - settled.used_resolutions
      FROM settled WHERE account.id = settled.id AND settled.stored > 0
      RETURNING account.id
    )
    SELECT ${SETTLED}, settled.stored, CASE WHEN settled.stored < settled.charges
        THEN (SELECT array_agg(request_id) FROM inserted WHERE inserted.account_id = settled.id) END AS "storedIds"
    FROM settled`;
}

const SETTLED: Sql = { text: accountColumns("settled"), values: [] };

/** Arrays as PostgreSQL writes them: one parameter and one prepared statement for batches of any size. */
function texts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function numbers(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}
