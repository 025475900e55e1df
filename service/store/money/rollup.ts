// Follows the journal by a saved position: adds its charges to hourly usage and, on SQLite, subtracts them from the
// balance rows. It updates the position in the same transaction, so that a crash repeats and loses nothing, and any
// process may do it.
//
// On PostgreSQL several nodes commit at once and a row's number does not reflect commit order, so rows carry their
// transaction's id: below the oldest transaction still running, nothing can be added any more.
import type { Database, Queries } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { chargesIn, type StoredRow } from "./journal.ts";
import { writeSums } from "./rollup-write.ts";
import { createSums, type Sums } from "./sums.ts";
import type { JournalEnd, Tally } from "./tally.ts";

export interface RolledUp {
  charges: number;
  /** Whether some were left for next time. */
  more: boolean;
}

/** Rows per read. */
const ROWS_PER_PAGE_MAX = 64;

export interface RollupOptions {
  /** Processes up to this many charges; by default all. */
  chargesMax?: number;
  /** On SQLite: what this process charged itself. */
  tally?: Tally | null;
}

export async function rollUp(tx: Queries, options: RollupOptions = {}): Promise<RolledUp> {
  const { chargesMax = Number.POSITIVE_INFINITY, tally = null } = options;
  if (tx.dialect === "postgres") return rollUpRows(tx, chargesMax);
  const state = await ledgerState(tx);
  const known = state.slicedThrough === "" ? tally?.sumsFrom(state.rolledBelow, state) : null;
  const rolled = known ? await write(tx, known, state.head + 1) : await rollUpRows(tx, chargesMax);
  if (!rolled.more) tally?.restart(state);
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
    for (const row of rows)
      for (const charge of chargesIn(row)) if (!isSliced(range, row, charge.accountId)) sums.add(charge);
    const last = rows.at(-1);
    if (!last) break;
    next = last.position + 1;
    more = sums.charges() >= chargesMax;
    if (rows.length < ROWS_PER_PAGE_MAX) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rolledBelow = more || tx.dialect === "sqlite" ? next : Math.max(next, range.to);
  if (rolledBelow === range.from) return { charges: 0, more: false };
  return { ...(await write(tx, sums, rolledBelow)), more };
}

async function write(tx: Queries, sums: Sums, rolledBelow: number): Promise<RolledUp> {
  await writeSums(tx, sums.accounts());
  await tx.run(
    sql`UPDATE ledger_state SET rolled_below = ${rolledBelow},
          sliced_through = CASE WHEN sliced_below > ${rolledBelow} THEN sliced_through ELSE '' END
        WHERE id = 1`,
  );
  return { charges: sums.charges(), more: false };
}

interface RollupRange {
  from: number;
  to: number;
  /** What unfinished slices have already written; see rollup-slices.ts. */
  slicedBelow: number;
  slicedThrough: string;
}

function isSliced(range: RollupRange, { position }: StoredRow, accountId: string): boolean {
  return position < range.slicedBelow && accountId <= range.slicedThrough;
}

/** The position of an account's first charge that its rows do not include; part of a statement that reads ledger_state. */
export function rolledBelowOf(accountId: Sql): Sql {
  return sql`CASE WHEN ${accountId} <= sliced_through THEN sliced_below ELSE rolled_below END`;
}

/** The range to roll up; null when another node is rolling up. */
async function rangeOf(tx: Queries): Promise<RollupRange | null> {
  if (tx.dialect === "sqlite") {
    const { rolledBelow, slicedBelow, slicedThrough } = await ledgerState(tx);
    return { from: rolledBelow, to: Number.MAX_SAFE_INTEGER, slicedBelow, slicedThrough };
  }
  return tx.one(
    sql`SELECT rolled_below AS "from", sliced_below AS "slicedBelow", sliced_through AS "slicedThrough",
          CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS "to"
        FROM ledger_state FOR UPDATE SKIP LOCKED`,
  );
}

/** Complete positions only: on PostgreSQL the rows of one transaction share one. */
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

/**
 * A PostgreSQL server that a dump was restored to numbers its transactions differently. Called before anything is
 * charged: rows from the dump are renumbered below everything that will be written here.
 */
export async function renumberRestored(database: Database): Promise<void> {
  if (database.dialect !== "postgres") return;
  const nextHere = sql`CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)`;
  const state = await database.read.one<{ restored: number }>(
    sql`SELECT CASE WHEN rolled_below > ${nextHere} THEN 1 ELSE 0 END AS restored FROM ledger_state`,
  );
  if (state?.restored !== 1) return;
  await database.write(
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

/** What a process that holds balances in memory reads with every batch, on SQLite. */
export interface LedgerState extends JournalEnd {
  version: number;
  rolledBelow: number;
  slicedBelow: number;
  slicedThrough: string;
}

export async function ledgerState(tx: Queries): Promise<LedgerState> {
  const state = await tx.one<LedgerState>({
    text: `SELECT version, rolled_below AS "rolledBelow", sliced_below AS "slicedBelow",
             sliced_through AS "slicedThrough", COALESCE(position, 0) AS head, batch_id AS "batchId"
           FROM ledger_state LEFT JOIN (SELECT position, batch_id FROM journal ORDER BY position DESC LIMIT 1) ON true
           WHERE id = 1`,
    values: [],
  });
  return state ?? { version: 0, rolledBelow: 1, slicedBelow: 0, slicedThrough: "", head: 0, batchId: null };
}
