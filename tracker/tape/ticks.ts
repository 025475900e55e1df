// The tape's ticks as stored: one token against money, in dollars.
import { insertMany, type Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

export interface PoolTick {
  timeMs: number;
  /** Orders ticks with the same time, even across blocks. */
  place: number;
  height: number;
  pool: string;
  priceUsd: number;
  depthUsd: number;
  feeBps: number;
  bought: number;
  usd: number;
}

/** More events than any block has. */
const EVENTS_A_BLOCK_MAX = 65_536;
export const placeOf = (height: number, index: number): number => height * EVENTS_A_BLOCK_MAX + index;

export async function saveTicks(
  tx: Queries,
  ticks: readonly (PoolTick & { chainId: number; token: string })[],
): Promise<void> {
  await insertMany(tx, "tracker_tick", ticks, "ON CONFLICT (chain_id, token, time_ms, place) DO NOTHING");
}

/** Oldest first, after a given time and place. */
export function ticksAfter(
  queries: Queries,
  of: { chainId: number; token: string },
  after: { timeMs: number; place: number },
  toMs: number,
  limit: number,
): Promise<PoolTick[]> {
  return queries.all<PoolTick>(
    sql`SELECT time_ms AS "timeMs", place, height, pool, price_usd AS "priceUsd", depth_usd AS "depthUsd",
        fee_bps AS "feeBps", bought, usd FROM tracker_tick
      WHERE chain_id = ${of.chainId} AND token = ${of.token}
        AND (time_ms, place) > (${after.timeMs}, ${after.place}) AND time_ms < ${toMs}
      ORDER BY time_ms, place LIMIT ${limit}`,
  );
}

/** Returns the number of deleted rows. */
export function forgetTicks(tx: Queries, beforeMs: number, max: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM tracker_tick WHERE (chain_id, token, time_ms, place) IN
      (SELECT chain_id, token, time_ms, place FROM tracker_tick WHERE time_ms < ${beforeMs} LIMIT ${max})`,
  );
}
