// A fill read from the chain as a frame of /ws/trades, and the retraction of a trade or an alert.
import type { z } from "zod";
import type { Chains } from "../chains.ts";
import type { RetractFrame, TradeFrame } from "../shapes/frames.ts";
import { alertId } from "./alert.ts";
import type { ChainRetractInput, ChainTradeInput } from "./events.ts";

const tradeFrameId = (event: { at: number; seq: number }) => `trd_${event.at}_${event.seq}`;

const sentIdOf = (sent: { feed: "app" | "chain"; at: number; seq: number }) =>
  sent.feed === "app" ? alertId(sent) : tradeFrameId(sent);

/** `verified`: whether the wallet is known to be the trader's. */
export function tradeFrame(
  event: ChainTradeInput,
  chains: Chains,
  verified: boolean,
): z.infer<typeof TradeFrame> {
  return {
    type: "trade",
    id: tradeFrameId(event),
    eventId: event.eventId,
    seq: event.seq,
    tradeId: event.tradeId,
    swapId: event.swapId,
    chain: chains.nameOf(event.token.networkId),
    chainId: event.token.networkId,
    side: event.side,
    userId: event.userId,
    trader: { wallet: event.wallet, handle: event.handle, userId: event.userId },
    token: { address: event.token.address, symbol: event.token.symbol, mcap: event.marketCapUsd },
    usdValue: event.usd,
    amountToken: event.amount,
    priceUsd: event.priceUsd,
    txHash: event.txHash,
    block: event.block,
    blockTs: event.at,
    seenAt: event.capturedAt,
    latencyMs: event.capturedAt - event.at,
    source: "onchain",
    finality: event.finality,
    verified: verified ? "db" : false,
  };
}

/** `retracted` is the trade or alert as it was sent; if it is no longer stored, only its eventId is left. */
export function retractFrame(
  event: ChainRetractInput,
  retracted: { feed: "app" | "chain"; at: number; seq: number } | null,
  chains: Chains,
): z.infer<typeof RetractFrame> {
  return {
    type: "retract",
    id: retracted ? sentIdOf(retracted) : event.retractedEventId,
    eventId: event.retractedEventId,
    seq: event.seq,
    reason: event.reason,
    chainId: event.networkId,
    chain: chains.nameOf(event.networkId),
    ts: event.at,
  };
}
