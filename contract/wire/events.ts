// The inputs of the wire forms: the fields of a log event that are sent. The log's own types are assignable to these; they
// are plain structures so that the contract knows nothing about the service.

export interface TokenOnWire {
  address: string;
  networkId: number;
  symbol: string;
}

interface Placed {
  seq: number;
  eventId: string;
  at: number;
}

export interface AppEventInput extends Placed {
  feed: "app";
  kind: "buy" | "sell" | "thesis" | "perp" | "transfer" | "listing";
  userId: string | null;
  handle: string | null;
  displayName: string | null;
  token: TokenOnWire | null;
  tradeId: string | null;
  swapId: string | null;
  transferId: string | null;
  text: string | null;
  fillUsd: number | null;
  amount: number | null;
  priceUsd: number | null;
  txHash: string | null;
  positionValueUsd: number | null;
  realizedPnlUsd: number | null;
  realizedPnlUsdDelta: number | null;
  feeUsd: number | null;
  /** The block's time, if the chain has recorded the fill. */
  execAt: number | null;
  fillMatch: "onchain-exact" | "onchain" | "app" | null;
  direction: "in" | "out" | null;
  valueUsd: number | null;
  counterparty: string | null;
  market: string | null;
  side: "long" | "short" | null;
  action: "open" | "increase" | "decrease" | "close" | "liquidate" | null;
  leverage: number | null;
  sizeUsd: number | null;
}

export interface PushEventInput extends Placed {
  feed: "push";
  notificationType: string | null;
  title: string;
  text: string;
  userId: string | null;
  handle: string | null;
  token: TokenOnWire | null;
  raw: Record<string, unknown>;
}

export interface ChainTradeInput extends Placed {
  feed: "chain";
  kind: "trade";
  capturedAt: number;
  tradeId: string;
  swapId: string;
  side: "buy" | "sell";
  userId: string;
  handle: string;
  wallet: string;
  token: TokenOnWire;
  marketCapUsd: number | null;
  usd: number;
  amount: number;
  priceUsd: number;
  txHash: string;
  block: number;
  finality: "confirmed" | "finalized";
}

export interface ChainRetractInput extends Placed {
  feed: "chain";
  kind: "retract";
  networkId: number;
  retractedEventId: string;
  reason: string;
}
