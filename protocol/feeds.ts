// Pages of a feed. Every item after the requested position is returned once and in order: as an event, or as a refused
// item with the reason. Duplicates and disorder within a page are corrected.
import { fields, Malformed } from "./schema.ts";
import { FEED_ITEMS, type FeedEvent, type FeedName } from "./shapes/event.ts";
import { count } from "./values.ts";

/** Positions grow by one per item; a reader requests items after the last one it has. */
export interface WireFeedPage<Item> {
  items: { position: number; item: Item }[];
  /** The oldest position still kept and the newest one. */
  oldest: number;
  newest: number;
}

/** One delivered item: an event, or why it was refused (with the raw item, shortened, for the operator). */
export type FeedItem =
  | { position: number; event: FeedEvent }
  | { position: number; refused: { reason: string; sample: string } };

export interface FeedBatch {
  items: FeedItem[];
  /** The oldest position the platform still has: a reader behind it has a gap. */
  oldest: number;
  newest: number;
}

/** Several times a reader's maximum, so that a page with every item doubled can still be read. */
const PAGE_ITEMS_MAX = 10_000;
const SAMPLE_LENGTH_MAX = 512;

export function readFeedPage(value: unknown, feed: FeedName, after: number, limit: number): FeedBatch {
  const from = fields(value);
  const oldest = count.read(from.oldest, "oldest");
  const newest = count.read(from.newest, "newest");
  const given = from.items;
  if (!Array.isArray(given) || given.length > PAGE_ITEMS_MAX) throw new Malformed("items");
  const placed = given.map(place).sort((left, right) => left.position - right.position);

  const items: FeedItem[] = [];
  let last = after;
  for (const { position, item } of placed) {
    if (position > newest || items.length === limit) break;
    // A duplicate, or older than requested.
    if (position <= last) continue;
    items.push(readItem(feed, position, item));
    last = position;
  }
  // It claims there is more, but no item is usable: not an answer to continue from.
  if (items.length === 0 && newest > after) throw new Malformed("items");
  return { items, oldest, newest };
}

function place(value: unknown): { position: number; item: unknown } {
  const from = fields(value);
  return { position: count.read(from.position, "position"), item: from.item };
}

function readItem(feed: FeedName, position: number, item: unknown): FeedItem {
  try {
    return { position, event: FEED_ITEMS[feed].read(item, "not an object") };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { position, refused: { reason: error.message, sample: sampleOf(item) } };
  }
}

function sampleOf(item: unknown): string {
  try {
    return (JSON.stringify(item) ?? "nothing").slice(0, SAMPLE_LENGTH_MAX).toWellFormed();
  } catch {
    // Nested deeper than the stack: still only a bad item, not a bad page.
    return "nested too deeply";
  }
}
