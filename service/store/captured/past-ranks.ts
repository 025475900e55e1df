// Hourly leaderboard ranks. An hour's ranking is written once and never changed, so that a later board is compared with
// exactly what was shown then.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { PnlWindow } from "../../../protocol/shapes/trader.ts";
import { PAST_RANKS_SLACK_MS, type PastRanks } from "../../model/past-ranks.ts";
import type { Repository } from "../repository.ts";
import { codec } from "./bodies.ts";

const BODY = codec<PastRanks>("past ranking", ["asOf", "ranks"]);

/** The ranks of that hour, or of the latest of the few hours before it; null without any. */
async function findRanks(
  queries: Queries,
  window: PnlWindow,
  hour: number,
): Promise<(PastRanks & { hour: number }) | null> {
  const row = await queries.one<{ hour: number; body: string }>(
    sql`SELECT hour, body FROM past_ranks
      WHERE window_name = ${window} AND hour <= ${hour} AND hour > ${hour - PAST_RANKS_SLACK_MS}
      ORDER BY hour DESC LIMIT 1`,
  );
  return row && { ...BODY.decode(row.body), hour: row.hour };
}

/** The hours since then with a stored ranking. */
async function keptHours(queries: Queries, window: PnlWindow, since: number): Promise<number[]> {
  const rows = await queries.all<{ hour: number }>(
    sql`SELECT hour FROM past_ranks WHERE window_name = ${window} AND hour >= ${since} ORDER BY hour`,
  );
  return rows.map(({ hour }) => hour);
}

async function saveRanks(
  tx: Queries,
  { window, hour, source }: { window: PnlWindow; hour: number; source: string },
  ranks: PastRanks,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO past_ranks (window_name, hour, source, body)
      VALUES (${window}, ${hour}, ${source}, ${BODY.encode(ranks)}) ON CONFLICT (window_name, hour) DO NOTHING`,
  );
}

/** Deletes rankings that are too old, and another platform's: its traders are different people. */
async function forgetRanks(tx: Queries, before: number, source: string): Promise<void> {
  await tx.run(sql`DELETE FROM past_ranks WHERE hour < ${before} OR source <> ${source}`);
}

export const pastRanks = {
  reads: { find: findRanks, hours: keptHours },
  writes: { save: saveRanks, forget: forgetRanks },
} satisfies Repository;
