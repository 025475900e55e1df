// Model nouns for tests: valid, with fresh ids, and with the test's own changes.
import { freshUuid } from "../../kit/ids.ts";
import type { AppItem, ChainRetractItem, ChainTradeItem, PushItem } from "../../protocol/shapes/event.ts";
import type { Fill, Position, Transfer } from "../../protocol/shapes/position.ts";
import { UNKNOWN_PRICING } from "../../protocol/shapes/pricing.ts";
import type { Thesis } from "../../protocol/shapes/thesis.ts";
import type { Token, TokenInfo } from "../../protocol/shapes/token.ts";
import type { Trader } from "../../protocol/shapes/trader.ts";

/** 2026-01-01T00:00:00Z. */
export const MIDNIGHT = 1_767_225_600_000;
export const SOLANA = 1_399_811_149;
export const BASE = 8_453;

export function token(change: Partial<Token> = {}): Token {
  const symbol = change.symbol ?? "BONK";
  return {
    address: "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",
    networkId: SOLANA,
    symbol,
    name: symbol,
    image: null,
    decimals: 5,
    ...change,
  };
}

export function tokenInfo(change: Partial<TokenInfo> = {}): TokenInfo {
  return {
    ...token(),
    priceUsd: 1,
    change24h: null,
    marketCapUsd: 1e6,
    supply: 1e6,
    holders: 10,
    launchedAt: MIDNIGHT,
    graduatedAt: null,
    deployer: null,
    lowFees: false,
    ...UNKNOWN_PRICING,
    ...change,
  };
}

export function appEvent(change: Partial<AppItem> = {}): AppItem {
  return {
    feed: "app",
    kind: "buy",
    eventId: freshUuid(),
    at: MIDNIGHT,
    userId: freshUuid(),
    handle: "Ansem",
    displayName: "Ansem",
    token: token(),
    tradeId: freshUuid(),
    swapId: null,
    transferId: null,
    thesisId: null,
    text: null,
    fillUsd: 100,
    amount: 50,
    priceUsd: 2,
    txHash: freshUuid(),
    positionValueUsd: 100,
    realizedPnlUsd: null,
    realizedPnlUsdDelta: null,
    feeUsd: null,
    ...UNKNOWN_PRICING,
    execAt: null,
    block: null,
    fillMatch: null,
    direction: null,
    valueUsd: null,
    counterparty: null,
    market: null,
    side: null,
    action: null,
    leverage: null,
    sizeUsd: null,
    ...change,
  };
}

export function pushEvent(change: Partial<PushItem> = {}): PushItem {
  return {
    feed: "push",
    kind: "push",
    eventId: freshUuid(),
    at: MIDNIGHT,
    notificationType: "LARGE_BUY",
    title: "Large buy",
    text: "Somebody bought",
    userId: null,
    handle: null,
    token: token(),
    raw: {},
    ...change,
  };
}

export function chainTrade(change: Partial<ChainTradeItem> = {}): ChainTradeItem {
  return {
    feed: "chain",
    kind: "trade",
    eventId: freshUuid(),
    at: MIDNIGHT,
    tradeId: freshUuid(),
    swapId: freshUuid(),
    side: "buy",
    userId: freshUuid(),
    handle: "Ansem",
    wallet: "w",
    token: token(),
    marketCapUsd: null,
    usd: 100,
    amount: 50,
    priceUsd: 2,
    feeUsd: null,
    ...UNKNOWN_PRICING,
    txHash: freshUuid(),
    block: 1,
    finality: "confirmed",
    ...change,
  };
}

export function chainRetract(change: Partial<ChainRetractItem> = {}): ChainRetractItem {
  return {
    feed: "chain",
    kind: "retract",
    eventId: freshUuid(),
    at: MIDNIGHT,
    networkId: SOLANA,
    retractedEventId: freshUuid(),
    reason: "reorg",
    ...change,
  };
}

export function trader(change: Partial<Trader> = {}): Trader {
  const handle = change.handle ?? `h${freshUuid().slice(0, 8)}`;
  return {
    userId: freshUuid(),
    handle,
    displayName: handle,
    avatar: null,
    verified: false,
    bio: null,
    twitter: null,
    clan: null,
    private: false,
    followers: 1,
    following: 2,
    trades: 3,
    swapCount: 4,
    volumeUsd: 5,
    pnl24h: null,
    createdAt: MIDNIGHT,
    wallets: {
      status: "resolved",
      solana: null,
      evm: null,
      verified: false,
      evidence: { solana: null, evm: null },
      all: null,
    },
    formerHandles: [],
    pnl: { "24h": 0, "7d": 0, "30d": 0, all: 0 },
    averageHoldTimeSeconds: null,
    holdingsCount: 0,
    holdings: [],
    ...change,
  };
}

export function position(change: Partial<Position> = {}): Position {
  return {
    tradeId: freshUuid(),
    userId: freshUuid(),
    handle: "ansem",
    token: token(),
    status: "open",
    isDev: false,
    boughtAmount: 10,
    soldAmount: 0,
    transferredInAmount: 0,
    transferredOutAmount: 0,
    costBasisUsd: 10,
    proceedsUsd: 0,
    avgExitPrice: null,
    avgTransferInPrice: null,
    avgTransferOutPrice: null,
    realizedPnlUsd: 0,
    unrealizedPnlUsd: 0,
    feesUsd: 0,
    priceUsd: 1,
    ...UNKNOWN_PRICING,
    openedAt: MIDNIGHT,
    lastActivityAt: MIDNIGHT,
    closedAt: null,
    thesis: null,
    spam: null,
    ...change,
  };
}

export function fill(change: Partial<Fill> & { token?: Token; usd?: number } = {}): Fill {
  const { token: traded = token(), usd = 100, ...rest } = change;
  const side = rest.side ?? "buy";
  const leg = { address: traded.address, symbol: traded.symbol, amount: 50, usd };
  const paid = { address: "usd", symbol: "USD", amount: usd, usd };
  return {
    swapId: freshUuid(),
    tradeId: freshUuid(),
    userId: freshUuid(),
    side,
    networkId: traded.networkId,
    ...(side === "buy" ? { tokenIn: paid, tokenOut: leg } : { tokenIn: leg, tokenOut: paid }),
    priceUsd: 2,
    feeUsd: null,
    ...UNKNOWN_PRICING,
    txHash: freshUuid(),
    block: null,
    at: MIDNIGHT,
    ...rest,
  };
}

export function transfer(change: Partial<Transfer> = {}): Transfer {
  return {
    transferId: freshUuid(),
    tradeId: freshUuid(),
    direction: "in",
    amount: 1,
    priceUsd: null,
    valueUsd: null,
    counterparty: null,
    txHash: freshUuid(),
    at: MIDNIGHT,
    ...change,
  };
}

export function thesis(change: Partial<Thesis> = {}): Thesis {
  return {
    id: freshUuid(),
    tradeId: freshUuid(),
    userId: freshUuid(),
    handle: "ansem",
    displayName: "Ansem",
    avatar: null,
    text: "It goes up.",
    likes: 0,
    replies: 0,
    links: [],
    isDev: false,
    equityUsd: 1,
    tradeUsd: 1,
    realizedPnlUsd: 0,
    unrealizedPnlUsd: 0,
    token: token(),
    createdAt: MIDNIGHT,
    ...change,
  };
}
