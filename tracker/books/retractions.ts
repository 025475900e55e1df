// Taking a trade or an alert back: its block lost, or a price from its past became known and it is worth something else.
import type { Queries } from "../../database/database.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { WireChainItem } from "../../protocol/shapes/event.ts";
import { type FeedRow, type ItemPlace, knownIds, type SentTrade, sentItems } from "./feed-items.ts";
import type { KeptBlock } from "./kept-blocks.ts";

/** Trades on the feed, under the ids of these rows, that are valued otherwise by now. */
export async function sentWithOtherValues(
  tx: Queries,
  chainId: number,
  blocks: readonly KeptBlock[],
  rows: readonly FeedRow[],
): Promise<SentTrade[]> {
  if ((await knownIds(tx, rows)).size === 0) return [];
  const values = new Map(rows.map(({ eventId, item }) => [eventId, (item as { usd?: string }).usd]));
  const sent = await sentItems(tx, "chain", chainId, blocks);
  return sent.filter(({ eventId, usd }) => values.has(eventId) && values.get(eventId) !== usd);
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
