// Follows the journal by a saved position: adds its charges to the usage of their hours and, on SQLite, takes them off
// the balances' rows. It works inside a transaction together with the position, so that a crash repeats and loses
// nothing, and any process may do it.
//
// On PostgreSQL several nodes commit at once and a row's number says nothing about when it was committed, so rows carry
// their transaction's id: below the oldest transaction that still runs, nothing can be added any more.
import { type Database, insertMany, type Queries } from "../../../database/database.ts";
import { type SqlValue, sql } from "../../../database/sql.ts";
import { chargesIn, type StoredRow } from "./journal.ts";
import { createSums, type HourSum, type Sum, type Sums } from "./sums.ts";
import type { JournalEnd, Tally } from "./tally.ts";

export interface RolledUp {
  charges: number;
  /** Whether some were left for the next time. */
  more: boolean;
}

/** Rows in one read. */
const ROWS_PER_PAGE_MAX = 64;
/** Statements between two turns of the event loop: a few milliseconds of the thread. */
const STATEMENTS_PER_TURN_MAX = 500;

export interface RollupOptions {
  /** Takes up to so many charges; by default all there are. */
  chargesMax?: number;
  /** On SQLite: what this process charged itself. */
  tally?: Tally | null;
}

export async function rollUp(tx: Queries, options: RollupOptions = {}): Promise<RolledUp> {
  const { chargesMax = Number.POSITIVE_INFINITY, tally = null } = options;
  if (tx.dialect === "postgres") return rollUpRows(tx, chargesMax);
  const { rolledBelow, ...end } = await ledgerState(tx);
  const known = tally?.sumsFrom(rolledBelow, end);
  const rolled = known ? await write(tx, known, end.head + 1) : await rollUpRows(tx, chargesMax);
  if (!rolled.more) tally?.restart(end);
  return rolled;
}

async function rollUpRows(tx: Queries, chargesMax: number): Promise<RolledUp> {
  const range = await rangeOf(tx);
  if (!range) return { charges: 0, more: false };
  const sums = createSums();
  let next = range.from;
  let more = false;
  while (!more) {
    const rows = await pageOf(tx, next, range.to);
    for (const row of rows) for (const charge of chargesIn(row)) sums.add(charge);
    const last = rows.at(-1);
    if (!last) break;
    next = last.position + 1;
    more = sums.charges() >= chargesMax;
    if (rows.length < ROWS_PER_PAGE_MAX) break;
    await turn();
  }
  const rolledBelow = more || tx.dialect === "sqlite" ? next : Math.max(next, range.to);
  if (rolledBelow === range.from) return { charges: 0, more: false };
  return { ...(await write(tx, sums, rolledBelow)), more };
}

async function write(tx: Queries, sums: Sums, rolledBelow: number): Promise<RolledUp> {
  await writeHours(tx, sums.hours());
  if (tx.dialect === "sqlite") await writeBalances(tx, sums.accounts());
  await tx.run(sql`UPDATE ledger_state SET rolled_below = ${rolledBelow} WHERE id = 1`);
  return { charges: sums.charges(), more: false };
}

/** From where to where; null when another node is at it. */
async function rangeOf(tx: Queries): Promise<{ from: number; to: number } | null> {
  if (tx.dialect === "sqlite") {
    const state = await tx.one<{ from: number }>(sql`SELECT rolled_below AS "from" FROM ledger_state`);
    return { from: state?.from ?? 0, to: Number.MAX_SAFE_INTEGER };
  }
  return tx.one(
    sql`SELECT rolled_below AS "from",
          CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS "to"
        FROM ledger_state FOR UPDATE SKIP LOCKED`,
  );
}

/** Whole positions only: on PostgreSQL the rows of one transaction share theirs. */
async function pageOf(tx: Queries, from: number, to: number): Promise<StoredRow[]> {
  const rows = await tx.all<StoredRow>(
    sql`SELECT position, at, charges FROM journal WHERE position >= ${from} AND position < ${to}
        ORDER BY position LIMIT ${ROWS_PER_PAGE_MAX}`,
  );
  const last = rows.at(-1);
  if (!last || rows.length < ROWS_PER_PAGE_MAX || tx.dialect === "sqlite") return rows;
  const rest = await tx.all<StoredRow>(
    sql`SELECT position, at, charges FROM journal WHERE position = ${last.position}`,
  );
  return [...rows.filter((row) => row.position < last.position), ...rest];
}

const HOUR_COLUMNS = [
  "hour",
  "account_id",
  "key_id",
  "route_id",
  "calls",
  "credits",
  "resolutions",
  "last_at",
] as const;
const ADD_TO_HOUR = `ON CONFLICT (hour, account_id, key_id, route_id) DO UPDATE SET
  calls = usage_hour.calls + excluded.calls, credits = usage_hour.credits + excluded.credits,
  resolutions = usage_hour.resolutions + excluded.resolutions,
  last_at = CASE WHEN excluded.last_at > usage_hour.last_at THEN excluded.last_at ELSE usage_hour.last_at END`;

async function writeHours(tx: Queries, sums: readonly HourSum[]): Promise<void> {
  for (let start = 0; start < sums.length; start += STATEMENTS_PER_TURN_MAX) {
    const rows = sums
      .slice(start, start + STATEMENTS_PER_TURN_MAX)
      .map(({ hour, of, calls, credits, resolutions, lastAt }): SqlValue[] => [
        ...[hour, of.accountId, of.keyId, of.routeId],
        ...[calls, credits, resolutions, lastAt],
      ]);
    await insertMany(tx, "usage_hour", HOUR_COLUMNS, rows, ADD_TO_HOUR);
    if (start + STATEMENTS_PER_TURN_MAX < sums.length) await turn();
  }
}

const TAKE_OFF = `UPDATE balance SET monthly_remaining = monthly_remaining - MIN(monthly_remaining, ?),
  prepaid_remaining = prepaid_remaining - MAX(0, ? - monthly_remaining),
  resolutions_remaining = resolutions_remaining - ? WHERE account_id = ?`;

async function writeBalances(tx: Queries, accounts: readonly (readonly [string, Sum])[]): Promise<void> {
  for (let start = 0; start < accounts.length; start += STATEMENTS_PER_TURN_MAX) {
    // Together: to wait for each by itself takes longer than the statements.
    await Promise.all(
      accounts
        .slice(start, start + STATEMENTS_PER_TURN_MAX)
        .map(([accountId, { credits, resolutions }]) =>
          tx.run({ text: TAKE_OFF, values: [credits, credits, resolutions, accountId] }),
        ),
    );
    if (start + STATEMENTS_PER_TURN_MAX < accounts.length) await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A PostgreSQL server that a dump was restored on counts its transactions from another number. Called before anything is
 * charged: rows that came with the dump are numbered below all that will be written here.
 */
export async function renumberRestored(db: Database): Promise<void> {
  if (db.dialect !== "postgres") return;
  const nextHere = sql`CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)`;
  const state = await db.read.one<{ restored: number }>(
    sql`SELECT CASE WHEN rolled_below > ${nextHere} THEN 1 ELSE 0 END AS restored FROM ledger_state`,
  );
  if (state?.restored !== 1) return;
  await db.write(
    async (tx) => {
      const held = await tx.one<{ from: number; next: number }>(
        sql`SELECT rolled_below AS "from", ${nextHere} AS next FROM ledger_state FOR UPDATE`,
      );
      if (!held || held.from <= held.next) return;
      await tx.run(sql`UPDATE journal SET position = CASE WHEN position < ${held.from} THEN 0 ELSE 1 END`);
      await tx.run(sql`UPDATE ledger_state SET rolled_below = 1`);
    },
    { patient: true },
  );
}

/** What a process that holds balances in memory asks with every batch, on SQLite. */
export interface LedgerState extends JournalEnd {
  version: number;
  rolledBelow: number;
}

export async function ledgerState(tx: Queries): Promise<LedgerState> {
  const state = await tx.one<LedgerState>({
    text: `SELECT version, rolled_below AS "rolledBelow", COALESCE(position, 0) AS head, batch_id AS "batchId"
           FROM ledger_state LEFT JOIN (SELECT position, batch_id FROM journal ORDER BY position DESC LIMIT 1) ON true
           WHERE id = 1`,
    values: [],
  });
  return state ?? { version: 0, rolledBelow: 1, head: 0, batchId: null };
}
