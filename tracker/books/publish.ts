// Publishes the books on the feeds: every change worth reporting, in chain order.
import type { Queries } from "../../database/database.ts";
import type { WireAppItem } from "../../protocol/shapes/event.ts";
import type { AlertsAt } from "../alerts-at.ts";
import { appItem, tradeItem } from "../feeds/items.ts";
import { pushOf } from "../feeds/pushes.ts";
import type { Money } from "../prices/money.ts";
import type { Directory } from "../roster/directory.ts";
import { alertHeight } from "./alert-height.ts";
import type { BooksChanges } from "./changes.ts";
import { appendItems, type FeedRow, type TrackerFeed } from "./feed-items.ts";
import { finalHeight, type KeptBlock } from "./kept-blocks.ts";
import { type TraderToken, traderTokenKey } from "./ledger.ts";
import { movesIn } from "./moves.ts";
import { retractions, sentOtherwise, unretractedIds } from "./retractions.ts";

export interface PublishParts {
  directory: Directory;
  money: Money;
  alertsAt(chainId: number): AlertsAt;
  /** Above this height nothing is an alert yet, according to the node. */
  alertBound(chainId: number): number;
}

export async function put(
  tx: Queries,
  changes: BooksChanges,
  feed: TrackerFeed,
  rows: readonly FeedRow[],
): Promise<void> {
  if (await appendItems(tx, feed, rows)) changes.feeds.add(feed);
}

interface SaidBlocks {
  chainId: number;
  blocks: readonly KeptBlock[];
  feed: "app" | "chain";
}

/** These blocks' items for a feed. */
async function itemsOf(
  tx: Queries,
  { directory, money }: PublishParts,
  changes: BooksChanges,
  { chainId, blocks, feed }: SaidBlocks,
): Promise<FeedRow[]> {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const wanted = new Map<string, { one: TraderToken; blockHash: string; txHash: string }>();
  for (const move of await movesIn(tx, chainId, blocks)) {
    if (money.kindOf(chainId, move.token) !== null || !directory.byId(move.user_id)) continue;
    const one = { userId: move.user_id, chainId, token: move.token };
    wanted.set(`${traderTokenKey(one)} ${move.tx_hash}`, {
      one,
      blockHash: move.block_hash,
      txHash: move.tx_hash,
    });
  }
  const ones = new Map([...wanted.values()].map(({ one }) => [traderTokenKey(one), one]));
  const ledgers = await changes.ledgers(tx, chainId, [...ones.values()]);
  const byKey = new Map(ledgers.map((ledger) => [traderTokenKey(ledger), ledger]));
  const rows: (FeedRow & { item: { eventId: string } })[] = [];
  for (const { one, blockHash, txHash } of wanted.values()) {
    const trader = directory.byId(one.userId);
    const ledger = byKey.get(traderTokenKey(one));
    const place = ledger?.booked.findLastIndex(({ change }) => change.txHash === txHash) ?? -1;
    const booked = ledger?.booked[place];
    if (!trader || !booked || !ledger?.known) continue;
    const isChosen = ledger.booked.slice(0, place + 1).some(({ change }) => change.isSwap);
    const item =
      feed === "chain"
        ? tradeItem(trader, booked, ledger.known, blockHash)
        : appItem(trader, booked, ledger.known, blockHash, isChosen);
    const { height, timeMs: atMs } = byHash.get(blockHash) ?? booked.change;
    if (item) rows.push({ eventId: item.eventId, chainId, height, blockHash, atMs, item });
  }
  // Trades of a fork that won, lost and won again get new ids: retracted ids stay retracted.
  const ids = await unretractedIds(tx, rows);
  return rows.map((row, at) => {
    const eventId = ids[at] ?? row.eventId;
    return { ...row, eventId, item: { ...row.item, eventId } };
  });
}

/** These blocks' current items for a feed; items published earlier that differ now are retracted, unless final. */
async function corrected(
  tx: Queries,
  parts: PublishParts,
  changes: BooksChanges,
  of: SaidBlocks,
  final: number,
): Promise<FeedRow[]> {
  const rows = await itemsOf(tx, parts, changes, of);
  const open = of.blocks.filter(({ height }) => height > final);
  const sent = await sentOtherwise(tx, { ...of, blocks: open }, rows);
  // Items of removed traders stay.
  const outdated = sent.filter(({ userId }) => parts.directory.byId(userId));
  if (outdated.length === 0) return rows;
  await put(tx, changes, of.feed, retractions(of.chainId, open, outdated, "repriced"));
  return itemsOf(tx, parts, changes, of);
}

/** Publishes alerts, and push notifications for the final ones. */
export async function putAlerts(
  tx: Queries,
  parts: PublishParts,
  changes: BooksChanges,
  chainId: number,
  blocks: readonly KeptBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  const final = await finalHeight(tx, chainId);
  const rows = await corrected(tx, parts, changes, { chainId, blocks, feed: "app" }, final);
  await put(tx, changes, "app", rows);
  const pushes = rows.flatMap((row) => {
    const item = row.height <= final ? pushOf(row.item as WireAppItem) : null;
    return item ? [{ ...row, eventId: item.eventId, item }] : [];
  });
  await put(tx, changes, "push", pushes);
}

/** Blocks that are final on arrival are history: they don't go to the chain feed. */
export async function publish(
  tx: Queries,
  parts: PublishParts,
  changes: BooksChanges,
  chainId: number,
  blocks: readonly KeptBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  const final = await finalHeight(tx, chainId);
  const alerts = await alertHeight(tx, chainId, parts.alertsAt(chainId), parts.alertBound(chainId));
  await putAlerts(
    tx,
    parts,
    changes,
    chainId,
    blocks.filter(({ height }) => height <= alerts),
  );
  const news = blocks.filter(({ height }) => height > final);
  if (news.length === 0) return;
  const rows = await corrected(tx, parts, changes, { chainId, blocks: news, feed: "chain" }, final);
  await put(tx, changes, "chain", rows);
}
