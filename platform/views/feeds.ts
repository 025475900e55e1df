// The feeds as a reader sees them: items after a position, oldest first. An item is told from its record when read;
// one whose record has been forgotten is no longer there.
import type { WireAppItem, WireChainItem, WireFeedPage, WirePushItem } from "../protocol.ts";
import { FEED_CAPACITY } from "../world/state.ts";
import { appItem } from "./app-items.ts";
import { chainItem } from "./chain-items.ts";
import { pushItem } from "./push-items.ts";
import type { View } from "./view.ts";

/** A page is at most this long, whatever is asked. */
const PAGE_LIMIT = 1_000;

export function appFeed(view: View, after: number, limit: number): WireFeedPage<WireAppItem> {
  return page(view.context.state.counters.appItems, after, limit, (row) => appItem(view, row));
}

export function pushFeed(view: View, after: number, limit: number): WireFeedPage<WirePushItem> {
  return page(view.context.state.counters.pushItems, after, limit, (row) => pushItem(view, row));
}

export function chainFeed(view: View, after: number, limit: number): WireFeedPage<WireChainItem> {
  return page(view.context.state.counters.chainItems, after, limit, (row) => chainItem(view, row));
}

/** Positions begin at 1, so that 0 is before everything. */
function page<Item>(
  count: number,
  after: number,
  limit: number,
  item: (row: number) => Item | undefined,
): WireFeedPage<Item> {
  const oldest = Math.max(1, count - FEED_CAPACITY + 1);
  const first = Math.max(oldest, Math.floor(after) + 1);
  const items: { position: number; item: Item }[] = [];
  for (let position = first; position <= count && items.length < Math.min(limit, PAGE_LIMIT); position++) {
    const found = item((position - 1) % FEED_CAPACITY);
    if (found !== undefined) items.push({ position, item: found });
  }
  return { items, oldest, newest: count };
}
