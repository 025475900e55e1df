// A token is known by its network and address; symbols repeat.

export interface Token {
  address: string;
  networkId: number;
  symbol: string;
  name: string;
  image: string | null;
  decimals: number;
}

export interface TokenInfo extends Token {
  priceUsd: number | null;
  change24h: number | null;
  marketCapUsd: number | null;
  supply: number | null;
  holders: number | null;
  launchedAt: number | null;
  graduatedAt: number | null;
  lowFees: boolean;
}

export interface Holding {
  token: Token;
  amount: number;
  priceUsd: number | null;
  valueUsd: number | null;
  change24h: number | null;
  pnlUsd: number | null;
}

export const STATS_WINDOWS = ["5m", "1h", "4h", "24h"] as const;
export type StatsWindow = (typeof STATS_WINDOWS)[number];

export interface FlowWindow {
  buys: number;
  sells: number;
  uniqueBuyers: number;
  uniqueSellers: number;
  buyVolumeUsd: number;
  sellVolumeUsd: number;
}

export interface TokenStats {
  token: Token;
  holders: number;
  top10HoldersPercent: number | null;
  lowFees: boolean;
  windows: Record<StatsWindow, FlowWindow>;
}

export interface DevHolding {
  userId: string;
  handle: string;
  wallet: string;
  isDev: boolean;
  amount: number;
  valueUsd: number;
  costBasisUsd: number;
  realizedPnlUsd: number;
  unrealizedPnlUsd: number;
  averageEntryPrice: number | null;
  averageHoldTimeSeconds: number | null;
  tradeId: string | null;
  thesis: string | null;
}

const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** EVM addresses are the same in any case; Solana's are not. The form used as a key, or null if it is neither. */
export function normaliseAddress(text: string): string | null {
  if (EVM_ADDRESS.test(text)) return text.toLowerCase();
  return SOLANA_ADDRESS.test(text) ? text : null;
}
