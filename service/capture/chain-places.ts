// Where the chain recorded recent swaps. The chain shows a swap some seconds before the app does; remembering the
// latest lets an app fill carry its block, that block's time and the swap's own id, after a re-org those of the block in
// which it stayed. A forgotten one costs only those.
import { createLru } from "../../kit/lru.ts";
import type { AppItem, ChainTradeItem, FeedEvent } from "../../protocol/shapes/event.ts";

export interface ChainPlace {
  swapId: string;
  block: number;
  at: number;
}

export interface ChainPlaces {
  /** True when the app showed this swap before its chain did, so that it was stored without its block. */
  note(event: FeedEvent): boolean;
  find(event: AppItem | ChainTradeItem): ChainPlace | undefined;
  /** The trade, if it is among the latest. */
  trade(eventId: string): ChainTradeItem | undefined;
  /** It was on a losing fork; may be called before the trade is noted. A trade that is in another block by now keeps that one. */
  retract(eventId: string, trade?: ChainTradeItem): void;
  isRetracted(eventId: string): boolean;
  /** For reading from the newest down: a trade is read with or after its retraction, never before. */
  forgetTrades(): void;
}

/** Twenty seconds of a very busy world (1,000 swaps a second), at about 200 bytes each. */
const REMEMBERED = 20_000;
/** Whole trades, of a kilobyte each: a re-org shows within seconds, and older ones are looked up in the log. */
const TRADES_REMEMBERED = 4_000;

export function createChainPlaces(): ChainPlaces {
  const places = createLru<string, ChainPlace>(REMEMBERED);
  const missed = createLru<string, true>(REMEMBERED);
  const trades = createLru<string, ChainTradeItem>(TRADES_REMEMBERED);
  const retracted = createLru<string, true>(REMEMBERED);
  return {
    note(event) {
      if (event.kind !== "trade" || retracted.get(event.eventId)) return false;
      trades.set(event.eventId, event);
      places.set(nameOf(event), { swapId: event.swapId, block: event.block, at: event.at });
      return missed.get(nameOf(event)) ?? false;
    },
    find(event) {
      const place = places.get(nameOf(event));
      if (!place) missed.set(nameOf(event), true);
      return place;
    },
    trade: (eventId) => trades.get(eventId),
    retract(eventId, trade = trades.get(eventId)) {
      retracted.set(eventId, true);
      if (trade && places.get(nameOf(trade))?.block === trade.block) places.delete(nameOf(trade));
    },
    isRetracted: (eventId) => retracted.get(eventId) ?? false,
    forgetTrades: trades.clear,
  };
}

const nameOf = ({ tradeId, txHash }: { tradeId: string | null; txHash: string | null }) =>
  `${tradeId} ${txHash}`;
