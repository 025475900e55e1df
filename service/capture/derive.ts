// Derives everything else we store from newly appended events: fills, theses, traders and tokens that were seen,
// and positions that they changed. A pure function of the events, so rerunning a batch gives the same result.
import { derivedUuid } from "../../kit/ids.ts";
import type { AppItem, ChainRetractItem, ChainTradeItem, FeedEvent } from "../../protocol/shapes/event.ts";
import type { Fill, SwapLeg } from "../../protocol/shapes/position.ts";
import { pricingOf } from "../../protocol/shapes/pricing.ts";
import type { Thesis } from "../../protocol/shapes/thesis.ts";
import type { Token } from "../../protocol/shapes/token.ts";
import { nameOfToken } from "../model/token.ts";
import type { ChainPlace, ChainPlaces } from "./chain-places.ts";

export interface PositionChange {
  tradeId: string;
  event: AppItem | ChainTradeItem;
  /** A buy or sell includes its figures; anything else has to be requested. */
  hasFigures: boolean;
  /** When it happened: the block's time where it is known, else the app's, which is later. */
  at: number;
  /** When we received it. */
  capturedAt: number;
}

/** From the log, or as they arrived. */
type TimedEvent = FeedEvent & { capturedAt?: number };

export interface Derived {
  fills: Fill[];
  /** Trades of a fork that lost, seen in an earlier batch. */
  retracted: ChainTradeItem[];
  /** In the order of the log. */
  changes: PositionChange[];
  theses: Thesis[];
  /** Positions with a fill that was shown before its chain reported its block, or that was undone. */
  doubtful: Set<string>;
  /** By userId, the last handle seen. */
  traders: Map<string, string | null>;
  /** By `nameOfToken`. */
  tokens: Map<string, Token>;
}

/** `earlier` holds what this batch retracts from an earlier one. */
export function derive(
  events: readonly TimedEvent[],
  places: ChainPlaces,
  earlier: ReadonlyMap<string, ChainTradeItem | AppItem> = new Map(),
): Derived {
  const derived: Derived = {
    fills: [],
    retracted: [],
    changes: [],
    theses: [],
    doubtful: new Set(),
    traders: new Map(),
    tokens: new Map(),
  };
  for (const event of events) {
    if (event.kind === "retract") takeBack(derived, event, places, earlier);
    if (places.note(event) && event.kind === "trade") derived.doubtful.add(event.tradeId);
  }
  /** A swap that both feeds report in one batch is one fill. */
  const fills = new Map<string, Fill>();
  for (const event of events) {
    if (event.kind === "retract" || event.kind === "final") continue;
    if (event.userId !== null) derived.traders.set(event.userId, event.handle);
    // Perps have markets, not tokens.
    if (event.token !== null && event.kind !== "perp")
      derived.tokens.set(nameOfToken(event.token), event.token);
    if (event.feed === "push") continue;
    if (event.feed === "chain" && places.isRetracted(event.eventId)) continue;
    const isFill = event.kind === "buy" || event.kind === "sell" || event.kind === "trade";
    const place = isFill ? (places.find(event) ?? reportedPlace(event)) : undefined;
    const at = place?.at ?? event.at;
    const { tradeId, capturedAt = at } = event;
    if (tradeId !== null) derived.changes.push({ tradeId, event, hasFigures: isFill, at, capturedAt });
    const fill = isFill ? fillOf(event, place) : null;
    if (fill && !fills.has(`${fill.tradeId} ${fill.txHash}`))
      fills.set(`${fill.tradeId} ${fill.txHash}`, fill);
    const thesis = event.kind === "thesis" ? thesisOf(event) : null;
    if (thesis !== null) derived.theses.push(thesis);
  }
  derived.fills.push(...fills.values());
  return derived;
}

type FillPlace = Omit<ChainPlace, "swapId" | "block"> & { swapId: string | null; block: number | null };

/** The app's own report of it, where the chain reported it in the past or not at all. */
function reportedPlace(event: AppItem | ChainTradeItem): FillPlace | undefined {
  if (event.feed !== "app" || event.execAt === null) return undefined;
  return { swapId: event.swapId, block: event.block, at: event.execAt };
}

function takeBack(
  derived: Derived,
  { retractedEventId }: ChainRetractItem,
  places: ChainPlaces,
  earlier: ReadonlyMap<string, ChainTradeItem | AppItem>,
): void {
  const found = earlier.get(retractedEventId) ?? places.trade(retractedEventId);
  // The alert's trade is retracted on its own; the alert's other subjects are requested again.
  if (found?.feed === "app") {
    if (found.tradeId !== null) derived.doubtful.add(found.tradeId);
    return;
  }
  const trade = found;
  places.retract(retractedEventId, trade);
  if (!trade) return;
  derived.retracted.push(trade);
  derived.doubtful.add(trade.tradeId);
}

/**
 * Feeds report a swap's value, not which coin paid for it, so the other leg is in dollars. Without a swap's own id
 * the transaction identifies it, the same on every node, until upstream returns the whole fill.
 */
function fillOf(event: AppItem | ChainTradeItem, place: FillPlace | undefined): Fill | null {
  const { token, tradeId, userId, amount, priceUsd, txHash } = event;
  const usd = event.feed === "chain" ? event.usd : event.fillUsd;
  if (token === null || tradeId === null || userId === null || txHash === null) return null;
  if (usd === null || amount === null || priceUsd === null) return null;
  const side = sideOf(event);
  const traded: SwapLeg = { address: token.address, symbol: token.symbol, amount, usd };
  const paid: SwapLeg = { address: "usd", symbol: "USD", amount: usd, usd };
  return {
    swapId: event.swapId ?? place?.swapId ?? derivedUuid("swap", tradeId, txHash),
    tradeId,
    userId,
    side,
    networkId: token.networkId,
    tokenIn: side === "buy" ? paid : traded,
    tokenOut: side === "buy" ? traded : paid,
    priceUsd,
    ...pricingOf(event),
    feeUsd: event.feeUsd,
    txHash,
    block: place?.block ?? null,
    at: place?.at ?? event.at,
  };
}

function sideOf(event: AppItem | ChainTradeItem): "buy" | "sell" {
  if (event.feed === "chain") return event.side;
  return event.kind === "buy" ? "buy" : "sell";
}

/** As far as the event says; likes and sums follow with the next read from upstream. */
function thesisOf(event: AppItem): Thesis | null {
  const { thesisId, tradeId, userId, handle, token, text } = event;
  if (thesisId === null || tradeId === null || userId === null || handle === null) return null;
  if (token === null || text === null) return null;
  return {
    id: thesisId,
    tradeId,
    userId,
    handle,
    displayName: event.displayName ?? handle,
    avatar: null,
    text,
    likes: null,
    replies: null,
    links: [],
    isDev: false,
    equityUsd: event.positionValueUsd,
    tradeUsd: event.fillUsd,
    realizedPnlUsd: event.realizedPnlUsd,
    unrealizedPnlUsd: null,
    token,
    createdAt: event.at,
  };
}
