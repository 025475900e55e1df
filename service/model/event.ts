// An event: one thing that happened, as one row of the log. What capture appends, streams deliver and the
// alert feed reads is this and nothing else. `seq` orders the log; `eventId` makes each event unique in it.
import type { Token } from "./token.ts";

/** Which of the platform's feeds an event came from. */
export const FEEDS = ["app", "push", "chain"] as const;
export type Feed = (typeof FEEDS)[number];

/** The feeds whose events are alerts. What a chain tells first is a trade on a stream of its own. */
const ALERT_FEEDS: ReadonlySet<Feed> = new Set(["app", "push"]);

export function isAlert(event: { feed: Feed }): boolean {
  return ALERT_FEEDS.has(event.feed);
}

export interface AppEvent {
  feed: "app";
  kind: "buy" | "sell" | "thesis" | "perp" | "transfer" | "listing";
  eventId: string;
  at: number;
  userId: string | null;
  handle: string | null;
  displayName: string | null;
  token: Token | null;
  tradeId: string | null;
  swapId: string | null;
  transferId: string | null;
  thesisId: string | null;
  text: string | null;
  fillUsd: number | null;
  amount: number | null;
  priceUsd: number | null;
  txHash: string | null;
  positionValueUsd: number | null;
  realizedPnlUsd: number | null;
  realizedPnlUsdDelta: number | null;
}

export interface PushEvent {
  feed: "push";
  kind: "push";
  eventId: string;
  at: number;
  notificationType: string | null;
  title: string;
  text: string;
  userId: string | null;
  handle: string | null;
  token: Token | null;
  /** The notification as upstream sent it. */
  raw: Record<string, unknown>;
}

export interface ChainTradeEvent {
  feed: "chain";
  kind: "trade";
  eventId: string;
  /** The block's time. */
  at: number;
  tradeId: string;
  swapId: string;
  side: "buy" | "sell";
  userId: string;
  handle: string;
  wallet: string;
  token: Token;
  marketCapUsd: number | null;
  usd: number;
  amount: number;
  priceUsd: number;
  txHash: string;
  block: number;
  finality: "confirmed" | "finalized";
}

export interface ChainRetractEvent {
  feed: "chain";
  kind: "retract";
  eventId: string;
  at: number;
  networkId: number;
  retractedEventId: string;
  reason: string;
}

export type CapturedEvent = AppEvent | PushEvent | ChainTradeEvent | ChainRetractEvent;

/**
 * A captured event with its place in the log. Delays count from `capturedAt`. What had happened before the log began is
 * history: it can be read, and is nobody's news.
 */
export type LogEvent = CapturedEvent & { seq: number; capturedAt: number; isHistory?: true };
