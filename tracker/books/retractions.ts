// Taking a trade or an alert back: its block lost, or a price from its past became known or lost its block, and it is worth something
// else now, or nothing that is known.
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

/** What these blocks said on a feed that is not, or not at this value, among what they say now: these rows. */
export async function sentOtherwise(
  tx: Queries,
  { chainId, blocks, feed }: { chainId: number; blocks: readonly KeptBlock[]; feed: "app" | "chain" },
  rows: readonly FeedRow[],
): Promise<SentTrade[]> {
  const values = new Map(rows.map(({ eventId, item }) => [eventId, usdOf(item as ValuedItem)]));
  const sent = await sentItems(tx, feed, chainId, blocks);
  return sent.filter(({ eventId, usd }) => values.get(eventId) !== usd);
}

/** `blocks` are those of what was sent. */
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

/** The id of each of these itself, or another where an event of that id was taken back. */
export async function unretractedIds(tx: Queries, items: readonly ItemPlace[]): Promise<string[]> {
  const ids = items.map(({ eventId }) => eventId);
  // What was never said was never taken back: that is all of them, but after a fork.
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
