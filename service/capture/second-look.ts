// Asks once more for the items of a batch that could not be read, each by itself: an answer that was spoilt on its way is
// not the event's fault, and a refusal is for good. What is still unreadable then stays refused.
import type { Feed } from "../model/event.ts";
import type { Call, FeedBatch, FeedItem, Upstream } from "../upstream/port.ts";

const LOOKS = 2;
/** More unreadable items than this in one batch are no accident of the way; asking for each would be a flood. */
const MOST_ITEMS = 20;

/** A batch that ends early is asked for again from there: upstream did not answer, so nothing is decided. */
export async function secondLook(
  upstream: Upstream,
  feed: Feed,
  batch: FeedBatch,
  call: Call,
): Promise<FeedBatch> {
  let left = MOST_ITEMS;
  const items: FeedItem[] = [];
  for (const item of batch.items) {
    const looked = "refused" in item && left-- > 0 ? await again(upstream, feed, item, call) : item;
    if (looked === null) break;
    items.push(looked);
  }
  return { ...batch, items };
}

async function again(upstream: Upstream, feed: Feed, item: FeedItem, call: Call): Promise<FeedItem | null> {
  for (let look = 0; look < LOOKS; look++) {
    const answer = await upstream.feed(feed, item.position - 1, 1, call);
    const [told] = answer.kind === "found" ? answer.value.items : [];
    if (told?.position !== item.position) return null;
    if ("event" in told) return told;
  }
  return item;
}
