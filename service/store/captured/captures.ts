// Which traders' positions were captured, when, and how completely; it is what tells "none" from "not yet known".
import { type Database, insertMany } from "../../../database/database.ts";
import { type SqlValue, sql } from "../../../database/sql.ts";

export interface TraderCapture {
  userId: string;
  capturedAt: number;
  /** All open positions were told, so a token the trader has no position in is one the trader does not hold. */
  openComplete: boolean;
  /** How many closed positions upstream says there are. */
  closedTotal: number | null;
}

export interface CaptureStore {
  save(capture: TraderCapture): Promise<void>;
  saveMany(captures: readonly TraderCapture[]): Promise<void>;
  find(userId: string): Promise<TraderCapture | null>;
  /** Those captured longest ago first, for refreshing. */
  oldest(limit: number): Promise<TraderCapture[]>;
  /** Known traders that were never captured, in order of id after the given one. */
  missing(afterUserId: string, limit: number): Promise<string[]>;
  coverage(): Promise<{ traders: number; openComplete: number }>;
}

interface CaptureRow {
  user_id: string;
  captured_at: number;
  open_complete: number;
  closed_total: number | null;
}

export function captureStore(db: Database): CaptureStore {
  return {
    save: (capture) => saveMany(db, [capture]),
    saveMany: (captures) => saveMany(db, captures),
    async find(userId) {
      const row = await db.read.one<CaptureRow>(
        sql`SELECT user_id, captured_at, open_complete, closed_total FROM trader_capture WHERE user_id = ${userId}`,
      );
      return row && captureOf(row);
    },
    async oldest(limit) {
      const rows = await db.read.all<CaptureRow>(
        sql`SELECT user_id, captured_at, open_complete, closed_total FROM trader_capture
          ORDER BY captured_at LIMIT ${limit}`,
      );
      return rows.map(captureOf);
    },
    async missing(afterUserId, limit) {
      const rows = await db.read.all<{ user_id: string }>(
        sql`SELECT user_id FROM trader WHERE user_id > ${afterUserId}
            AND NOT EXISTS (SELECT 1 FROM trader_capture WHERE trader_capture.user_id = trader.user_id)
          ORDER BY user_id LIMIT ${limit}`,
      );
      return rows.map((row) => row.user_id);
    },
    async coverage() {
      const row = await db.read.one<{ traders: number; complete: number | null }>(
        sql`SELECT COUNT(*) AS traders, CAST(SUM(open_complete) AS BIGINT) AS complete FROM trader_capture`,
      );
      return { traders: row?.traders ?? 0, openComplete: row?.complete ?? 0 };
    },
  };
}

async function saveMany(db: Database, captures: readonly TraderCapture[]): Promise<void> {
  const unique = [...new Map(captures.map((capture) => [capture.userId, capture])).values()];
  const rows = unique
    .sort((a, b) => (a.userId < b.userId ? -1 : 1))
    .map(({ userId, capturedAt, openComplete, closedTotal }): SqlValue[] => [
      ...[userId, capturedAt, openComplete ? 1 : 0, closedTotal],
    ]);
  const columns = ["user_id", "captured_at", "open_complete", "closed_total"];
  const update = `ON CONFLICT (user_id) DO UPDATE SET captured_at = excluded.captured_at,
    open_complete = excluded.open_complete, closed_total = excluded.closed_total
    WHERE trader_capture.captured_at <= excluded.captured_at`;
  await db.write((tx) => insertMany(tx, "trader_capture", columns, rows, update));
}

function captureOf(row: CaptureRow): TraderCapture {
  return {
    userId: row.user_id,
    capturedAt: row.captured_at,
    openComplete: row.open_complete === 1,
    closedTotal: row.closed_total,
  };
}
