// For tests: one valid value of each shape that a platform sends, all about one trader and one token.

import { derivedUuid } from "../kit/ids.ts";
import type {
  WireAppItem,
  WireChainItem,
  WireHolding,
  WirePerson,
  WirePosition,
  WirePushItem,
  WireSwap,
  WireThesis,
  WireToken,
  WireTokenInfo,
  WireUser,
} from "./protocol.ts";

export const AT = 1_790_000_000_000;
export const USER_ID = derivedUuid("user");
export const TRADE_ID = derivedUuid("trade");
/** As a platform may write it; the service's key for it is in lower case. */
export const TOKEN_ADDRESS = "0xAbCdEf0123456789aBcDeF0123456789abCDEF01";
const SOLANA_WALLET = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

export const wireToken: WireToken = {
  address: TOKEN_ADDRESS,
  networkId: 8453,
  symbol: "FROG",
  name: "Frog of Base",
  image: "https://img.example/frog.png",
  decimals: 18,
};

export const wireTokenInfo: WireTokenInfo = {
  ...wireToken,
  priceUsd: 0.0021,
  change24h: -3.5,
  marketCapUsd: 2_100_000,
  supply: 1e9,
  holders: 412,
  launchedAt: AT - 9e8,
  graduatedAt: null,
  lowFees: false,
};

export const wireHolding: WireHolding = {
  token: wireToken,
  amount: 120_000,
  priceUsd: 0.0021,
  valueUsd: 252,
  change24h: null,
  pnlUsd: 40.5,
};

export const wirePerson: WirePerson = {
  userId: USER_ID,
  handle: "FrogQueen",
  displayName: "Frog Queen 🐸",
  avatar: "/avatars/frogqueen.svg",
  verified: true,
  bio: "ribbit",
  twitter: null,
  clan: { id: "clan-1", name: "Pond", icon: "🪷", role: "member" },
  private: false,
  followers: 10,
  following: 2,
  trades: 3,
  swapCount: 9,
  volumeUsd: "10452.75",
  pnl24h: -12.25,
  createdAt: AT - 9e9,
};

export const wireUser: WireUser = {
  ...wirePerson,
  wallets: {
    status: "resolved",
    solana: SOLANA_WALLET,
    evm: TOKEN_ADDRESS,
    verified: true,
    evidence: { solana: "deposit", evm: null },
  },
  formerHandles: ["tadpole"],
  pnl: { "24h": -12.25, "7d": 40, "30d": 100, all: 900.5 },
  averageHoldTimeSeconds: 3_600,
  holdingsCount: 1,
  holdings: [wireHolding],
};

export const wirePosition: WirePosition = {
  tradeId: TRADE_ID,
  userId: USER_ID,
  handle: "FrogQueen",
  token: wireToken,
  status: "open",
  isDev: false,
  boughtAmount: 150_000,
  soldAmount: 30_000,
  transferredInAmount: 0,
  transferredOutAmount: 0,
  amount: 120_000,
  costBasisUsd: 300,
  proceedsUsd: 63,
  avgEntryPrice: 0.002,
  avgExitPrice: 0.0021,
  avgTransferInPrice: null,
  avgTransferOutPrice: null,
  realizedPnlUsd: 3,
  unrealizedPnlUsd: 12,
  feesUsd: 0.9,
  priceUsd: 0.0021,
  openedAt: AT - 7_200_000,
  lastActivityAt: AT - 60_000,
  closedAt: null,
  thesis: { id: "thesis-1", text: "Frogs jump.", likes: 4 },
};

export const wireSwap: WireSwap = {
  swapId: derivedUuid("swap"),
  tradeId: TRADE_ID,
  userId: USER_ID,
  side: "buy",
  networkId: 8453,
  tokenIn: { address: "0x4200000000000000000000000000000000000006", symbol: "WETH", amount: 0.1, usd: 300 },
  tokenOut: { address: TOKEN_ADDRESS, symbol: "FROG", amount: 150_000, usd: 300 },
  priceUsd: 0.002,
  feeUsd: 0.9,
  txHash: `0x${"ab".repeat(32)}`,
  block: 19_000_000,
  at: AT - 7_200_000,
};

export const wireThesis: WireThesis = {
  id: "thesis-1",
  tradeId: TRADE_ID,
  userId: USER_ID,
  handle: "FrogQueen",
  displayName: "Frog Queen 🐸",
  avatar: "",
  text: "Frogs jump.",
  likes: 4,
  replies: 1,
  links: [{ text: "why", link: "https://example.com/why", provider: "example.com" }],
  isDev: false,
  equityUsd: 252,
  tradeUsd: 300,
  realizedPnlUsd: 3,
  unrealizedPnlUsd: 12,
  token: wireToken,
  createdAt: AT - 7_000_000,
};

export function wireBuy(index: number): WireAppItem {
  return {
    eventId: derivedUuid("event", index),
    kind: "buy",
    userId: USER_ID,
    handle: "FrogQueen",
    displayName: "Frog Queen 🐸",
    token: wireToken,
    tradeId: TRADE_ID,
    swapId: null,
    transferId: null,
    text: null,
    fillUsd: "12.50",
    amount: 6_250,
    priceUsd: 0.002,
    txHash: `0x${"cd".repeat(32)}`,
    positionValueUsd: 262.5,
    realizedPnlUsd: null,
    realizedPnlUsdDelta: null,
    thesisId: null,
    at: AT + index,
  };
}

export const wirePush: WirePushItem = {
  eventId: derivedUuid("push"),
  notificationType: "LARGE_BUY",
  title: "FROG",
  text: "A large buy",
  userId: null,
  handle: null,
  token: wireToken,
  at: AT,
};

export const wireChainTrade: WireChainItem = {
  kind: "trade",
  eventId: derivedUuid("chain"),
  tradeId: TRADE_ID,
  swapId: derivedUuid("swap"),
  side: "buy",
  userId: USER_ID,
  handle: "FrogQueen",
  wallet: TOKEN_ADDRESS,
  token: wireToken,
  marketCapUsd: 2_100_000,
  usd: "300",
  amount: 150_000,
  priceUsd: 0.002,
  txHash: `0x${"ab".repeat(32)}`,
  block: 19_000_000,
  blockAt: AT,
  finality: "confirmed",
};
