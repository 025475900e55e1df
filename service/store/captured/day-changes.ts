// Which UTC days have got or lost fills since their files were made, however old they are. A change is noted in the transaction
// that makes it, and counted: what closes a day says which count it saw before it read, so that no change in between is missed.
import { insertMany, type Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Repository } from "../repository.ts";

const COUNT_UP = "ON CONFLICT (day) DO UPDATE SET changes = day_change.changes + 1";

export interface DayChange {
  /** When the day begins. */
  at: number;
  /** How many changes there were when this was read. */
  changes: number;
}

/** The last of a transaction's writes, and in one order: writers that meet here then never wait for each other in a circle. */
export async function noteChanges(tx: Queries, moments: readonly number[]): Promise<void> {
  const days = [...new Set(moments.map((at) => Math.floor(at / DAY_MS)))].sort((a, b) => a - b);
  const rows = days.map((day) => [day, 1, 0]);
  await insertMany(tx, "day_change", ["day", "changes", "closed"], rows, COUNT_UP);
}

async function changedDays(queries: Queries): Promise<DayChange[]> {
  const rows = await queries.all<{ day: number; changes: number }>(
    raw("SELECT day, changes FROM day_change WHERE changes <> closed ORDER BY day"),
  );
  return rows.map(({ day, changes }) => ({ at: day * DAY_MS, changes }));
}

/** Its files hold everything up to this count. */
async function markClosed(tx: Queries, { at, changes }: DayChange): Promise<void> {
  await tx.run(
    sql`UPDATE day_change SET closed = ${changes} WHERE day = ${Math.floor(at / DAY_MS)} AND closed < ${changes}`,
  );
}

export const dayChanges = {
  reads: { list: changedDays },
  writes: { markClosed },
} satisfies Repository;
