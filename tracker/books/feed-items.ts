// Storage of the feeds: positions are assigned in the transaction that appends an item, so visible items never change position,
// and an item appended twice is stored once.
import { insertMany, type Queries } from "../../database/database.ts";
import { sql, tuples } from "../../database/sql.ts";
import type { WireFeedPage } from "../../protocol/feeds.ts";
import { inBlocks, type KeptBlock } from "./kept-blocks.ts";

export const TRACKER_FEEDS = ["app", "chain", "push"] as const;
export type TrackerFeed = (typeof TRACKER_FEEDS)[number];

export interface FeedRow {
  eventId: string;
  chainId: number;
  /** Of its block: used to find a block's items again. */
  height: number;
  blockHash: string;
  atMs: number;
  item: unknown;
}

/** Items are looked up by height too: an id alone could be anywhere in the index. */
export type ItemPlace = Pick<FeedRow, "chainId" | "height" | "eventId">;

const IDS_PER_READ = 256;

/** The ids that are already on a feed. */
export async function knownIds(tx: Queries, items: readonly ItemPlace[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let start = 0; start < items.length; start += IDS_PER_READ) {
    const some = items.slice(start, start + IDS_PER_READ);
    const places = tuples(some.map(({ chainId, height, eventId }) => [chainId, height, eventId]));
    const found = await tx.all<{ event_id: string }>(
      sql`SELECT event_id FROM tracker_feed WHERE (chain_id, height, event_id) IN (VALUES ${places})`,
    );
    for (const { event_id } of found) known.add(event_id);
  }
  return known;
}

/** Returns whether anything was new. */
export async function appendItems(
  tx: Queries,
  feed: TrackerFeed,
  rows: readonly FeedRow[],
): Promise<boolean> {
  if (rows.length === 0) return false;
  const known = await knownIds(tx, rows);
  const fresh = new Map(rows.filter(({ eventId }) => !known.has(eventId)).map((row) => [row.eventId, row]));
  if (fresh.size === 0) return false;
  const head = await tx.one<{ position: number }>(
    sql`SELECT position FROM tracker_feed_head WHERE feed = ${feed}`,
  );
  const before = head?.position ?? 0;
  await insertMany(
    tx,
    "tracker_feed",
    [...fresh.values()].map(({ eventId, chainId, height, blockHash, atMs, item }, at) => ({
      feed,
      position: before + at + 1,
      eventId,
      chainId,
      height,
      blockHash,
      atMs,
      item: JSON.stringify(item),
    })),
  );
  await tx.run(
    sql`INSERT INTO tracker_feed_head (feed, position) VALUES (${feed}, ${before + fresh.size})
      ON CONFLICT (feed) DO UPDATE SET position = excluded.position`,
  );
  return true;
}

export async function readItems<Item>(
  queries: Queries,
  feed: TrackerFeed,
  after: number,
  limit: number,
): Promise<WireFeedPage<Item>> {
  const rows = await queries.all<{ position: number; item: string }>(
    sql`SELECT position, item FROM tracker_feed WHERE feed = ${feed} AND position > ${after}
      ORDER BY position LIMIT ${limit}`,
  );
  const head = await queries.one<{ position: number }>(
    sql`SELECT position FROM tracker_feed_head WHERE feed = ${feed}`,
  );
  const oldest = await queries.one<{ position: number | null }>(
    sql`SELECT MIN(position) AS position FROM tracker_feed WHERE feed = ${feed}`,
  );
  const newest = head?.position ?? 0;
  const items = rows
    .filter((row) => row.position <= newest)
    .map(({ position, item }) => ({ position, item: JSON.parse(item) as Item }));
  return { items, oldest: oldest?.position ?? newest + 1, newest };
}

/** The items that these blocks put on a feed and that are not retracted; finalized trades are left out. */
export async function sentItems(
  queries: Queries,
  feed: TrackerFeed,
  chainId: number,
  blocks: readonly KeptBlock[],
): Promise<SentTrade[]> {
  if (blocks.length === 0) return [];
  const rows = await queries.all<{ event_id: string; block_hash: string; item: string; position: number }>(
    sql`SELECT event_id, block_hash, item, position FROM tracker_feed
      WHERE feed = ${feed} AND chain_id = ${chainId} AND ${inBlocks(blocks)}`,
  );
  // Sorted here: with ORDER BY, SQLite scans the whole feed instead of looking the blocks up.
  rows.sort((a, b) => a.position - b.position);
  const items = rows.map((row) => ({ row, item: JSON.parse(row.item) as ToldItem }));
  const gone = new Set(items.map(({ item }) => item.retractedEventId ?? item.finalizedEventId));
  return items
    .filter(({ item }) => !TAKES_BACK.has(item.kind) && !gone.has(item.eventId))
    .map(({ row, item }) => ({
      eventId: row.event_id,
      blockHash: row.block_hash,
      userId: item.userId ?? "",
      usd: usdOf(item),
    }));
}

const TAKES_BACK: ReadonlySet<string> = new Set(["retract", "final"]);

export interface SentTrade {
  eventId: string;
  blockHash: string;
  userId: string;
  usd: string | null;
}

/** A trade on the chain feed, or an alert; transfer alerts have no value that counts. */
export interface ValuedItem {
  usd?: string;
  fillUsd?: string | null;
}

export const usdOf = ({ usd, fillUsd }: ValuedItem): string | null => usd ?? fillUsd ?? null;

interface ToldItem extends ValuedItem {
  kind: string;
  eventId: string;
  userId?: string | null;
  retractedEventId?: string;
  finalizedEventId?: string;
}

/** Deletes items older than this among the first of a feed; a reader that is behind sees it from `oldest`. */
export function forgetItems(
  tx: Queries,
  feed: TrackerFeed,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return tx.run(
    sql`DELETE FROM tracker_feed WHERE feed = ${feed} AND position IN (
      SELECT position FROM (SELECT position, at_ms FROM tracker_feed WHERE feed = ${feed} ORDER BY position LIMIT ${limit}) AS first
      WHERE at_ms < ${beforeMs})`,
  );
}
