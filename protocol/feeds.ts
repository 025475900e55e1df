// Pages of a feed. Every item behind the position asked for comes out once and in order: as an event, or as a refused
// item with the reason. Repeats and disorder within a page are put right.
import { fields, Malformed } from "./schema.ts";
import { FEED_ITEMS, type FeedEvent, type FeedName } from "./shapes/event.ts";
import { count } from "./values.ts";

/** Positions grow by one for each item; a reader asks for what comes after the last one it has. */
export interface WireFeedPage<Item> {
  items: { position: number; item: Item }[];
  /** The oldest position still kept and the newest one there is. */
  oldest: number;
  newest: number;
}

/** One delivered item: an event, or why it was refused (with what came, shortened, for the operator). */
export type FeedItem =
  | { position: number; event: FeedEvent }
  | { position: number; refused: { reason: string; sample: string } };

export interface FeedBatch {
  items: FeedItem[];
  /** The oldest position the platform still has: a reader that wants older ones has a gap. */
  oldest: number;
  newest: number;
}

/** Several times what a reader asks for at most, so that a page in which every item is doubled can still be read. */
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
    // A repeat, or something older than was asked for.
    if (position <= last) continue;
    items.push(readItem(feed, position, item));
    last = position;
  }
  // There is more, by its own word, and not one item of it can be used: not an answer to continue from.
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
