// Which traders' positions were captured, when, and how completely; it distinguishes "none" from "not yet known".
import { insertMany, type Queries } from "../../../database/database.ts";
import { list, sql } from "../../../database/sql.ts";
import type { Repository } from "../repository.ts";

export interface TraderCapture {
  userId: string;
  capturedAt: number;
  /** All open positions were captured, so a token the trader has no position in is one the trader does not hold. */
  openComplete: boolean;
  /** How many closed positions upstream reports. */
  closedTotal: number | null;
}

interface CaptureRow {
  user_id: string;
  captured_at: number;
  open_complete: number;
  closed_total: number | null;
}

/** An older capture never replaces a newer one. */
async function saveCaptures(tx: Queries, captures: readonly TraderCapture[]): Promise<void> {
  const unique = [...new Map(captures.map((capture) => [capture.userId, capture])).values()];
  const rows = unique
    .sort((a, b) => (a.userId < b.userId ? -1 : 1))
    .map(({ userId, capturedAt, openComplete, closedTotal }) => ({
      userId,
      capturedAt,
      openComplete: openComplete ? 1 : 0,
      closedTotal,
      doubtedAt: null,
    }));
  // The answer doesn't settle a doubt that is newer than its request.
  const update = `ON CONFLICT (user_id) DO UPDATE SET captured_at = excluded.captured_at,
    open_complete = excluded.open_complete, closed_total = excluded.closed_total,
    doubted_at = CASE WHEN trader_capture.doubted_at > excluded.captured_at THEN trader_capture.doubted_at END
    WHERE trader_capture.captured_at <= excluded.captured_at`;
  await insertMany(tx, "trader_capture", rows, update);
}

function saveCapture(tx: Queries, capture: TraderCapture): Promise<void> {
  return saveCaptures(tx, [capture]);
}

/** A live read lost a race for one of these traders' positions: capture sweeps them again. */
async function doubtCaptures(tx: Queries, userIds: readonly string[], at: number): Promise<void> {
  if (userIds.length === 0) return;
  await tx.run(
    sql`UPDATE trader_capture SET doubted_at = ${at} WHERE user_id IN (${list([...userIds].sort())})`,
  );
}

/** Traders in doubt, oldest doubt first. */
async function doubtedTraders(queries: Queries, limit: number): Promise<string[]> {
  const rows = await queries.all<{ user_id: string }>(
    sql`SELECT user_id FROM trader_capture WHERE doubted_at IS NOT NULL ORDER BY doubted_at LIMIT ${limit}`,
  );
  return rows.map((row) => row.user_id);
}

async function findCapture(queries: Queries, userId: string): Promise<TraderCapture | null> {
  const row = await queries.one<CaptureRow>(
    sql`SELECT user_id, captured_at, open_complete, closed_total FROM trader_capture WHERE user_id = ${userId}`,
  );
  return row && captureOf(row);
}

/** The least recently captured first, for refreshing. */
async function oldestCaptures(queries: Queries, limit: number): Promise<TraderCapture[]> {
  const rows = await queries.all<CaptureRow>(
    sql`SELECT user_id, captured_at, open_complete, closed_total FROM trader_capture
      ORDER BY captured_at LIMIT ${limit}`,
  );
  return rows.map(captureOf);
}

/** Known traders that were never captured, ordered by id, after the given one. */
async function uncapturedTraders(queries: Queries, afterUserId: string, limit: number): Promise<string[]> {
  const rows = await queries.all<{ user_id: string }>(
    sql`SELECT user_id FROM trader WHERE user_id > ${afterUserId}
        AND NOT EXISTS (SELECT 1 FROM trader_capture WHERE trader_capture.user_id = trader.user_id)
      ORDER BY user_id LIMIT ${limit}`,
  );
  return rows.map((row) => row.user_id);
}

async function captureCoverage(queries: Queries): Promise<{ traders: number; openComplete: number }> {
  const row = await queries.one<{ traders: number; complete: number | null }>(
    sql`SELECT COUNT(*) AS traders, CAST(SUM(open_complete) AS BIGINT) AS complete FROM trader_capture`,
  );
  return { traders: row?.traders ?? 0, openComplete: row?.complete ?? 0 };
}

export const captures = {
  reads: {
    find: findCapture,
    oldest: oldestCaptures,
    missing: uncapturedTraders,
    doubted: doubtedTraders,
    coverage: captureCoverage,
  },
  writes: { save: saveCapture, saveMany: saveCaptures, doubt: doubtCaptures },
} satisfies Repository;

function captureOf(row: CaptureRow): TraderCapture {
  return {
    userId: row.user_id,
    capturedAt: row.captured_at,
    openComplete: row.open_complete === 1,
    closedTotal: row.closed_total,
  };
}
