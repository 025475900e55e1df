// Items of the chain feed: each trade when its block recorded it, about 15 s before the app shows it. After a re-org the first
// item is retracted and the trade is sent again, with another hash, a later block and another eventId, and the same swapId.
// When its block can no longer be undone, an item says so.
import type { WireChainItem } from "../../protocol/protocol.ts";
import { isReorganised } from "../world/blocks.ts";
import { CHAIN_FINAL, CHAIN_RETRACT, CHAIN_TRADE, CHAIN_TRADE_AGAIN } from "../world/feeds.ts";
import { feeOf } from "../world/fees.ts";
import { network } from "../world/networks.ts";
import { priceAt } from "../world/prices.ts";
import { BUY } from "../world/state.ts";
import { fillKept, placeOf } from "./fills.ts";
import { paidInDollars } from "./pricing.ts";
import { dollars, MICRO, type View, volumeText } from "./view.ts";

const KINDS = 4;

export function chainItem(view: View, feedRow: number): WireChainItem | undefined {
  const feed = view.tables.chainFeed.columns;
  const kind = feed.kind.get(feedRow);
  const number = feed.number.get(feedRow);
  const at = Math.floor(feed.at.get(feedRow));
  if (!fillKept(view, number)) return undefined;
  const fills = view.tables.fills.columns;
  const first = kind === CHAIN_TRADE;
  const { txHash, block, blockAt, row } = placeOf(view, number, first);
  const { population, tokens } = view.context;
  const token = tokens.get(fills.token.get(row));
  const on = network(token.network);
  const eventId = view.ids.chainEvent.encode(number * KINDS + kind);
  if (kind === CHAIN_RETRACT) {
    const retractedEventId = view.ids.chainEvent.encode(number * KINDS + CHAIN_TRADE);
    return { kind: "retract", eventId, retractedEventId, reason: "reorg", networkId: on.id, at };
  }
  if (kind === CHAIN_FINAL) {
    const stayed = isReorganised(view.context, number) ? CHAIN_TRADE_AGAIN : CHAIN_TRADE;
    const finalizedEventId = view.ids.chainEvent.encode(number * KINDS + stayed);
    return { kind: "final", eventId, finalizedEventId, networkId: on.id, at };
  }
  const trader = population.get(fills.trader.get(row));
  const wallets = population.wallets(trader);
  const amount = fills.amount.get(row);
  const usd = fills.usd.get(row);
  const undone = first && isReorganised(view.context, number);
  return {
    kind: "trade",
    eventId,
    tradeId: view.ids.trade.encode(fills.position.get(row), fills.slot.get(row)),
    swapId: view.ids.swap.encode(number),
    side: fills.kind.get(row) === BUY ? "buy" : "sell",
    userId: view.userId(trader.index),
    handle: trader.handle,
    wallet: (on.solana ? wallets.solana : wallets.evm) ?? "",
    token: view.token(token),
    // Right after the fill.
    marketCapUsd: priceAt(token.price, fills.at.get(row)) * Math.exp(fills.shift.get(row)) * token.supply,
    usd: volumeText(usd),
    amount: amount / MICRO,
    priceUsd: usd / amount,
    ...paidInDollars(blockAt),
    feeUsd: dollars(feeOf(view.context, row)),
    txHash,
    block,
    blockAt,
    finality: !undone && view.now - blockAt >= on.finalAfterMs ? "finalized" : "confirmed",
  };
}
