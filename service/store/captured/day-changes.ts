// Which UTC days gained or lost fills since their files were written, however old. A change is recorded and counted in the
// transaction that makes it: the job that closes a day passes the count it saw before reading, so it misses no change.
import { insertMany, type Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Repository } from "../repository.ts";

const COUNT_UP = "ON CONFLICT (day) DO UPDATE SET changes = day_change.changes + 1";

export interface DayChange {
  /** When the day begins. */
  at: number;
  /** The number of changes when this was read. */
  changes: number;
}

/** Must be a transaction's last write, and in one order, so that concurrent writers never deadlock here. */
export async function noteChanges(tx: Queries, moments: readonly number[]): Promise<void> {
  const days = [...new Set(moments.map((at) => Math.floor(at / DAY_MS)))].sort((a, b) => a - b);
  const rows = days.map((day) => ({ day, changes: 1, closed: 0 }));
  await insertMany(tx, "day_change", rows, COUNT_UP);
}

async function changedDays(queries: Queries): Promise<DayChange[]> {
  const rows = await queries.all<{ day: number; changes: number }>(
    raw("SELECT day, changes FROM day_change WHERE changes <> closed ORDER BY day"),
  );
  return rows.map(({ day, changes }) => ({ at: day * DAY_MS, changes }));
}

/** Its files contain everything up to this count. */
async function markClosed(tx: Queries, { at, changes }: DayChange): Promise<void> {
  await tx.run(
    sql`UPDATE day_change SET closed = ${changes} WHERE day = ${Math.floor(at / DAY_MS)} AND closed < ${changes}`,
  );
}

export const dayChanges = {
  reads: { list: changedDays },
  writes: { markClosed },
} satisfies Repository;
