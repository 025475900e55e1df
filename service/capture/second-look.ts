// Retries the unreadable items of a batch one by one, a few times: an answer may have been damaged in transit,
// and a refusal is final. Items that are still unreadable stay refused.
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { Call, FeedBatch, FeedItem, Upstream } from "../upstream/port.ts";

/** Enough that a wire which spoils one item in forty answers does not lose one in a hundred million. */
const LOOKS = 5;
/** More unreadable items than this in one batch are no transmission error; asking for each would be a flood. */
const ITEMS_MAX = 20;

/** A batch that ends early is requested again from there: upstream did not answer, so nothing is decided. */
export async function secondLook(
  upstream: Upstream,
  feed: FeedName,
  batch: FeedBatch,
  call: Call,
): Promise<FeedBatch> {
  let left = ITEMS_MAX;
  const items: FeedItem[] = [];
  for (const item of batch.items) {
    const looked = "refused" in item && left-- > 0 ? await again(upstream, feed, item, call) : item;
    if (looked === null) break;
    items.push(looked);
  }
  return { ...batch, items };
}

async function again(
  upstream: Upstream,
  feed: FeedName,
  item: FeedItem,
  call: Call,
): Promise<FeedItem | null> {
  for (let look = 0; look < LOOKS; look++) {
    const answer = await upstream.feed(feed, item.position - 1, 1, call);
    const [found] = answer.kind === "found" ? answer.value.items : [];
    if (found?.position !== item.position) return null;
    if ("event" in found) return found;
  }
  return item;
}
