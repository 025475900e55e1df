// Usage: what an account's requests cost, by day, route or key, up to the last committed charge. Hours and days come from
// the rollups; charges not rolled up yet, and the partial hours at both ends, from the journal. The journal is read
// first: charges rolled up and deleted meanwhile are then found in the rollups, and counted once.

import type { Database, Queries } from "../../../database/database.ts";
import { dropMonth } from "../../../database/partitions.ts";
import { raw, sql } from "../../../database/sql.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import { type Charge, chargesIn, journalRows, rowsFrom } from "./journal.ts";
import { JOURNAL } from "./months.ts";
import { rolledBelowOf } from "./rollup.ts";

export type UsageGroup = "day" | "route" | "key";

export interface UsageRow {
  /** The day's start (epoch milliseconds, as text), the route's id, or the key's id. */
  group: string;
  calls: number;
  credits: number;
  resolutions: number;
}

interface TimeRange {
  from: number;
  to: number;
}

interface Used extends UsageRow {
  lastAt: number;
}

const dayOf = (at: number) => at - (at % DAY_MS);
const hourOf = (at: number) => at - (at % HOUR_MS);

const GROUPS: Record<UsageGroup, { hour: string; day: string; of(charge: Charge): string }> = {
  day: {
    hour: `CAST(hour - hour % ${DAY_MS} AS TEXT)`,
    day: "CAST(day AS TEXT)",
    of: ({ at }) => String(dayOf(at)),
  },
  route: { hour: "route_id", day: "route_id", of: ({ routeId }) => routeId },
  key: { hour: "key_id", day: "key_id", of: ({ keyId }) => keyId },
};

/** From a time (inclusive) to a time (exclusive); whole days where only days are left. */
export async function usageOf(
  queries: Queries,
  accountId: string,
  range: TimeRange,
  groupBy: UsageGroup,
): Promise<UsageRow[]> {
  const used = await usedIn(queries, accountId, range, groupBy);
  return used.map(({ group, calls, credits, resolutions }) => ({ group, calls, credits, resolutions }));
}

/** Each key's cost since a time within the journal's history, and when it was last charged. */
export async function keyUsageSince(
  queries: Queries,
  accountId: string,
  since: number,
): Promise<{ keyId: string; credits: number; lastAt: number }[]> {
  const used = await usedIn(queries, accountId, { from: since, to: Number.MAX_SAFE_INTEGER }, "key");
  return used.map(({ group, credits, lastAt }) => ({ keyId: group, credits, lastAt }));
}

async function usedIn(
  queries: Queries,
  accountId: string,
  range: TimeRange,
  groupBy: UsageGroup,
): Promise<Used[]> {
  const naming = JSON.stringify(accountId);
  const since = await rolledBelowNow(queries, accountId);
  const isAsked = ({ accountId: of, at }: Charge) => of === accountId && at >= range.from && at < range.to;
  // Few, since rollups follow closely.
  const fresh: { position: number; charge: Charge }[] = [];
  for await (const row of rowsFrom(queries, since, naming))
    for (const charge of chargesIn(row)) if (isAsked(charge)) fresh.push({ position: row.position, charge });
  const ends = [];
  for (const end of endsOf(range)) {
    const sums = createSums(groupBy);
    const isIn = ({ at }: Charge) => at >= end.from && at < end.to;
    for await (const row of journalRows(queries, { ...end, naming, rolled: { below: since } }))
      for (const charge of chargesIn(row)) if (isAsked(charge) && isIn(charge)) sums.add(charge);
    ends.push({ hour: hourOf(Math.max(0, end.from)), sums, isIn });
  }

  const { rolledBelow, rows, hoursLeft } = await rolledUp(queries, accountId, range, groupBy);
  const all = createSums(groupBy, rows);
  for (const { position, charge } of fresh) {
    const end = ends.find(({ isIn }) => isIn(charge));
    if (position >= rolledBelow) all.add(charge);
    else end?.sums.add(charge);
  }
  // An hour that was summed into its day is included there completely.
  for (const { hour, sums } of ends) if (hoursLeft.has(hour)) sums.rows().forEach(all.addSum);
  return all.rows().sort((a, b) => (a.group < b.group ? -1 : 1));
}

function createSums(groupBy: UsageGroup, rows: readonly Used[] = []) {
  const sums = new Map(rows.map((row) => [row.group, row]));
  const addSum = (more: Used) => {
    const sum = sums.get(more.group);
    sums.set(more.group, {
      group: more.group,
      calls: (sum?.calls ?? 0) + more.calls,
      credits: (sum?.credits ?? 0) + more.credits,
      resolutions: (sum?.resolutions ?? 0) + more.resolutions,
      lastAt: Math.max(sum?.lastAt ?? 0, more.lastAt),
    });
  };
  return {
    addSum,
    add: (charge: Charge) => {
      const { credits, resolutions, at } = charge;
      addSum({ group: GROUPS[groupBy].of(charge), calls: 1, credits, resolutions, lastAt: at });
    },
    rows: () => [...sums.values()],
  };
}

async function rolledBelowNow(queries: Queries, accountId: string): Promise<number> {
  const state = await queries.one<{ rolledBelow: number }>(
    sql`SELECT ${rolledBelowOf(sql`${accountId}`)} AS "rolledBelow" FROM ledger_state`,
  );
  return state?.rolledBelow ?? 0;
}

/** The partial hours at both ends of a range that does not begin or end on the hour. */
function endsOf({ from, to }: TimeRange): TimeRange[] {
  const [firstWhole, lastWhole] = wholeHours({ from, to });
  if (firstWhole > lastWhole) return [{ from, to }];
  return [
    { from, to: firstWhole },
    { from: lastWhole, to },
  ].filter((part) => part.from < part.to && part.to !== Number.MAX_SAFE_INTEGER);
}

/** The first whole hour within the range, and the end (exclusive) of the last. */
function wholeHours({ from, to }: TimeRange): [number, number] {
  return [hourOf(Math.max(0, from) + HOUR_MS - 1), to === Number.MAX_SAFE_INTEGER ? to : hourOf(to)];
}

/** Hours are few and each is one index lookup, however many accounts there are. */
async function rolledUp(
  queries: Queries,
  accountId: string,
  range: TimeRange,
  groupBy: UsageGroup,
): Promise<{ rolledBelow: number; rows: Used[]; hoursLeft: Set<number> }> {
  const group = GROUPS[groupBy];
  const [firstWhole, lastWhole] = wholeHours(range);
  const [firstHour, lastHour] = [hourOf(Math.max(0, range.from)), hourOf(range.to)];
  const isLeft = (hour: number) =>
    sql`CASE WHEN EXISTS (SELECT 1 FROM usage_hour WHERE hour = ${hour} AND account_id = ${accountId}) THEN 1 ELSE 0 END`;
  const rows = await queries.all<Used & { rolledBelow: number; firstLeft: number; lastLeft: number }>(
    sql`WITH RECURSIVE hours (start) AS (
          SELECT MIN(hour) FROM usage_hour WHERE hour >= ${firstWhole} AND hour < ${lastWhole}
          UNION ALL
          SELECT (SELECT MIN(hour) FROM usage_hour WHERE hour > start AND hour < ${lastWhole})
          FROM hours WHERE start IS NOT NULL
        ), used AS (
          SELECT ${raw(group.hour)} AS name, calls, credits, resolutions, last_at
          FROM hours JOIN usage_hour ON usage_hour.hour = hours.start AND account_id = ${accountId}
          UNION ALL
          SELECT ${raw(group.day)} AS name, calls, credits, resolutions, day AS last_at FROM usage_day
          WHERE account_id = ${accountId} AND day >= ${dayOf(Math.max(0, range.from))} AND day < ${range.to}
        ), summed AS (
          SELECT name, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(credits) AS BIGINT) AS credits,
            CAST(SUM(resolutions) AS BIGINT) AS resolutions, MAX(last_at) AS last_at
          FROM used GROUP BY name
        )
        SELECT ${rolledBelowOf(sql`${accountId}`)} AS "rolledBelow", ${isLeft(firstHour)} AS "firstLeft", ${isLeft(lastHour)} AS "lastLeft",
          name AS "group", calls, credits, resolutions, last_at AS "lastAt"
        FROM ledger_state LEFT JOIN summed ON true`,
  );
  return {
    rolledBelow: rows[0]?.rolledBelow ?? 0,
    rows: rows.flatMap(({ group: name, calls, credits, resolutions, lastAt }) =>
      name === null ? [] : [{ group: name, calls, credits, resolutions, lastAt }],
    ),
    hoursLeft: new Set([
      ...(rows[0]?.firstLeft ? [firstHour] : []),
      ...(rows[0]?.lastLeft ? [lastHour] : []),
    ]),
  };
}

/** Replaces about `limit` hourly rows from before a time with daily sums, oldest first. Returns how many. */
export async function sumUpHours(tx: Queries, before: number, limit: number): Promise<number> {
  // One node at a time, and not while hours are updated: either would count an hour twice, or lose concurrent charges.
  if (tx.dialect === "postgres") await tx.all(sql`SELECT id FROM ledger_state FOR UPDATE`);
  const oldest = await tx.all<{ hour: number; accountId: string }>(
    sql`SELECT hour, account_id AS "accountId" FROM usage_hour
        WHERE hour < ${before} ORDER BY hour, account_id LIMIT ${limit}`,
  );
  const last = oldest.at(-1);
  if (!last) return 0;
  // An account's hour is moved completely, which may take a few more rows: `usageOf` relies on it.
  const isOld = sql`(hour, account_id) <= (${last.hour}, ${last.accountId})`;
  await tx.run(
    sql`INSERT INTO usage_day (account_id, day, key_id, route_id, calls, credits, resolutions)
        SELECT account_id, hour - hour % ${raw(String(DAY_MS))}, key_id, route_id, CAST(SUM(calls) AS BIGINT),
          CAST(SUM(credits) AS BIGINT), CAST(SUM(resolutions) AS BIGINT)
        FROM usage_hour WHERE ${isOld}
        GROUP BY account_id, hour - hour % ${raw(String(DAY_MS))}, key_id, route_id
        ON CONFLICT (account_id, day, key_id, route_id) DO UPDATE SET
          calls = usage_day.calls + excluded.calls,
          credits = usage_day.credits + excluded.credits,
          resolutions = usage_day.resolutions + excluded.resolutions`,
  );
  return tx.run(sql`DELETE FROM usage_hour WHERE ${isOld}`);
}

/**
 * Deletes journal rows from before a time: on PostgreSQL a whole month, on SQLite up to `limit` rows. Deletes only what
 * was rolled up. Returns how many rows; 0 when there was nothing.
 */
export async function forgetJournal(database: Database, before: number, limit: number): Promise<number> {
  if (database.dialect === "sqlite") {
    // The last row stays, whatever its age: the next one's number is counted from it.
    return database.write((tx) =>
      tx.run(
        sql`DELETE FROM journal WHERE position IN (
              SELECT position FROM journal, ledger_state
              WHERE at < ${before} AND position < rolled_below
                AND position < (SELECT MAX(position) FROM journal)
              ORDER BY at LIMIT ${limit})`,
      ),
    );
  }
  const isRolledUp = async (tx: Queries, part: string) => {
    const row = await tx.one<{ rows: number; waiting: number }>(
      raw(`SELECT COUNT(*) AS rows, COUNT(*) FILTER (WHERE position >= rolled_below) AS waiting
           FROM ${part}, ledger_state`),
    );
    if (row && row.waiting > 0) throw new NotRolledUp();
    return row?.rows ?? 0;
  };
  return dropMonth(database, JOURNAL, before, isRolledUp, { patient: true }).then(
    (rows) => rows ?? 0,
    (error) => {
      if (error instanceof NotRolledUp) return 0;
      throw error;
    },
  );
}

class NotRolledUp extends Error {}
