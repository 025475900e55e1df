// What is kept of the blocks that were read.
import type { Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";
import type { BlockRef } from "../chain.ts";

export async function coinUsdIn(tx: Queries, { chainId, hash }: BlockRef): Promise<number | null> {
  const row = await tx.one<{ coin_usd: number | null }>(
    sql`SELECT coin_usd FROM tracker_block WHERE chain_id = ${chainId} AND hash = ${hash}`,
  );
  return row?.coin_usd ?? null;
}

export async function newestHeight(tx: Queries, chainId: number): Promise<number> {
  const row = await tx.one<{ height: number | null }>(
    sql`SELECT MAX(height) AS height FROM tracker_block WHERE chain_id = ${chainId}`,
  );
  return row?.height ?? -1;
}

/** The height up to which nothing changes any more. */
export async function finalHeight(queries: Queries, chainId: number): Promise<number> {
  const row = await queries.one<{ height: number }>(
    sql`SELECT height FROM tracker_final WHERE chain_id = ${chainId}`,
  );
  return row?.height ?? -1;
}

export async function blocksOf(tx: Queries, chainId: number, hashes: readonly string[]) {
  if (hashes.length === 0) return [];
  return await tx.all<{ hash: string; height: number }>(
    sql`SELECT hash, height FROM tracker_block WHERE chain_id = ${chainId} AND hash IN (${list(hashes)})
      ORDER BY height`,
  );
}

export async function blockTimes(
  tx: Queries,
  chainId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.all<{ hash: string; time_ms: number }>(
    sql`SELECT hash, time_ms FROM tracker_block WHERE chain_id = ${chainId} AND hash IN (${list(hashes)})`,
  );
  return new Map(rows.map(({ hash, time_ms }) => [hash, time_ms]));
}
