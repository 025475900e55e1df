// The tape's pools as stored: those that a roster trader traded in, and how far each was read.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { DAY_MS } from "../../kit/units.ts";

export interface TapePool {
  chainId: number;
  pool: string;
  token: string;
  /** The block of the roster's first buy in it. */
  firstHeight: number;
  /** The roster's last trade in it. */
  lastMs: number;
  /** The covered range, in time and as a height; null before its start is known. */
  fromMs: number | null;
  toHeight: number | null;
  toMs: number | null;
  feeBps: number | null;
}

/** How long a pool is read after the roster's last trade in it. */
const READ_AFTER_MS = DAY_MS;

const COLUMNS = sql`chain_id AS "chainId", pool, token, first_height AS "firstHeight", last_ms AS "lastMs",
  from_ms AS "fromMs", to_height AS "toHeight", to_ms AS "toMs", fee_bps AS "feeBps"`;

/** Adds the pools that price a token and that the roster bought it in. */
export async function notePools(tx: Queries, chainId: number, token: string): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_pool (chain_id, pool, token, first_height, last_ms)
      SELECT chain_id, pool, token, MIN(CASE WHEN bought = 1 THEN height END), MAX(time_ms) FROM tracker_price
        WHERE chain_id = ${chainId} AND token = ${token} AND own = 1 AND doubt IS NULL
        GROUP BY chain_id, pool, token HAVING MAX(bought) = 1
      ON CONFLICT (chain_id, pool, token) DO UPDATE SET last_ms = excluded.last_ms,
        from_ms = CASE WHEN excluded.first_height < tracker_pool.first_height THEN NULL ELSE tracker_pool.from_ms END,
        first_height = excluded.first_height`,
  );
}

/** The most recently traded ones on all chains, up to a limit. */
export function newestPools(queries: Queries, max: number): Promise<TapePool[]> {
  return queries.all<TapePool>(
    sql`SELECT ${COLUMNS} FROM tracker_pool ORDER BY last_ms DESC, pool LIMIT ${max}`,
  );
}

export function poolsOfToken(queries: Queries, chainId: number, token: string): Promise<TapePool[]> {
  return queries.all<TapePool>(
    sql`SELECT ${COLUMNS} FROM tracker_pool WHERE chain_id = ${chainId} AND token = ${token} ORDER BY pool`,
  );
}

export async function savePool(tx: Queries, pool: TapePool): Promise<void> {
  await tx.run(
    sql`UPDATE tracker_pool SET from_ms = ${pool.fromMs}, to_height = ${pool.toHeight}, to_ms = ${pool.toMs},
        fee_bps = ${pool.feeBps}
      WHERE chain_id = ${pool.chainId} AND pool = ${pool.pool} AND token = ${pool.token}`,
  );
}

const wantedUntil = ({ lastMs }: TapePool): number => lastMs + READ_AFTER_MS;

/** Whether there is more to read, up to a final block: at least this many blocks. */
export const isDue = (pool: TapePool, finalHeight: number, blocks: number): boolean =>
  pool.toHeight === null ||
  pool.fromMs === null ||
  (pool.toHeight + blocks <= finalHeight && (pool.toMs ?? 0) < wantedUntil(pool));

export interface TimeSpan {
  from: number;
  to: number;
}

/** When all of a token's pools were covered, within a span: ascending and disjoint. */
export function coveredBy(pools: readonly TapePool[], { from, to }: TimeSpan): TimeSpan[] {
  const read = pools.flatMap(({ fromMs, toMs }) =>
    fromMs === null || toMs === null ? [] : [{ from: fromMs, to: toMs }],
  );
  const gaps = pools.flatMap((pool) =>
    pool.toMs === null ? [] : [{ from: pool.toMs, to: wantedUntil(pool) }],
  );
  const ends = [from, to, ...[...read, ...gaps].flatMap((span) => [span.from, span.to])]
    .filter((at) => at >= from && at <= to)
    .sort((a, b) => a - b);
  const covered: TimeSpan[] = [];
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1];
    if (start === undefined || start === end) continue;
    const holds = (span: TimeSpan) => span.from <= start && span.to >= end;
    if (!read.some(holds) || gaps.some(holds)) continue;
    const last = covered.at(-1);
    if (last?.to === start) last.to = end;
    else covered.push({ from: start, to: end });
  }
  return covered;
}
