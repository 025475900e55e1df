// The stored blocks. Their contents are keyed by height, so that new rows go to the end of a table and not all over it.
import type { Queries } from "../../database/database.ts";
import { type Sql, sql, tuples } from "../../database/sql.ts";
import type { BlockPlace } from "../chain.ts";

export interface KeptBlock {
  hash: string;
  height: number;
  timeMs: number;
}

const places = (blocks: readonly BlockPlace[]): Sql =>
  sql`VALUES ${tuples(blocks.map(({ height, hash }) => [height, hash]))}`;

/** For tables with a `height` and a `block_hash`; at least one block. */
export const inBlocks = (blocks: readonly BlockPlace[]): Sql =>
  sql`(height, block_hash) IN (${places(blocks)})`;

/** For the table of blocks itself; at least one block. */
export const keptAt = (chainId: number, blocks: readonly BlockPlace[]): Sql =>
  sql`chain_id = ${chainId} AND (height, hash) IN (${places(blocks)})`;

export interface BlockCoin {
  coinUsd: number | null;
  coinAsOf: number | null;
  timeMs: number;
}

/** The coin price in each of these blocks; blocks that are not stored are left out. */
export async function coinsIn(
  queries: Queries,
  chainId: number,
  blocks: readonly BlockPlace[],
): Promise<Map<string, BlockCoin>> {
  const coins = new Map<string, BlockCoin>();
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_READ) {
    const some = blocks.slice(start, start + BLOCKS_PER_READ);
    const rows = await queries.all<BlockCoin & { hash: string }>(
      sql`SELECT hash, coin_usd AS "coinUsd", coin_as_of AS "coinAsOf", time_ms AS "timeMs" FROM tracker_block
        WHERE ${keptAt(chainId, some)}`,
    );
    for (const { hash, ...coin } of rows) coins.set(hash, coin);
  }
  return coins;
}

const BLOCKS_PER_READ = 256;

export async function newestHeight(tx: Queries, chainId: number): Promise<number> {
  const row = await tx.one<{ height: number | null }>(
    sql`SELECT MAX(height) AS height FROM tracker_block WHERE chain_id = ${chainId}`,
  );
  return row?.height ?? -1;
}

/** The height up to which everything is final. */
export async function finalHeight(queries: Queries, chainId: number): Promise<number> {
  const row = await queries.one<{ height: number }>(
    sql`SELECT height FROM tracker_final WHERE chain_id = ${chainId}`,
  );
  return row?.height ?? -1;
}

export async function blocksOf(
  tx: Queries,
  chainId: number,
  blocks: readonly BlockPlace[],
): Promise<KeptBlock[]> {
  const kept: KeptBlock[] = [];
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_READ) {
    const some = keptAt(chainId, blocks.slice(start, start + BLOCKS_PER_READ));
    kept.push(
      ...(await tx.all<KeptBlock>(
        sql`SELECT hash, height, time_ms AS "timeMs" FROM tracker_block WHERE ${some}`,
      )),
    );
  }
  return kept.sort((a, b) => a.height - b.height);
}

/** Stored blocks above one height and up to another, oldest first. */
export function blocksBetween(
  tx: Queries,
  chainId: number,
  above: number,
  upTo: number,
): Promise<KeptBlock[]> {
  return tx.all(
    sql`SELECT hash, height, time_ms AS "timeMs" FROM tracker_block
      WHERE chain_id = ${chainId} AND height > ${above} AND height <= ${upTo} ORDER BY height`,
  );
}
