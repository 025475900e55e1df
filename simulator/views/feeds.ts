// The feeds as a reader sees them: items after a position, oldest first. An item is built from its record when read; once the
// record has expired, so has the item.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { WireAppItem, WireChainItem, WireFeedPage, WirePushItem } from "../../protocol/protocol.ts";
import { FEED_CAPACITY } from "../world/state.ts";
import { appItem } from "./app-items.ts";
import { chainItem } from "./chain-items.ts";
import { pushItem } from "./push-items.ts";
import type { View } from "./view.ts";

/** A page is at most this long, whatever limit is requested. */
const PAGE_MAX = 1_000;

/** Feeds are for following, not for history: older items are on the pages of people and tokens. */
const KEPT_MS = 3 * DAY_MS;
/** A new reader gets a little more than the longest window that is computed from a feed. */
const FIRST_KEPT_MS = 25 * HOUR_MS;

export function appFeed(view: View, after: number, limit: number): WireFeedPage<WireAppItem> {
  const { counters, tables } = view.context.state;
  return page(view, counters.appItems, tables.appFeed.columns.at, after, limit, (row) => appItem(view, row));
}

export function pushFeed(view: View, after: number, limit: number): WireFeedPage<WirePushItem> {
  const { counters, tables } = view.context.state;
  return page(view, counters.pushItems, tables.pushFeed.columns.at, after, limit, (row) =>
    pushItem(view, row),
  );
}

export function chainFeed(view: View, after: number, limit: number): WireFeedPage<WireChainItem> {
  const { counters, tables } = view.context.state;
  return page(view, counters.chainItems, tables.chainFeed.columns.at, after, limit, (row) =>
    chainItem(view, row),
  );
}

/** Positions begin at 1, so that 0 is before everything. */
function page<Item>(
  view: View,
  count: number,
  arrivedAt: { get(row: number): number },
  after: number,
  limit: number,
  item: (row: number) => Item | undefined,
): WireFeedPage<Item> {
  const keptMs = after < 1 ? FIRST_KEPT_MS : KEPT_MS;
  let oldest = oldestKept(count, arrivedAt, view.world.time - keptMs);
  const first = Math.max(oldest, Math.floor(after) + 1);
  const items: { position: number; item: Item }[] = [];
  for (let position = first; position <= count && items.length < Math.min(limit, PAGE_MAX); position++) {
    const found = item((position - 1) % FEED_CAPACITY);
    if (found !== undefined) {
      items.push({ position, item: found });
      continue;
    }
    // Its record has expired: the feed starts after it, so that a reader knows what it can no longer get.
    items.length = 0;
    oldest = position + 1;
  }
  return { items, oldest, newest: count };
}

/** The first position still in the ring that arrived since then; items arrive in order. */
function oldestKept(count: number, arrivedAt: { get(row: number): number }, since: number): number {
  let low = Math.max(1, count - FEED_CAPACITY + 1);
  let high = count + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (arrivedAt.get((middle - 1) % FEED_CAPACITY) < since) low = middle + 1;
    else high = middle;
  }
  return low;
}
