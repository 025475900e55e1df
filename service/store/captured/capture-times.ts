// How fresh each captured position is: the time just before the request that it answers was sent.

import type { Queries } from "../../../database/database.ts";
import { list, raw, sql } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";

const IDS_PER_LOOKUP_MAX = 512;

export async function captureTimes(
  queries: Queries,
  tradeIds: readonly string[],
  /** Until the transaction ends, so that decisions based on these times still hold when written. */
  { lock = false } = {},
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const locked = raw(lock && queries.dialect === "postgres" ? "FOR UPDATE" : "");
  for (const part of chunksOf(tradeIds, IDS_PER_LOOKUP_MAX)) {
    const rows = await queries.all<{ trade_id: string; captured_at: number }>(
      sql`SELECT trade_id, captured_at FROM position WHERE trade_id IN (${list(part)}) ORDER BY trade_id ${locked}`,
    );
    for (const row of rows) times.set(row.trade_id, row.captured_at);
  }
  return times;
}
