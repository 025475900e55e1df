// Retracting a trade or an alert: its block was re-orged out, or a price from its past became known or was re-orged out, so
// that its value is now different or unknown.
import type { Queries } from "../../database/database.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { WireChainItem } from "../../protocol/shapes/event.ts";
import {
  type FeedRow,
  type ItemPlace,
  knownIds,
  type SentTrade,
  sentItems,
  usdOf,
  type ValuedItem,
} from "./feed-items.ts";
import type { KeptBlock } from "./kept-blocks.ts";

/** Items these blocks published on a feed that are missing from their current items (`rows`), or have another value there. */
export async function sentOtherwise(
  tx: Queries,
  { chainId, blocks, feed }: { chainId: number; blocks: readonly KeptBlock[]; feed: "app" | "chain" },
  rows: readonly FeedRow[],
): Promise<SentTrade[]> {
  const values = new Map(rows.map(({ eventId, item }) => [eventId, usdOf(item as ValuedItem)]));
  const sent = await sentItems(tx, feed, chainId, blocks);
  return sent.filter(({ eventId, usd }) => values.get(eventId) !== usd);
}

/** `blocks` are the blocks of the sent items. */
export function retractions(
  chainId: number,
  blocks: readonly KeptBlock[],
  sent: readonly SentTrade[],
  reason: "reorg" | "repriced",
): FeedRow[] {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  return sent.map(({ eventId: retractedEventId, blockHash }): FeedRow => {
    const eventId = retractIdOf(retractedEventId);
    const { height = 0, timeMs: atMs = 0 } = byHash.get(blockHash) ?? {};
    const item: WireChainItem = {
      kind: "retract",
      eventId,
      retractedEventId,
      reason,
      networkId: chainId,
      at: atMs,
    };
    return { eventId, chainId, height, blockHash, atMs, item };
  });
}

const retractIdOf = (eventId: string): string => derivedUuid("retract", eventId);

/** Each item's own id, or a new one if that id was retracted. */
export async function unretractedIds(tx: Queries, items: readonly ItemPlace[]): Promise<string[]> {
  const ids = items.map(({ eventId }) => eventId);
  // An id never published was never retracted: except after a fork, that is all of them.
  const said = await knownIds(tx, items);
  for (let open = [...ids.keys()].filter((at) => said.has(ids[at] as string)); open.length > 0; ) {
    const taken = await knownIds(
      tx,
      open.map((at) => ({ ...(items[at] as ItemPlace), eventId: retractIdOf(ids[at] as string) })),
    );
    open = open.filter((at) => taken.has(retractIdOf(ids[at] as string)));
    for (const at of open) ids[at] = derivedUuid("again", ids[at] as string);
  }
  return ids;
}
