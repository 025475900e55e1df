// As of when each captured position is known: the time before the question that it answers was sent.
import type { Queries } from "../../../database/database.ts";
import { list, sql } from "../../../database/sql.ts";

const IDS_A_LOOKUP = 512;

export async function captureTimes(
  queries: Queries,
  tradeIds: readonly string[],
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (let start = 0; start < tradeIds.length; start += IDS_A_LOOKUP) {
    const part = list(tradeIds.slice(start, start + IDS_A_LOOKUP));
    const rows = await queries.all<{ trade_id: string; captured_at: number }>(
      sql`SELECT trade_id, captured_at FROM position WHERE trade_id IN (${part})`,
    );
    for (const row of rows) times.set(row.trade_id, row.captured_at);
  }
  return times;
}
