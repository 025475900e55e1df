// Usage: what an account's requests cost, by day, route or key. Charges answer for the recent past and, once they
// are older than their history, a row a day stands for them; the sums are the same before and after.
import type { Database, Queries } from "../../../database/database.ts";
import { dropMonth } from "../../../database/partitions.ts";
import { raw, type Sql, sql } from "../../../database/sql.ts";
import { CHARGE } from "./months.ts";

export type UsageGroup = "day" | "route" | "key";

export interface UsageRow {
  /** The day's start (epoch milliseconds, as text), the route's id, or the key's id. */
  group: string;
  calls: number;
  credits: number;
  resolutions: number;
}

const DAY_MS = 86_400_000;
const DAY_OF_CHARGE = `(at - at % ${DAY_MS})`;
const GROUPS: Record<UsageGroup, { charge: string; day: string }> = {
  day: { charge: `CAST(${DAY_OF_CHARGE} AS TEXT)`, day: "CAST(day AS TEXT)" },
  route: { charge: "route_id", day: "route_id" },
  key: { charge: "key_id", day: "key_id" },
};

/** From a time (inclusive) to a time (exclusive); where only days are left, whole days. */
export async function usageOf(
  queries: Queries,
  accountId: string,
  range: { from: number; to: number },
  groupBy: UsageGroup,
): Promise<UsageRow[]> {
  const group = GROUPS[groupBy];
  return queries.all<UsageRow>(
    sql`SELECT name AS "group", CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(credits) AS BIGINT) AS credits,
          CAST(SUM(resolutions) AS BIGINT) AS resolutions
        FROM (
          SELECT ${raw(group.charge)} AS name, 1 AS calls, credits, resolutions FROM charge
            WHERE account_id = ${accountId} AND at >= ${range.from} AND at < ${range.to}
          UNION ALL
          SELECT ${raw(group.day)} AS name, calls, credits, resolutions FROM usage_day
            WHERE account_id = ${accountId} AND day >= ${range.from - (range.from % DAY_MS)} AND day < ${range.to}
        ) AS used GROUP BY name ORDER BY name`,
  );
}

/** The next accounts in order of id, for walks over all of them. */
export async function accountIdsAfter(queries: Queries, after: string, limit: number): Promise<string[]> {
  const rows = await queries.all<{ id: string }>(
    sql`SELECT id FROM account WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
  );
  return rows.map((row) => row.id);
}

/**
 * Replaces the oldest month of charges that ended before a time by its days' sums. Says how many charges; null when
 * there is no such month, as always on SQLite, where charges are in one table and `rollUpCharges` is for them.
 */
export function rollUpMonth(db: Database, before: number): Promise<number | null> {
  const rollUp = async (tx: Queries, part: string) => {
    await tx.run(addToDays(raw(part)));
    const row = await tx.one<{ n: number }>(raw(`SELECT COUNT(*) AS n FROM ${part}`));
    return row?.n ?? 0;
  };
  // A busy month has many millions.
  return dropMonth(db, CHARGE, before, rollUp, { patient: true });
}

function addToDays(charges: Sql): Sql {
  return sql`INSERT INTO usage_day (account_id, day, key_id, route_id, calls, credits, resolutions)
    SELECT account_id, ${raw(DAY_OF_CHARGE)}, key_id, route_id,
      COUNT(*), CAST(SUM(credits) AS BIGINT), CAST(SUM(resolutions) AS BIGINT)
    FROM ${charges} GROUP BY account_id, ${raw(DAY_OF_CHARGE)}, key_id, route_id
    ON CONFLICT (account_id, day, key_id, route_id) DO UPDATE SET
      calls = usage_day.calls + excluded.calls,
      credits = usage_day.credits + excluded.credits,
      resolutions = usage_day.resolutions + excluded.resolutions`;
}

/** Replaces at most `limit` of an account's charges from before a time by their days' sums. Says how many. */
export async function rollUpCharges(
  tx: Queries,
  accountId: string,
  before: number,
  limit: number,
): Promise<number> {
  const oldest = await tx.all<{ requestId: string; at: number }>(
    sql`SELECT request_id AS "requestId", at FROM charge
        WHERE account_id = ${accountId} AND at < ${before} ORDER BY at, request_id LIMIT ${limit}`,
  );
  const last = oldest[oldest.length - 1];
  if (!last) return 0;
  const chunk = sql`account_id = ${accountId}
    AND (at < ${last.at} OR (at = ${last.at} AND request_id <= ${last.requestId}))`;
  await tx.run(addToDays(sql`charge WHERE ${chunk}`));
  await tx.run(sql`DELETE FROM charge WHERE ${chunk}`);
  return oldest.length;
}

/** What each key of an account has cost since a time within the charges' history, and when it was last charged. */
export function keyUsageSince(
  queries: Queries,
  accountId: string,
  since: number,
): Promise<{ keyId: string; credits: number; lastAt: number }[]> {
  return queries.all(
    sql`SELECT key_id AS "keyId", CAST(SUM(credits) AS BIGINT) AS credits, MAX(at) AS "lastAt"
        FROM charge WHERE account_id = ${accountId} AND at >= ${since} GROUP BY key_id`,
  );
}
