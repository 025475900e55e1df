// What newly appended events say about everything else we keep: fills, theses, traders and tokens that were seen,
// and positions that they changed. A pure function of the events, so a batch that runs again says the same.
import { derivedUuid } from "../../kit/ids.ts";
import type { AppEvent, CapturedEvent } from "../model/event.ts";
import type { Fill, SwapLeg } from "../model/position.ts";
import type { Thesis } from "../model/thesis.ts";
import type { Token } from "../model/token.ts";
import type { ChainPlace, ChainPlaces } from "./chain-places.ts";

export interface PositionChange {
  tradeId: string;
  event: AppEvent;
  /** A buy or sell tells its figures; anything else has to be asked for. */
  told: boolean;
  /** When it happened: the block's time where it is known, else the app's, which is later. */
  at: number;
}

export interface Derived {
  fills: Fill[];
  /** In the order of the log. */
  changes: PositionChange[];
  theses: Thesis[];
  /** Positions with a fill that was shown before its chain told when and where it was made. */
  misplaced: Set<string>;
  /** By userId, the last handle seen. */
  traders: Map<string, string | null>;
  /** By `tokenKey`. */
  tokens: Map<string, Token>;
}

export function tokenKey(token: Pick<Token, "networkId" | "address">): string {
  return `${token.networkId}:${token.address}`;
}

export function derive(events: readonly CapturedEvent[], places: ChainPlaces): Derived {
  const derived: Derived = {
    ...{ fills: [], changes: [], theses: [], misplaced: new Set(), traders: new Map(), tokens: new Map() },
  };
  for (const event of events)
    if (places.note(event) && event.kind === "trade") derived.misplaced.add(event.tradeId);
  for (const event of events) {
    if (event.kind === "retract") continue;
    if (event.userId !== null) derived.traders.set(event.userId, event.handle);
    // Perps have markets, not tokens.
    if (event.token !== null && event.kind !== "perp") derived.tokens.set(tokenKey(event.token), event.token);
    if (event.feed !== "app") continue;
    const told = event.kind === "buy" || event.kind === "sell";
    const place = told ? places.find(event) : undefined;
    const at = place?.at ?? event.at;
    if (event.tradeId !== null) derived.changes.push({ tradeId: event.tradeId, event, told, at });
    if (told) {
      const fill = fillOf(event, event.kind === "buy" ? "buy" : "sell", place);
      if (fill !== null) derived.fills.push(fill);
    } else if (event.kind === "thesis") {
      const thesis = thesisOf(event);
      if (thesis !== null) derived.theses.push(thesis);
    }
  }
  return derived;
}

/**
 * The app shows what a swap was worth, not which coin paid for it, so the other leg is in dollars. Without a swap's
 * own id the transaction names it, alike on every node, until upstream tells the whole fill.
 */
function fillOf(event: AppEvent, side: "buy" | "sell", place: ChainPlace | undefined): Fill | null {
  const { token, tradeId, userId, fillUsd, amount, priceUsd, txHash } = event;
  if (token === null || tradeId === null || userId === null || txHash === null) return null;
  if (fillUsd === null || amount === null || priceUsd === null) return null;
  const traded: SwapLeg = { address: token.address, symbol: token.symbol, amount, usd: fillUsd };
  const paid: SwapLeg = { address: "usd", symbol: "USD", amount: fillUsd, usd: fillUsd };
  return {
    swapId: event.swapId ?? place?.swapId ?? derivedUuid("swap", tradeId, txHash),
    tradeId,
    userId,
    side,
    networkId: token.networkId,
    tokenIn: side === "buy" ? paid : traded,
    tokenOut: side === "buy" ? traded : paid,
    priceUsd,
    feeUsd: null,
    txHash,
    block: place?.block ?? null,
    at: place?.at ?? event.at,
  };
}

/** As far as the event tells it; likes and sums come with the next look at upstream. */
function thesisOf(event: AppEvent): Thesis | null {
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
    replies: 0,
    links: [],
    isDev: false,
    equityUsd: event.positionValueUsd ?? 0,
    tradeUsd: event.fillUsd ?? 0,
    realizedPnlUsd: event.realizedPnlUsd ?? 0,
    unrealizedPnlUsd: 0,
    token,
    createdAt: event.at,
  };
}
