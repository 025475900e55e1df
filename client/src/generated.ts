// Written by `npm run client:types` from the contract. Do not edit: client/generate/ is where it comes from.
import type { CallOptions, OperationRow } from "./operation.ts";

/** One person of the upstream platform, with wallets and figures. */
export interface Trader {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The address of the picture. */
  avatar: string | null;
  /** The trader's own description. */
  description: string | null;
  /** The trader's name there, without the @. */
  twitter: string | null;
  /** Whether the platform verified the account. */
  verified: boolean;
  clan: Clan | null;
  wallets: Wallets;
  /** Profit or loss per window, net of fees. */
  pnl: {
    /** The last 24 hours, in US dollars */
    "24h": number;
    /** The last 7 days, in US dollars */
    "7d": number;
    /** The last 30 days, in US dollars */
    "30d": number;
    /** All time, in US dollars */
    all: number;
  };
  /** The same, with fees and how much of it is known. */
  windows: {
    "24h": TraderWindow;
    "7d": TraderWindow;
    "30d": TraderWindow;
    all: TraderWindow;
  };
  /** All-time profit or loss, net of fees; equals pnl.all, in US dollars */
  pnlUsd: number;
  /** The same before fees; null when the platform does not report it, in US dollars */
  grossPnlUsd: number | null;
  /** App and network fees; null when unknown, in US dollars */
  feesUsd: number | null;
  /** books: computed from every move, as /pnl is. platform: the platform's own figure, where its books can't be read. */
  pnlSource: "books" | "platform";
  /** Everything ever bought and sold, in US dollars */
  volumeUsd: number;
  /** Positions ever opened. */
  trades: number;
  /** Fills ever made. */
  swapCount: number;
  /** How many follow this trader; null where the platform can't know. */
  followers: number | null;
  /** How many this trader follows; null where the platform can't know. */
  following: number | null;
  /** When the account was created on the platform. */
  upstreamCreatedAt: string;
  /** Whole days since then. */
  accountAgeDays: number;
  /** How long a position is held on average. */
  averageHoldTimeSeconds: number | null;
  /** The ten most valuable holdings, largest first. */
  holdings: Holding[];
  /** How many tokens are held in all. */
  holdingsCount: number;
  /** The most valuable tokens, largest first. */
  topTokens: TopToken[];
  /** The time of the profits; holdings are at the latest prices. */
  asOf: string;
}

/** A group of traders on the upstream platform. */
export interface Clan {
  /** The clan's id. */
  id: string;
  /** The clan's name. */
  name: string;
  /** Its emblem: an emoji, or the address of its picture. */
  icon: string | null;
  /** The trader's role in it. */
  role: string | null;
}

/** A trader's wallets and what proves them. */
export interface Wallets {
  /** The Solana wallet; null when the trader has none. */
  solana: string | null;
  /** The wallet on every EVM chain; null when the trader has none. */
  evm: string | null;
  /** Whether the wallets were checked against trades on chain. */
  verified: boolean;
  evidence: {
    /** What ties the Solana wallet to the trader. */
    solana: string | null;
    /** What ties the EVM wallet to the trader. */
    evm: string | null;
  };
  /** Every known wallet of the trader, the ones above first. */
  all: {
    solana: string[];
    evm: string[];
  };
  /** The state of the resolution. */
  status?: "resolved" | "resolving";
}

/** A trader's profit in one window. */
export interface TraderWindow {
  /** Profit or loss, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees; null when unknown, in US dollars */
  grossPnlUsd: number | null;
  /** App and network fees; null when unknown, in US dollars */
  feesUsd: number | null;
  /** Whether every position of the window has both marks, every move and every fee. */
  complete: boolean;
  /** Positions left out because a price or a cost is unknown. */
  unpriced: number;
}

/** One token that a trader holds. */
export interface Holding {
  token: Token;
  /** How much is held, in whole tokens */
  amount: number;
  /** The exact amount in the token's smallest unit, where a float would lose digits. */
  amountRaw?: string;
  /** How many digits of amountRaw are decimals. */
  decimals?: number;
  /** The current price, in US dollars for one token */
  priceUsd: number | null;
  /** What it is worth now, in US dollars */
  valueUsd: number | null;
  /** How the price moved in 24 hours, in percent */
  change24h: number | null;
  /** Whether it was sent unsolicited: it is then listed only on request, and counts for nothing. */
  spam: boolean;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
}

/** A token, known by its chain and address. */
export interface Token {
  /** The ticker; symbols repeat, addresses do not. */
  symbol: string;
  /** The token's address on its chain. */
  address: string;
  /** The full name. */
  name: string;
  /** The number of the token's chain. */
  networkId: number;
  /** The address of its picture; null when it has none. */
  image: string | null;
}

/** One of a trader's most valuable tokens. */
export interface TopToken {
  /** The token's address. */
  tokenAddress: string;
  /** The ticker. */
  symbol: string;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** How much is held, in whole tokens */
  humanAmount: number;
  /** The current price, in US dollars for one token */
  price: number | null;
  /** What it is worth now, in US dollars */
  value: number | null;
  /** Profit or loss on it, in US dollars */
  pnl: number | null;
  /** The address of the token's picture. */
  imageUrl: string | null;
}

/** Everybody on the platform, in one order at one moment. */
export interface TradersAnswer {
  /** The window that profit, volume and trades are of. */
  window: "24h" | "7d" | "30d" | "all";
  /** What the rows are ordered by. */
  sort: "handle" | "pnl" | "volume" | "lastFill";
  /** Largest or smallest first. */
  order: "desc" | "asc";
  /** The moment that all pages of one walk are of. */
  asOf: string | null;
  /** How many traders there are. */
  total: number;
  /** How many of them follow. */
  count: number;
  traders: DirectoryRow[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** true when the walk ends here, with every trader listed. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One trader of the directory. */
export interface DirectoryRow {
  /** The place by profit in this window, from 1; null for one who did and held nothing in it. */
  rank: number | null;
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** Whether the platform verified the account. */
  verified: boolean;
  wallets: {
    /** The Solana wallet. */
    solana: string | null;
    /** The EVM wallet. */
    evm: string | null;
  };
  /** Earned in this window: realized, and the change in unrealized, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees; null when the platform does not report it, in US dollars */
  grossPnlUsd: number | null;
  /** App and network fees; null when the platform does not report them, in US dollars */
  feesUsd: number | null;
  /** The realized part of it, in US dollars */
  realizedPnlUsd: number | null;
  /** Bought and sold in this window, in US dollars */
  volumeUsd: number;
  /** Fills in this window. */
  trades: number;
  /** Positions the trader has open now. */
  positions: number | null;
  /** How many follow this trader; null where the platform can't know. */
  followers: number | null;
  /** When the trader last bought or sold; null when that is not known, or never. */
  lastFillAt: string | null;
  /** When the account was created on the platform. */
  upstreamCreatedAt: string;
}

/** A trader's trade history, a page at a time or fanned out. */
export interface TradesAnswer {
  /** The requested handle or userId. */
  key: string;
  /** Which of the two it was. */
  kind: "handle" | "userId";
  /** How many rows follow. */
  count: number;
  /** Chains are interleaved: sort by ts. */
  trades: TradeRow[];
  /** Open positions among them; they are on the first page only. */
  openCount: number;
  /** Closed positions among them. */
  closedCount: number;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether rows were left out because of a limit. */
  truncated: boolean;
  /** Whether these rows are all there is; false on a walk that continues, and always with deep. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
  /** The time of the current prices; null where they are as captured. */
  asOf: string | null;
  /** With deep: closed positions that upstream says exist; null when it does not. */
  closedTotalOnUpstream?: number | null;
  /** With deep: the same, per chain name. */
  perChainClosedTotal?: Record<string, number>;
  /** With deep: upstream calls that answered; the charge is based on this. */
  upstreamCalls?: number;
  /** With deep: whether some of the calls did not answer. */
  partial?: boolean;
}

/** A captured position, or a recent trade from the feed. */
export type TradeRow = Position | FeedTrade;

/** One trader in one token, from the first token in to the last one out. */
export interface Position {
  token: Token;
  /** The direction of the trade; of a position, buy while it is open and sell once it is closed. */
  side: "buy" | "sell";
  /** How large it is, in US dollars */
  sizeUsd: number | null;
  /** Realized profit or loss, net of fees; null when it is not known, in US dollars */
  realizedPnlUsd: number | null;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When it last changed; sort by this. */
  ts: string;
  /** A whole position. */
  source: "captured";
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** Whether it is still held. */
  status: "open" | "closed";
  /** Held now: boughtAmount − soldAmount + transferredInAmount − transferredOutAmount, in whole tokens */
  amount: number;
  /** costBasisUsd ÷ boughtAmount; null exactly when nothing was bought, in US dollars for one token */
  avgEntryPrice: number | null;
  /** The average price received; null when nothing was sold, in US dollars for one token */
  avgExitPrice: number | null;
  /** Unrealized profit or loss, in US dollars */
  unrealizedPnlUsd: number | null;
  /** Profit or loss, taken and open, net of fees; null when it is not known, in US dollars */
  pnlUsd: number | null;
  /** The same before fees, in US dollars */
  grossPnlUsd: number | null;
  /** What the app and the network took, in US dollars */
  feesUsd: number | null;
  /** What the bought tokens cost, without fees; null when it is not known, in US dollars */
  costBasisUsd: number | null;
  /** Bought in all, in whole tokens */
  boughtAmount: number;
  /** Sold in all, in whole tokens */
  soldAmount: number;
  /** Received from elsewhere, in whole tokens */
  transferredInAmount: number;
  /** Sent elsewhere, in whole tokens */
  transferredOutAmount: number;
  /** The average price when received, in US dollars for one token */
  avgTransferInPrice: number | null;
  /** The average price when sent, in US dollars for one token */
  avgTransferOutPrice: number | null;
  /** The current price, in US dollars for one token */
  priceUsd: number | null;
  /** What gave the price: dollar coins in the same swap (stable), the chain's own coin at its price then (native), the token's pool (pool), an endpoint outside the chain (quote) or the platform itself (platform). */
  pricedBy: "stable" | "native" | "pool" | "quote" | "platform" | null;
  /** Money in the pool that gave the price; null unless a pool did, in US dollars */
  depthUsd: number | null;
  /** When the price was so. */
  asOf: string | null;
  /** Whether every amount in it was established exactly; null when that is not known. */
  exact: boolean | null;
  /** When the position was opened. */
  createdAt: string;
  /** When it was closed; null while open. */
  closedAt: string | null;
  /** Whether it was sent unsolicited: it is then listed only on request, and counts for nothing. */
  spam: boolean;
}

/** One recent trade of an active trader. */
export interface FeedTrade {
  token: Token;
  /** The direction of the trade; of a position, buy while it is open and sell once it is closed. */
  side: "buy" | "sell";
  /** How large it is, in US dollars */
  sizeUsd: number | null;
  /** Realized profit or loss, net of fees; null when it is not known, in US dollars */
  realizedPnlUsd: number | null;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When it last changed; sort by this. */
  ts: string;
  /** One recent trade, from the live feed. */
  source: "feed";
  /** The trader's stable id; it survives a rename. */
  userId: string | null;
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string | null;
  /** The fill's id. */
  swapId: string | null;
  /** How much was traded, in whole tokens */
  amount: number | null;
  /** The price of this trade, in US dollars for one token */
  priceUsd: number | null;
  /** The transaction on its chain. */
  txHash: string | null;
}

/** A trader's captured positions. */
export interface PositionsAnswer {
  /** The requested handle or userId. */
  key: string;
  /** Which of the two it was. */
  kind: "handle" | "userId";
  /** How many rows follow. */
  count: number;
  positions: Position[];
  /** How many of these rows are open. */
  openCount: number;
  /** How many of these rows are closed. */
  closedCount: number;
  /** How many open positions of this trader were captured. */
  openTotal: number;
  /** How many closed ones were captured. */
  closedTotal: number;
  /** How many closed ones upstream says there are; null while unknown. */
  closedTotalOnUpstream: number | null;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether rows were left out because of a limit. */
  truncated: boolean;
  /** Whether these rows are all there is; false on a walk that continues, and always with deep. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
  /** The time of the current prices; null where they are as captured. */
  asOf: string | null;
}

/** Some of a trader's positions as small charts. */
export interface PositionChartsAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The moment that the positions are of. */
  asOf: string;
  /** How many charts follow. */
  count: number;
  charts: PositionChart[];
}

/** The token's price while a position was held, with its moves. */
export interface PositionChart {
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  /** The width of the candles. */
  interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
  /** When the chart starts. */
  from: string;
  /** The end of the range. */
  to: string;
  /** Oldest first; times without a trade have none. */
  prices: ChartPrice[];
  /** Oldest first. */
  marks: ChartMark[];
  /** How many buys, sells and transfers there are in all. */
  moves: number;
  /** Whether prices go back to the first move and every move has its mark. */
  complete: boolean;
}

/** One price of a small chart. */
export interface ChartPrice {
  /** When the candle starts. */
  t: string;
  /** The closing price, in US dollars for one token */
  c: number;
}

/** A buy, a sell or a transfer on a small chart. */
export interface ChartMark {
  /** When it was. */
  t: string;
  /** What the trader did. */
  kind: "buy" | "sell" | "receive" | "send";
  /** The price; null when unknown, in US dollars for one token */
  priceUsd: number | null;
  /** What it was worth, without fees; null when that is not known, in US dollars */
  usd: number | null;
}

/** A trader's fills, newest first. */
export interface SwapsAnswer {
  /** The requested handle or userId. */
  key: string;
  /** Which of the two it was. */
  kind: "handle" | "userId";
  /** How many rows follow. */
  count: number;
  swaps: Swap[];
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether rows were left out because of a limit. */
  truncated: boolean;
  /** Whether these rows are all there is; false on a walk that continues, and always with deep. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One fill. */
export interface Swap {
  /** The fill's id. */
  swapId: string;
  /** Whether the position grew or shrank. */
  side: "buy" | "sell";
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** What was paid. */
  tokenIn: SwapLeg;
  /** What was received. */
  tokenOut: SwapLeg;
  /** The price of the traded token, in US dollars for one token */
  priceUsd: number | null;
  /** What gave the price: dollar coins in the same swap (stable), the chain's own coin at its price then (native), the token's pool (pool), an endpoint outside the chain (quote) or the platform itself (platform). */
  pricedBy: "stable" | "native" | "pool" | "quote" | "platform" | null;
  /** Money in the pool that gave the price; null unless a pool did, in US dollars */
  depthUsd: number | null;
  /** When the price was so. */
  asOf: string | null;
  /** Whether every amount in it was established exactly; null when that is not known. */
  exact: boolean | null;
  /** The fee, in US dollars */
  feeUsd: number | null;
  /** The transaction on its chain. */
  txHash: string;
  /** The block it is in. */
  block: number | null;
  /** The position that was paid from; null when that token is money. */
  tradeIdIn: string | null;
  /** The position that was paid into; null when that token is money. */
  tradeIdOut: string | null;
  /** When it was made. */
  at: string;
}

/** One side of a fill. */
export interface SwapLeg {
  /** The token's address. */
  address: string;
  /** The ticker. */
  symbol: string;
  /** How much of it, in whole tokens */
  amount: number;
  /** The exact amount in the token's smallest unit, where a float would lose digits. */
  amountRaw?: string;
  /** How many digits of amountRaw are decimals. */
  decimals?: number;
  /** What that was worth, in US dollars */
  usd: number | null;
}

/** What a trader holds now. */
export interface BalancesAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** How many holdings follow. */
  count: number;
  /** Largest first. */
  holdings: Holding[];
  /** The value of all holdings, without coins; null when a price is unknown, in US dollars */
  totalValueUsd: number | null;
  /** Chains' own coins, which pay for trades and fees; null where the platform doesn't report them. */
  coins: CoinHolding[] | null;
  /** Whether this is everything the trader holds on the requested chains. */
  complete: boolean;
  /** Whether holdings were left out because of upstream's limit. */
  truncated: boolean;
  /** When this was read. */
  asOf: string | null;
  /** Profit or loss outside the holdings, in US dollars */
  otherPnl?: number | null;
  /** Open profit or loss of perps, in US dollars */
  livePerpPnl?: number | null;
  /** Perps on other venues. */
  externalVenuePerps?: ExternalPerp[];
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** What a trader holds of a chain's own coin. */
export interface CoinHolding {
  /** The chain's own coin. */
  symbol: string;
  /** The total held by the trader's wallets there, in whole tokens */
  amount: number;
  /** The current price, in US dollars for one token */
  priceUsd: number | null;
  /** What it is worth now, in US dollars */
  valueUsd: number | null;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When the amount was read. */
  asOf: string;
}

/** A perp held on another venue. */
export interface ExternalPerp {
  /** Where the perp is held. */
  venue: string;
  /** The market. */
  market: string;
  /** Its direction. */
  side: "long" | "short";
  /** Its size, in US dollars */
  sizeUsd: number;
  /** Unrealized profit or loss, in US dollars */
  unrealizedPnlUsd: number | null;
}

/** Traders that a trader follows. */
export interface FollowingAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** How many names follow. */
  count: number;
  /** How many the trader follows by the platform's own count. */
  total: number | null;
  following: Person[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Whether names are missing here. */
  truncated: boolean;
  /** Whether they are missing because of upstream's limit. */
  sourceCapped: boolean;
  /** true only when this is the trader's whole following list. */
  complete: boolean;
  /** Upstream's limit. */
  cap: number;
  /** Set when the pull was too slow to finish: the pages read so far are here. */
  partial?: boolean;
  /** Set with partial: a retry can return more. */
  retryable?: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** A trader as lists show them: no wallets. */
export interface Person {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The address of the picture. */
  avatar: string | null;
  /** Whether the platform verified the account. */
  verified: boolean;
  clan: Clan | null;
  /** The trader's own description. */
  bio: string | null;
  /** How many follow this trader; null where the platform can't know. */
  followers: number | null;
  /** How many this trader follows; null where the platform can't know. */
  following: number | null;
  /** Positions ever opened. */
  trades: number;
  /** Fills ever made. */
  swapCount: number;
  /** Everything ever bought and sold, in US dollars */
  volumeUsd: number;
  /** Profit or loss of the last 24 hours, in US dollars */
  pnl24h: number | null;
  /** The trader's name there, without the @. */
  twitter: string | null;
  /** Whether the trader hides their activity. */
  private: boolean;
  /** When the account was created. */
  createdAt: string;
  /** Whole days since then. */
  accountAgeDays: number;
}

/** A sample of a trader's followers. */
export interface FollowersAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** How many names follow. */
  count: number;
  /** How many followers there are by the platform's own count. */
  total: number | null;
  followers: Person[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Whether upstream served fewer than there are. */
  sourceCapped: boolean;
  /** Upstream's limit. */
  cap: number;
  /** Where to get wallets; these rows have none. */
  wallets: string;
  /** true only when these are all the followers. */
  complete: boolean;
  /** Whether names are missing here. */
  truncated: boolean;
  /** What is missing here and why; null when nothing is. */
  note: string | null;
}

/** A trader's best trades and theses. */
export interface SpotlightAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The most profitable ones, as the platform chose them. */
  bestTrades: SpotlightTrade[];
  /** Those with the most liked theses. */
  bestTheses: SpotlightTrade[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Who chose these. */
  note: string;
}

/** A trade that the platform highlights. */
export interface SpotlightTrade {
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** Whether it is still held. */
  status: "open" | "closed";
  /** The average price paid; null when nothing was bought, in US dollars for one token */
  avgEntryPrice: number | null;
  /** The average price received, in US dollars for one token */
  avgExitPrice: number | null;
  /** The cost of the tokens; null when unknown, in US dollars */
  costBasisUsd: number | null;
  /** Realized profit or loss, net of fees, in US dollars */
  realizedPnlUsd: number | null;
  /** Unrealized profit or loss, in US dollars */
  unrealizedPnlUsd: number | null;
  /** When it began. */
  openedAt: string;
  /** When it was closed; null while open. */
  closedAt: string | null;
  thesis: ThesisOfTrade | null;
}

/** The written reason for one position. */
export interface ThesisOfTrade {
  /** The thesis's id. */
  id: string;
  /** What the trader wrote. */
  text: string;
  /** How many liked it. */
  likes: number | null;
}

/** A trader's profit over time, from every move and the prices at both ends. */
export interface PnlAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The requested window. */
  window: "24h" | "7d" | "30d" | "all";
  /** The width of a bucket. */
  interval: "1h" | "4h" | "1d";
  /** Where the window starts. */
  from: string;
  /** The end of the window: when this was computed. */
  asOf: string;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** Profit or loss over the window, net of fees; equals the last bucket's, in US dollars */
  pnlUsd: number;
  /** The same before fees, in US dollars */
  grossPnlUsd: number;
  /** What the app and the network took in it, in US dollars */
  feesUsd: number;
  /** The platform's own figure for the window, where its books can't be read, in US dollars */
  platformPnlUsd: number | null;
  /** Of pnlUsd, taken, in US dollars */
  realizedUsd: number;
  /** The unrealized part: its change over the window, in US dollars */
  unrealizedChangeUsd: number;
  /** Bought and sold, in US dollars */
  volumeUsd: number;
  /** Fills. */
  fills: number;
  /** How many buckets follow. */
  count: number;
  /** Ascending, without gaps. */
  buckets: PnlBucket[];
  /** The largest gains first, the largest losses last. */
  byToken: PnlByToken[];
  /** The total of the tokens that are not listed; null when all are. */
  byTokenRest: PnlRest | null;
  /** The largest gains first. */
  byChain: PnlByChain[];
  /** true only when every position that was open in the window has both marks, every move and every fee. */
  complete: boolean;
  /** Positions left out of the sums because a price or a cost is not known. */
  unpriced: number;
  /** Whether the platform's own books were read just now. */
  source: "live-upstream" | "captured";
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One bucket of a profit curve. */
export interface PnlBucket {
  /** When the bucket starts. */
  t: string;
  /** Profit or loss from the window's start to this bucket's end, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees, in US dollars */
  grossPnlUsd: number;
  /** Fees from the window's start to this bucket's end, in US dollars */
  feesUsd: number;
  /** The value of the open positions at its end, in US dollars */
  equityUsd: number;
  /** Taken in this bucket, net of fees, in US dollars */
  realizedUsd: number;
  /** Unrealized at its end, in US dollars */
  unrealizedUsd: number;
  /** Bought and sold in it, in US dollars */
  volumeUsd: number;
  /** Fills in it. */
  fills: number;
  /** Positions without a price at its end; each counts at its last known value. */
  unpriced: number;
}

/** What one token contributed. */
export interface PnlByToken {
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** Profit or loss in the window, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees, in US dollars */
  grossPnlUsd: number;
  /** What the app and the network took, in US dollars */
  feesUsd: number;
  /** Bought and sold in the window, in US dollars */
  volumeUsd: number;
  /** Fills in the window. */
  fills: number;
}

/** The total of the tokens that are not listed. */
export interface PnlRest {
  /** How many tokens these are. */
  tokens: number;
  /** Profit or loss in the window, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees, in US dollars */
  grossPnlUsd: number;
  /** What the app and the network took, in US dollars */
  feesUsd: number;
  /** Bought and sold in the window, in US dollars */
  volumeUsd: number;
  /** Fills in the window. */
  fills: number;
}

/** What one chain contributed. */
export interface PnlByChain {
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** Profit or loss in the window, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees, in US dollars */
  grossPnlUsd: number;
  /** What the app and the network took, in US dollars */
  feesUsd: number;
  /** Bought and sold in the window, in US dollars */
  volumeUsd: number;
  /** Fills in the window. */
  fills: number;
}

/** A window's profit, move by move: a spreadsheet gets it from this. */
export interface PnlProofAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The requested window. */
  window: "24h" | "7d" | "30d" | "all";
  /** Where the window starts. */
  from: string;
  /** The end of the window. All pages of one walk have the same. */
  asOf: string;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** Σ pnlUsd over the positions of all pages, in US dollars */
  pnlUsd: number;
  /** Σ grossPnlUsd, in US dollars */
  grossPnlUsd: number;
  /** Σ feesUsd, in US dollars */
  feesUsd: number;
  /** Of pnlUsd, taken, in US dollars */
  realizedUsd: number;
  /** The unrealized part of pnlUsd: its change over the window, in US dollars */
  unrealizedChangeUsd: number;
  /** true only when every position that was open in the window has both marks, every move and every fee. */
  complete: boolean;
  /** Positions left out of the sums because a price or a cost is not known. */
  unpriced: number;
  /** Whether the platform's own books were read just now. */
  source: "live-upstream" | "captured";
  /** Positions that were open at some time in the window. */
  total: number;
  /** How many of them follow. */
  count: number;
  /** What is not known first, then the largest gains and losses. */
  positions: ProofPosition[];
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One position's profit in the window, and its parts. */
export interface ProofPosition {
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  opening: ProofMark;
  /** Within the window, oldest first. */
  moves: ProofMove[];
  closing: ProofMark;
  /** Σ gainUsd − Σ feesUsd + (closing valueUsd − costUsd) − (opening valueUsd − costUsd); null when it is not known, in US dollars */
  pnlUsd: number | null;
  /** The same without Σ feesUsd, in US dollars */
  grossPnlUsd: number | null;
  /** Σ feesUsd of its moves, in US dollars */
  feesUsd: number | null;
  /** What is not known of it; empty when everything is. */
  missing: ("cost" | "proceeds" | "openingMark" | "closingMark" | "moves" | "fees")[];
}

/** The holding at one end of the window, and its value. */
export interface ProofMark {
  /** The moment of the mark. */
  at: string;
  /** Held then, in whole tokens */
  amount: number;
  /** What that had cost, by moving average; null when it is not known, in US dollars */
  costUsd: number | null;
  /** What one was worth; null when nothing was held, or no price is known, in US dollars for one token */
  priceUsd: number | null;
  /** When that price was seen. */
  pricedAt: string | null;
  /** How old the price was at the moment. */
  priceAgeSeconds: number | null;
  /** Where it was seen: quote, fill or candle. */
  priceSource: string | null;
  /** amount × priceUsd; null when it is not known, in US dollars */
  valueUsd: number | null;
}

/** One move of a position. */
export interface ProofMove {
  /** The block's time. */
  at: string;
  /** What it was. */
  kind: "buy" | "sell" | "receive" | "send";
  /** How much, in whole tokens */
  amount: number;
  /** Paid, received, or worth then, without fees; null when it is not known, in US dollars */
  usd: number | null;
  /** What the app and the network took, in US dollars */
  feesUsd: number | null;
  /** The cost of the tokens that left; 0 for those that arrived, in US dollars */
  costUsd: number | null;
  /** Of a sell: usd − costUsd, before fees; else 0, in US dollars */
  gainUsd: number | null;
  /** The transaction on its chain. */
  txHash: string | null;
}

/** What following a trader would have earned, and where the difference went. */
export interface CopyAnswer extends Omit<ReplayFigures, "source"> {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The requested window, which does not matter for one trade. */
  window: "24h" | "7d" | "30d";
  /** The requested position; null for all of them. */
  tradeId: string | null;
  /** Where the window starts. */
  from: string;
  /** The end of the range. */
  asOf: string;
  /** The log's newest event at the time of the answer. */
  logSeq: number;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  terms: CopyTerms;
  /** Whether the platform's own books were read just now. */
  source: "live-upstream" | "captured";
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** How the follower copies. */
export interface CopyTerms {
  /** Spent on each buy, in US dollars */
  sizeUsd: number;
  /** The account's starting capital, in US dollars */
  capitalUsd: number;
  /** From the leader's fill to the follower's. */
  delaySeconds: number;
  /** What is sold when the leader sells. */
  exit: "mirror" | "firstSell";
  /** The bot's fee on each order, in basis points. */
  botFeeBps: number;
  /** For each order; null: the leader's median on that chain in the window, in US dollars */
  networkFeeUsd: number | null;
}

/** The trader who is copied. */
export interface CopyLeader {
  /** The leader's profit in the window, net of fees, as in /pnl, in US dollars */
  pnlUsd: number;
  /** Per dollar invested; null when none was, as a share of 1. */
  roi: number | null;
}

/** The imagined account that copies. */
export interface CopyFollower {
  /** What is left after everything, in US dollars */
  pnlUsd: number;
  /** Relative to the most cash ever invested; null when nothing was bought, as a share of 1. */
  roi: number | null;
  /** The account's largest drawdown, by the points of the curve, in percent */
  maxDrawdownPct: number;
  /** Round trips that gained; null without any, as a share of 1. */
  winRate: number | null;
  /** Gains divided by losses; null without a loss. */
  profitFactor: number | null;
  /** Daily returns, annualized; null under 20 days. */
  sharpe: number | null;
  /** The same with downside deviation only; null under 20 days. */
  sortino: number | null;
  /** Share of the window with open positions, in percent */
  exposurePct: number;
  /** Orders that were filled. */
  orders: number;
  /** Positions that were opened and sold. */
  roundTrips: number;
  /** How long they were held; null without any. */
  medianHoldSeconds: number | null;
}

/** From the leader's profit to the follower's. */
export interface CopyBridge {
  /** Every order of the leader's at the leader's prices and the follower's sizes, in US dollars */
  leaderUsd: number;
  /** Orders that were not copied, in US dollars */
  skippedUsd: number;
  /** The pool's price at the follower's time instead, in US dollars */
  delayUsd: number;
  /** The follower's own orders move the price, in US dollars */
  impactUsd: number;
  /** Pool, bot and network, in US dollars */
  feesUsd: number;
  /** What is left: the sum of the above, to the cent, in US dollars */
  netUsd: number;
}

/** The same terms at another delay. */
export interface CopyRung {
  /** The delay. */
  delaySeconds: number;
  /** What is left at it, in US dollars */
  pnlUsd: number;
  /** Relative to the most cash ever invested, as a share of 1. */
  roi: number | null;
  /** Orders priced by the tape; null without orders, as a share of 1. */
  tape: number | null;
}

/** The leader's orders that were not copied. */
export interface CopySkips {
  /** Why. */
  reason:
    | "chain"
    | "leaderSize"
    | "leaderPriceUnknown"
    | "notFirstBuy"
    | "noPrice"
    | "depth"
    | "moved"
    | "maxOpen"
    | "belowMin"
    | "capital"
    | "afterWindow"
    | "nothingHeld"
    | "ownRules";
  /** How many orders. */
  count: number;
}

/** The basis of the orders' prices. */
export interface CopyCoverage {
  /** Orders priced by a tick, as a share of 1. */
  tape: number;
  /** By a candle, as a share of 1. */
  candle: number;
  /** By the leader's own price, without either, as a share of 1. */
  leader: number;
}

/** The tape behind the answer. */
export interface CopyTape {
  /** Pool states that were read. */
  ticks: number;
  /** Hours containing orders, rules and marks, over all tokens. */
  hours: number;
  /** How much of that the platform covers. */
  coveredHours: number;
  /** Where the first covered range starts; null without any. */
  coveredFrom: string | null;
  /** Where the last one ends. */
  coveredTo: string | null;
}

/** The account at one moment. */
export interface CopyPoint {
  /** The moment. */
  t: string;
  /** Earned by then, with open positions sold, in US dollars */
  pnlUsd: number;
}

/** A replay under your own terms. */
export interface Replay {
  /** A hash of terms and log position: the same request has the same id. */
  id: string;
  /** Whether it is done. */
  status: "running" | "done" | "failed" | "cancelled";
  /** Progress, from 0 to 100. */
  progressPct: number;
  /** The trader's name; null where several are copied. */
  handle: string | null;
  /** The trader's stable id; null where several are. */
  userId: string | null;
  /** All copied traders; with select, empty until it is done. */
  leaders: ReplayLeader[];
  /** With select, each choice; null without, and until it is done. */
  choices: ReplayChoice[] | null;
  terms: ReplayTerms;
  /** Where the window starts. */
  from: string;
  /** The end of the range. */
  asOf: string;
  /** The log's position at the time of the request. */
  logSeq: number;
  /** The leader's buys and sells in the window. */
  fills: number;
  /** The follower's orders, filled and skipped; 0 until it is done. */
  orders: number;
  /** What it cost; reading it again is free. */
  creditsCharged: number;
  /** When it was requested. */
  createdAt: string;
  /** null until it is done. */
  answer: ReplayFigures | null;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** A trader who is copied. */
export interface ReplayLeader {
  /** The trader's name; null for one who has left. */
  handle: string | null;
  /** The trader's stable id; null for one who has left. */
  userId: string | null;
  /** Buys and sells in the window that may be copied. */
  fills: number;
}

/** The leaders at a moment, by what had happened before it. */
export interface ReplayChoice {
  /** When it was chosen. */
  at: string;
  /** The most profitable first. */
  traders: {
    /** The trader's name; null for one who has left. */
    handle: string | null;
    /** The trader's stable id; null for one who has left. */
    userId: string | null;
    /** Profit over the board's window up to then, by the captured fills before it, in US dollars */
    pnlUsd: number;
  }[];
}

/** How the follower copies, with every default filled in. */
export interface ReplayTerms extends FollowTerms {
  /** null unless leaders are chosen. */
  select: ReplaySelect | null;
  /** The requested window; null when from and to were given. */
  window: "24h" | "7d" | "30d" | null;
}

/** How leaders are chosen. */
export interface ReplaySelect {
  /** By profit over so long. */
  board: "24h" | "7d" | "30d";
  /** How many are followed. */
  top: number;
  /** How often it is chosen. */
  every: "1d" | "7d";
}

/** How large each buy is. */
export interface ReplaySize {
  /** Dollars, percent of the leader's order, or percent of the account's value. */
  mode: "fixed" | "share" | "equity";
  /** How much of that. */
  value: number;
  /** Smaller orders are skipped; null without one, in US dollars */
  minUsd: number | null;
  /** Larger orders are capped; null without one, in US dollars */
  maxUsd: number | null;
}

/** Which buys are copied. */
export interface ReplayFilters {
  /** Only these; null for all. */
  chains: string[] | null;
  /** Only buys of at least this; null without one, in US dollars */
  minLeaderUsd: number | null;
  /** Only buys of at most this; null without one, in US dollars */
  maxLeaderUsd: number | null;
  /** Only buys of tokens the leader did not hold. */
  firstBuyOnly: boolean;
  /** Only pools of at least this depth; null without one, in US dollars */
  minDepthUsd: number | null;
  /** Only while the price has risen by at most this since the leader bought; null without one, in percent */
  maxMovePct: number | null;
  /** Positions at once; null for any number. */
  maxOpen: number | null;
}

/** What following would have earned, and where the difference went. */
export interface ReplayFigures {
  /** Whether it was worth following; too_few when the figures can't say. */
  verdict: "copyable" | "fades" | "not_copyable" | "too_few";
  /** Why it is too few; else empty. */
  doubts: ("roundTrips" | "coverage" | "chance")[];
  /** Nine draws of ten by token earned more than this, in US dollars */
  low90Usd: number | null;
  /** and less than this; null when nothing was copied, in US dollars */
  high90Usd: number | null;
  leader: CopyLeader;
  follower: CopyFollower;
  bridge: CopyBridge;
  /** The follower's return divided by the leader's at the same sizes; null where the leader lost, as a share of 1. */
  captured: number | null;
  /** The same at 0, 2, 5, 15, 60 and 300 seconds. */
  ladder: CopyRung[];
  /** The first delay at which no profit is left; null if there still is some at 300 s. */
  breakEvenDelaySeconds: number | null;
  /** The largest order of 100·2^k whose return is at least half of that at $100; null when $100 loses, in US dollars */
  capacityUsd: number | null;
  /** Empty when everything was copied. */
  skipped: CopySkips[];
  /** null without orders. */
  coverage: CopyCoverage | null;
  tape: CopyTape;
  /** Holdings at the end that count as worth nothing: no tick for 24 hours, and less than $50 of depth. */
  dead: number;
  /** Times the leader sent tokens away; the follower kept its own. */
  leaderMovedTokens: number;
  /** The leader's perpetual positions, which are left out. */
  perps: number;
  /** By hour up to two days, else by day; the last is asOf. */
  curve: CopyPoint[];
  /** Whether the platform's own books were read. */
  source: "live-upstream" | "captured";
}

/** A page of a replay's orders. */
export interface ReplayOrdersAnswer {
  /** The replay. */
  id: string;
  /** Orders on this page. */
  count: number;
  /** Orders of the replay. */
  total: number;
  /** In the order of execution. */
  orders: ReplayOrder[];
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether this list is everything there is. */
  complete: boolean;
}

/** One order, filled or skipped, with the basis of its price. */
export interface ReplayOrder {
  /** Its place, from 0. */
  index: number;
  /** Who is copied; null for one who has left. */
  handle: string | null;
  /** Which way. */
  side: "buy" | "sell";
  /** The leader's fill, the leader's opening holdings, or a rule. */
  cause: "leader" | "opening" | "stopLoss" | "takeProfit" | "trailing" | "maxHold";
  /** The token. */
  tokenAddress: string;
  /** The token's symbol. */
  symbol: string;
  /** The chain's number. */
  networkId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When the leader traded; null for a rule. */
  leaderAt: string | null;
  /** The leader's transaction; null for a rule or when unknown. */
  txHash: string | null;
  /** The leader's own price; for a rule, the price that triggered it; null when unknown, in US dollars for one token */
  leaderPriceUsd: number | null;
  /** When the follower's order is executed. */
  at: string;
  /** Why it was not made; null when it was. */
  skipped:
    | "chain"
    | "leaderSize"
    | "leaderPriceUnknown"
    | "notFirstBuy"
    | "noPrice"
    | "depth"
    | "moved"
    | "maxOpen"
    | "belowMin"
    | "capital"
    | "afterWindow"
    | "nothingHeld"
    | "ownRules"
    | null;
  /** For a buy, the amount to spend; null for a sell or when unknown, in US dollars */
  spendUsd: number | null;
  /** Of a sell, how much of the holding, from 0 to 1. */
  share: number;
  /** What it was priced by; null without a price. */
  source: "tape" | "candle" | "leader" | null;
  /** When that was seen: the tick's, the candle's or the leader's own moment. */
  tickAt: string | null;
  /** The price it met, in US dollars for one token */
  priceUsd: number | null;
  /** The depth it met; null when not known: then it moves no price, in US dollars */
  depthUsd: number | null;
  /** Pool and bot together, as a share of 1. */
  feeShare: number;
  /** Tokens bought or sold, in whole tokens */
  amount: number;
  /** To or from the pool, without fees, in US dollars */
  usd: number;
  /** Pool, bot and network, in US dollars */
  feeUsd: number;
}

/** A paper follow: an account that copies a trader live, without money. */
export interface Follow {
  /** The follow's id. */
  id: string;
  /** Whether it continues. */
  status: "active" | "stopped";
  /** What it waits for before it continues where it was; null for nothing. */
  waitingFor: "credits" | null;
  /** Who is followed. */
  handle: string;
  /** The same, by id. */
  userId: string;
  terms: FollowTerms;
  /** When it started: earlier trades are not copied. */
  from: string;
  /** Up to when everything is decided, and the moment that its figures are of. */
  asOf: string;
  /** Up to which position of the log the trader's doings are in it. */
  logSeq: number;
  /** Its profit, with holdings at what selling them would bring, in US dollars */
  pnlUsd: number;
  /** The same by the most cash that was ever in; null before the first order. */
  roi: number | null;
  /** What is left to spend, in US dollars */
  cashUsd: number;
  /** Orders and corrections booked, filled and skipped. */
  orders: number;
  /** Orders that were filled: these are paid for. */
  filled: number;
  /** Orders whose time has not come yet. */
  waiting: number;
  /** Positions opened and sold. */
  roundTrips: number;
  /** How many of those gained, from 0 to 1; null without any. */
  winRate: number | null;
  /** Orders of the trader's that were not copied. */
  skipped: {
    /** Why. */
    reason:
      | "chain"
      | "leaderSize"
      | "leaderPriceUnknown"
      | "notFirstBuy"
      | "noPrice"
      | "depth"
      | "moved"
      | "maxOpen"
      | "belowMin"
      | "capital"
      | "afterWindow"
      | "nothingHeld"
      | "ownRules";
    /** How many. */
    count: number;
  }[];
  /** Shares of the filled orders; null without any. */
  coverage: {
    /** Priced by the tape. */
    tape: number;
    /** By a candle. */
    candle: number;
    /** By the trader's own price. */
    leader: number;
  } | null;
  /** Times that the trader sent tokens away, which the follower keeps. */
  leaderMovedTokens: number;
  /** What it holds. */
  holdings: FollowHolding[];
  /** What it cost so far. */
  creditsCharged: number;
  /** When it was made. */
  createdAt: string;
  /** When it was stopped; null while it continues. */
  stoppedAt: string | null;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** How a paper follow copies, with every default filled in. */
export interface FollowTerms {
  /** The account's starting capital, in US dollars */
  capitalUsd: number;
  size: ReplaySize;
  /** From the leader's fill to the follower's. */
  delaySeconds: number;
  /** What is sold when the leader sells. */
  exit: "mirror" | "firstSell" | "rules";
  /** Sells all when the price is this far below the price paid; null without one, in percent */
  stopLossPct: number | null;
  /** and this far above it; null without one, in percent */
  takeProfitPct: number | null;
  /** and this far below its highest since the buy; null without one, in percent */
  trailingPct: number | null;
  /** Sells all after this long; null without one. */
  maxHoldSeconds: number | null;
  filters: ReplayFilters;
  costs: {
    /** For each order; without one the leader's median on that chain; null without one, in US dollars */
    networkFeeUsd: number | null;
    /** The bot's fee on each order, in basis points. */
    botFeeBps: number;
  };
  /** Whether to buy the leader's holdings at the start. */
  copyOpen: boolean;
}

/** What a paper follow holds of a token. */
export interface FollowHolding {
  /** The token. */
  tokenAddress: string;
  /** The token's symbol. */
  symbol: string;
  /** The chain's number. */
  networkId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** How much of it, in whole tokens */
  amount: number;
  /** What it cost without fees, in US dollars */
  costUsd: number;
  /** What selling it would have brought at asOf, in US dollars */
  valueUsd: number;
  /** When the first of it was bought. */
  openedAt: string;
}

/** The account's paper follows. */
export interface FollowsAnswer {
  /** How many. */
  count: number;
  /** How many an account may have active. */
  limit: number;
  /** The newest first. */
  follows: Follow[];
}

/** A page of a paper follow's orders. */
export interface FollowOrdersAnswer {
  /** The follow. */
  id: string;
  /** Orders on this page. */
  count: number;
  /** Orders of the follow so far. */
  total: number;
  /** In the order they were booked. */
  orders: PaperOrder[];
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether this list is everything there is. */
  complete: boolean;
}

/** One order of a paper follow, filled or skipped, or a correction. */
export interface PaperOrder {
  /** Its place, from 0. */
  index: number;
  /** Which way. */
  side: "buy" | "sell";
  /** The trader's fill, the trader's opening holdings, a rule, or a fill that was retracted. */
  cause: "leader" | "opening" | "stopLoss" | "takeProfit" | "trailing" | "maxHold" | "retracted";
  /** The token. */
  tokenAddress: string;
  /** The token's symbol. */
  symbol: string;
  /** The chain's number. */
  networkId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When the leader traded; null for a rule. */
  leaderAt: string | null;
  /** The leader's transaction; null for a rule or when unknown. */
  txHash: string | null;
  /** The leader's own price; for a rule, the price that triggered it; null when unknown, in US dollars for one token */
  leaderPriceUsd: number | null;
  /** When the follower's order is executed. */
  at: string;
  /** Why it was not made; null when it was. */
  skipped:
    | "chain"
    | "leaderSize"
    | "leaderPriceUnknown"
    | "notFirstBuy"
    | "noPrice"
    | "depth"
    | "moved"
    | "maxOpen"
    | "belowMin"
    | "capital"
    | "afterWindow"
    | "nothingHeld"
    | "ownRules"
    | null;
  /** For a buy, the amount to spend; null for a sell or when unknown, in US dollars */
  spendUsd: number | null;
  /** Of a sell, how much of the holding, from 0 to 1. */
  share: number;
  /** What it was priced by; null without a price. */
  source: "tape" | "candle" | "leader" | null;
  /** When that was seen: the tick's, the candle's or the leader's own moment. */
  tickAt: string | null;
  /** The price it met, in US dollars for one token */
  priceUsd: number | null;
  /** The depth it met; null when not known: then it moves no price, in US dollars */
  depthUsd: number | null;
  /** Pool and bot together, as a share of 1. */
  feeShare: number;
  /** Tokens bought or sold, in whole tokens */
  amount: number;
  /** To or from the pool, without fees, in US dollars */
  usd: number;
  /** Pool, bot and network, in US dollars */
  feeUsd: number;
  /** When it was written down. */
  bookedAt: string;
  /** null for an order. */
  correction: PaperCorrection | null;
}

/** What the account has more or less of, as if the retracted fill had never happened. */
export interface PaperCorrection {
  /** Tokens more or, below zero, fewer, in whole tokens */
  amount: number;
  /** Cash more or, below zero, less, in US dollars */
  cashUsd: number;
}

/** Counts next to base rates; interpreting them is up to the reader. */
export interface RiskAnswer {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** Where the 30 days start. */
  from: string;
  /** Where they end. */
  asOf: string;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  counts: RiskCounts;
  /** What is null, and why. */
  unknown: RiskUnknown[];
  /** null while they are being computed. */
  base: RiskBase | null;
  /** Since when all fills of others are captured; earlier ones are not counted. */
  othersFrom: string;
  /** Whether older positions were left out because there were too many. */
  truncated: boolean;
  /** Whether the platform's own books were read just now. */
  source: "live-upstream" | "captured";
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** Each next to its base rate. */
export interface RiskCounts {
  /** Positions of which half was sold within 60 s of the first buy. */
  quickDump: RiskCount;
  /** Dollars sold above the trader's entry, within 60 s after someone else bought the same token. */
  soldIntoFollowers: RiskCount;
  /** Buys after which someone bought the token for the first time, 1 to 30 s later, and still held when its price was down 80 %. */
  followersLeftHolding: RiskCount;
  /** Buys in a pool's first two blocks; null where the platform can't know, see `unknown`. */
  launchBlock: RiskCount | null;
  /** Early buyers whose first coins came from the same wallet; null where the platform can't know, see `unknown`. */
  sharedFunder: RiskCount | null;
  /** Days in a token in which bought and sold differ by less than 5 % of the volume. */
  roundTrips: RiskCount;
  /** Closed positions that gained, but on which a follower lost in a replay at $100, 5 s and mirror. */
  winsWhileFollowersLose: RiskCount;
}

/** How often, next to how often others do it. */
export interface RiskCount {
  /** How many; of soldIntoFollowers, dollars. */
  x: number;
  /** Out of how many. */
  n: number;
  /** x by n; null when n is 0, as a share of 1. */
  rate: number | null;
  /** The same over many traders; null while it is being computed, as a share of 1. */
  rateOfAll: number | null;
  /** The rate is above this nine times of ten and more, as a share of 1. */
  low90: number | null;
  /** And below this, as a share of 1. */
  high90: number | null;
  /** Whether low90 is above rateOfAll: more often than others, and hardly by chance; null when that is not known. */
  flagged: boolean | null;
  /** Transactions that were counted, the newest ten at most. */
  evidence: string[];
}

/** A count that the platform can't give. */
export interface RiskUnknown {
  /** What can't be counted. */
  count: "launchBlock" | "sharedFunder";
  /** Why. */
  reason: string;
}

/** What rateOfAll rests on. */
export interface RiskBase {
  /** How many traders the base rates are of. */
  traders: number;
  /** When they were computed. */
  asOf: string;
}

/** A position with everything it is made of. */
export interface TradeDetail extends Omit<Position, "asOf"> {
  /** The time of the current prices; null where they are as captured. */
  asOf: string | null;
  trader: {
    /** The trader's name on the platform; it can change. */
    handle: string;
    /** The trader's stable id; it survives a rename. */
    userId: string;
  };
  /** Whether the trader deployed the token or is an insider of it. */
  isDev: boolean;
  thesis: ThesisOfTrade | null;
  /** Fills in all. */
  swapCount: number;
  /** Transfers in all. */
  transferCount: number;
  /** At most 200 here; cursor gives the rest. */
  swaps: Swap[];
  /** At most 200 here; cursor gives the rest. */
  transfers: Transfer[];
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether all fills and transfers are here. */
  complete: boolean;
}

/** Tokens received or sent without a trade. */
export interface Transfer {
  /** The transfer's id. */
  transferId: string;
  /** Into or out of the position. */
  direction: "in" | "out";
  /** How much, in whole tokens */
  amount: number;
  /** The price then, in US dollars for one token */
  priceUsd: number | null;
  /** What it was worth then, in US dollars */
  valueUsd: number | null;
  /** The other wallet. */
  counterparty: string | null;
  /** The transaction on its chain. */
  txHash: string;
  /** When it was made. */
  at: string;
}

/** Comments under a trade. */
export interface CommentsAnswer {
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  /** How many comments follow. */
  count: number;
  comments: Comment[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note?: string | null;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether these are all, from the first to the last. */
  complete: boolean;
}

/** What someone said under a trade. */
export interface Comment {
  /** The comment's id. */
  id: string;
  /** What was written. */
  text: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** How many liked it. */
  likes: number | null;
  /** When it was written. */
  createdAt: string;
  /** The comment it answers; null at the top. */
  parentId: string | null;
  /** Whether it answers another comment. */
  isReply: boolean;
  links: Link[];
}

/** A link inside a written text. */
export interface Link {
  /** The link's text. */
  text: string;
  /** Where it points. */
  link: string;
  /** The site it points to. */
  provider: string | null;
}

/** Everybody's fills. */
export interface FillsAnswer {
  /** Oldest or newest first. */
  order: "asc" | "desc";
  /** How many rows follow. */
  count: number;
  fills: TraderFill[];
  /** From then on every fill is here; of older ones, those that were still there. */
  coveredFrom: string;
  /** Until then every fill is here; later ones may still arrive and are left for the next call. */
  coveredTo: string;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether this is the end, and the whole requested range is between coveredFrom and coveredTo. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One fill and its trader. */
export interface TraderFill extends Swap {
  /** Who made it. */
  userId: string;
  /** Their name now; null while it is not known. */
  handle: string | null;
  /** Pass it as cursor to continue after this row. */
  cursor: string;
}

/** Traders ranked by profit in a window. */
export interface LeaderboardAnswer {
  /** The requested window. */
  window: "24h" | "7d" | "30d" | "all";
  /** When upstream ranked them; null when there is no ranking. */
  asOf: string | null;
  /** How many rows follow. */
  count: number;
  traders: LeaderboardRow[];
  /** What the rows are ordered by. */
  sort: "pnl" | "roi" | "winRate" | "volume" | "trades" | "followers";
  /** Largest or smallest first. */
  order: "desc" | "asc";
  /** The requested chain; null without one. */
  chain: string | null;
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** true when upstream did not answer and an older ranking is served. */
  stale: boolean;
  /** Where the data came from. */
  source: "live-upstream" | "captured";
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One ranked trader. */
export interface LeaderboardRow {
  /** The rank in this window, from 1. */
  rank: number;
  /** How that place moved since an hour (24h) or a day (7d, 30d, all) before the last full hour; null where the ranking of then is not known or does not go down to this place, and with `chain`. */
  rankChange: RankChange | null;
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** Earned in this window: realized, and the change in unrealized, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees; null when the platform does not report it, in US dollars */
  grossPnlUsd: number | null;
  /** App and network fees; null when the platform does not report them, in US dollars */
  feesUsd: number | null;
  /** The realized part of it, in US dollars */
  realizedPnlUsd: number | null;
  /** Bought and sold in this window, in US dollars */
  volumeUsd: number;
  /** Fills in this window. */
  trades: number;
  /** Positions the trader has open now. */
  positions: number | null;
  /** How many follow this trader; null where the platform can't know. */
  followers: number | null;
  /** How many tokens are held. */
  holdings: number;
  wallets: {
    /** The Solana wallet. */
    solana: string | null;
    /** The EVM wallet. */
    evm: string | null;
  };
  topTokens: TopToken[];
  /** Whether the platform verified the account. */
  verified: boolean;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The address of the picture. */
  avatar: string | null;
  /** The share of positions closed in this window that made a profit, from 0 to 1; null when none was closed. */
  winRate: number | null;
  /** Profit for each dollar that was at work in this window; null when none was. */
  roi: number | null;
  bestTrade: BestTrade | null;
  /** true while this trader's books were not read yet: winRate, roi and bestTrade are then null. */
  pending: boolean;
}

/** How a trader's rank changed since an earlier ranking. */
export interface RankChange {
  /** The time of the ranking that this one is compared with. */
  since: string;
  /** The rank then; null if the trader was not on the board. */
  previousRank: number | null;
  /** Ranks gained since then, negative when lost; null if the trader was not on the board. */
  places: number | null;
}

/** The most profitable position of a ranked trader in the window. */
export interface BestTrade {
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** The position's profit in the window, realized and unrealized, net of fees, in US dollars */
  pnlUsd: number;
  /** The same before fees; null when unknown, in US dollars */
  grossPnlUsd: number | null;
  /** App and network fees; null when unknown, in US dollars */
  feesUsd: number | null;
  /** That profit per dollar invested; null when none was. */
  roi: number | null;
}

/** Who was worth following. */
export interface CopyBoardAnswer {
  /** The window. */
  window: "24h" | "7d" | "30d";
  /** The newest replay among these rows; null without any. */
  asOf: string | null;
  /** How many rows follow. */
  count: number;
  terms: CopyTerms;
  /** By low90Usd, largest first; those with too few round trips or too little tape come last. */
  traders: CopyBoardRow[];
  /** Traders replayed so far. */
  replayed: number;
  /** Traders to replay: the busiest of the last 30 days. */
  of: number;
  /** Whether all were replayed at least once; the others are not in the list yet. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** What following one trader would have left, under the standard terms. */
export interface CopyBoardRow {
  /** The place, from 1. */
  rank: number;
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** A picture; null without one. */
  avatar: string | null;
  /** The time up to which this trader was replayed. */
  asOf: string;
  /** Whether it was worth following. */
  verdict: "copyable" | "fades" | "not_copyable" | "too_few";
  /** Why it is too few; empty otherwise. */
  doubts: ("roundTrips" | "coverage" | "chance")[];
  /** What a follower is left with is above this in 19 draws of 20, by token, in US dollars */
  low90Usd: number;
  /** and below this in 19 of 20, in US dollars */
  high90Usd: number;
  /** What a follower was left with after everything, in US dollars */
  pnlUsd: number;
  /** Relative to the most cash ever invested, as a share of 1. */
  roi: number | null;
  /** Orders that were filled. */
  orders: number;
  /** Positions that were opened and sold. */
  roundTrips: number;
  /** Orders that the tape could price, as a share of 1. */
  covered: number;
}

/** A ranked list of tokens. */
export interface BoardAnswer {
  /** Which board. */
  board: "trending" | "most-held" | "graduated";
  /** When upstream gave it; null when it has no such board. */
  capturedAt: string | null;
  /** How many rows follow. */
  count: number;
  tokens: BoardRow[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note?: string | null;
  /** true when upstream did not answer and the last good board is served. */
  stale: boolean;
  /** How old a stale board is; 0 in normal operation. */
  ageHours: number;
  /** Where the data came from. */
  source: "live-upstream" | "captured";
}

/** One token on a board. */
export interface BoardRow {
  /** The platform's own place; a hidden token leaves a gap. */
  rank: number;
  /** The address of the token's picture. */
  image: string | null;
  token: Token;
  /** How many hold it; null on most-held. */
  holders: number | null;
  /** The same number as chainId. */
  network: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** The current price, in US dollars for one token */
  priceUsd: number | null;
  /** How the price moved in 24 hours, in percent */
  change24h: number | null;
  /** Market capitalisation, in US dollars */
  marketCapUsd: number | null;
  /** Traded in 24 hours, in US dollars */
  volume24hUsd: number | null;
}

/** Theses, newest first unless sorted otherwise. */
export interface ThesesAnswer {
  /** How many theses follow. */
  count: number;
  theses: Thesis[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether no thesis is left after these. */
  complete: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** The written reason for a position. */
export interface Thesis {
  /** The thesis's id. */
  id: string;
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string | null;
  /** What the trader wrote. */
  text: string;
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  name: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The address of the trader's picture. */
  avatar: string | null;
  /** What the position is worth, in US dollars */
  equity: number | null;
  /** What was put in, in US dollars */
  tradeUsd: number | null;
  /** Profit or loss taken, in US dollars */
  realizedPnlUsd: number | null;
  /** Unrealized profit or loss, in US dollars */
  unrealizedPnlUsd: number | null;
  /** Whether the trader deployed the token or is an insider of it. */
  isDev: boolean;
  /** When it was written. */
  ts: string;
  /** How many liked it; absent where upstream does not report it. */
  likes?: number;
  /** How many answered it. */
  replies: number | null;
  links: Link[];
  token: Token;
  /** The address of the token's picture. */
  tokenImage: string | null;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
}

/** Theses about one token. */
export interface TokenThesesAnswer {
  /** The requested address. */
  address: string;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** How many theses follow. */
  count: number;
  theses: Thesis[];
  /** Pages that were read; the charge is based on this. */
  pages: number;
  /** Whether some of the requested pages did not answer. */
  partial: boolean;
  /** Whether no thesis is left after these. */
  complete: boolean;
  /** Whether upstream was asked, or a captured copy served. */
  source: "live-upstream" | "captured";
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** A token at a glance. */
export interface TokenOverview {
  token: Token;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  quote: {
    /** The current price, in US dollars for one token */
    priceUsd: number | null;
    /** How the price moved in 24 hours, in percent */
    change24h: number | null;
    /** What gave the price: dollar coins in the same swap (stable), the chain's own coin at its price then (native), the token's pool (pool), an endpoint outside the chain (quote) or the platform itself (platform). */
    pricedBy: "stable" | "native" | "pool" | "quote" | "platform" | null;
    /** Money in the pool that gave the price; null unless a pool did, in US dollars */
    depthUsd: number | null;
    /** The time of this price. */
    asOf: string;
    /** Whether the price was read from the chain itself; null when that is not known. */
    exact: boolean | null;
  };
  /** Market capitalisation, in US dollars */
  marketCapUsd: number | null;
  /** In circulation, in whole tokens */
  supply: number | null;
  /** Traded in 24 hours, in US dollars */
  volume24hUsd: number | null;
  /** How many hold it, by the platform's own count. */
  holders: number | null;
  /** Tracked traders known to hold it. */
  trackedHolders: number;
  /** When it was launched. */
  launchedAt: string | null;
  /** Days since then. */
  ageDays: number | null;
  /** When it left its launch pad; null when it has not. */
  graduatedAt: string | null;
  /** The deployer; null when unknown. */
  deployer: string | null;
  /** Whether the platform marks its fees as low. */
  lowFees: boolean;
  /** Tokens with this ticker elsewhere, largest first. */
  sameTicker: Namesake[];
  /** true when upstream did not answer and captured figures are served. */
  stale: boolean;
  /** Where the data came from. */
  source: "live-upstream" | "captured";
}

/** Another token with the same ticker. */
export interface Namesake {
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** Market capitalisation, in US dollars */
  marketCapUsd: number | null;
}

/** Who holds a token among tracked traders, by captured positions. */
export interface HoldersAnswer {
  /** The requested address. */
  address: string;
  token: Token | null;
  /** The same number as chainId. */
  networkId: number | null;
  /** The chain's number. */
  chainId: number | null;
  /** The chain's name; it always matches the id next to it. */
  chain: string | null;
  /** false when nothing was captured yet: lists are then empty, which implies nothing about the trader or token. */
  available: boolean;
  /** How many rows follow. */
  count: number;
  /** Largest first. */
  holders: Holder[];
  /** How much of the crowd this list covers. */
  coverage: {
    /** Tracked traders known to hold the token. */
    holders: number;
    /** Traders whose positions were captured. */
    tradersCaptured: number;
    /** Traders in the directory. */
    tradersTracked: number;
  };
  /** Whether rows were left out because of a limit. */
  truncated: boolean;
  /** The time of the current prices; null where they are as captured. */
  asOf: string | null;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** A tracked trader who holds the token. */
export interface Holder {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** How much is held, in whole tokens */
  amount: number;
  /** What it is worth now, in US dollars */
  valueUsd: number | null;
  /** The current price, in US dollars for one token */
  priceUsd: number | null;
  /** Realized and unrealized, net of fees, over the open positions, in US dollars */
  pnlUsd: number | null;
  /** When the oldest open position was opened. */
  since: string;
  /** The open position; if several, the most recently active one. */
  tradeId: string;
}

/** How many tracked traders held a token over time. */
export interface HolderHistoryAnswer {
  token: Token;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** How far two points are apart. */
  interval: "1h" | "1d";
  /** The moment of the last point. */
  asOf: string;
  /** How many points follow. */
  count: number;
  /** Whether every requested point is here. */
  complete: boolean;
  /** Ascending: whole hours or days, then now. */
  points: {
    /** The moment. */
    t: string;
    /** Tracked traders who held it then. */
    holders: number;
  }[];
}

/** Deployer and insider positions in a token. */
export interface DevsAnswer {
  token: Token;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** How many rows follow. */
  count: number;
  devs: Dev[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** What an empty list does not mean; null when there are rows. */
  note: string | null;
}

/** A deployer's or insider's position. */
export interface Dev {
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The wallet that holds it. */
  wallet: string;
  /** true for the deployer, false for an insider. */
  isDev: boolean;
  /** How much is held, in whole tokens */
  amount: number;
  /** What it is worth now, in US dollars */
  valueUsd: number | null;
  /** What it cost, in US dollars */
  costBasisUsd: number | null;
  /** Profit or loss taken, in US dollars */
  realizedPnlUsd: number | null;
  /** Unrealized profit or loss, in US dollars */
  unrealizedPnlUsd: number | null;
  /** The average price paid, in US dollars for one token */
  averageEntryPrice: number | null;
  /** How long they hold on average. */
  averageHoldTimeSeconds: number | null;
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string | null;
  /** What they wrote about it. */
  thesis: string | null;
}

/** A token's buys and sells. */
export interface TokenStatsAnswer {
  token: Token;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** How many hold it. */
  holders: number | null;
  /** Share held by the ten largest, in percent */
  top10HoldersPercent: number | null;
  /** Whether the platform marks its fees as low. */
  lowFees: boolean | null;
  windows: {
    "5m": FlowWindow;
    "1h": FlowWindow;
    "4h": FlowWindow;
    "24h": FlowWindow;
  };
  /** When this was read. */
  asOf: string;
}

/** Buying and selling in one window. */
export interface FlowWindow {
  /** Buys. */
  buys: number;
  /** Sells. */
  sells: number;
  /** Wallets that bought. */
  uniqueBuyers: number;
  /** Wallets that sold. */
  uniqueSellers: number;
  /** Bought, in US dollars */
  buyVolumeUsd: number;
  /** Sold, in US dollars */
  sellVolumeUsd: number;
  /** Bought minus sold, in US dollars */
  netVolumeUsd: number;
  /** Buys for each sell; null when nothing was sold. */
  buySellRatio: number | null;
}

/** A token's prices: the platform's own candles where it has them, else from captured fills. */
export interface CandlesAnswer {
  token: Token;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** The width of a bucket. */
  interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
  /** How many candles follow. */
  count: number;
  /** Whether the whole requested range is here, and covered. */
  complete: boolean;
  /** Since when every trade is in these candles; before that some may be missing. */
  coveredFrom: string;
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Ascending; buckets without a fill are left out. */
  candles: Candle[];
}

/** One bucket of prices. */
export interface Candle {
  /** When the bucket starts. */
  t: string;
  /** The first price, in US dollars for one token */
  o: number;
  /** The highest price, in US dollars for one token */
  h: number;
  /** The lowest price, in US dollars for one token */
  l: number;
  /** The last price, in US dollars for one token */
  c: number;
  /** Traded, in US dollars */
  v: number;
  /** Bought, in US dollars */
  buyV: number;
  /** Sold, in US dollars */
  sellV: number;
  /** Fills. */
  trades: number;
  /** false while the bucket is still open. */
  closed: boolean;
}

/** What tracked traders buy and sell now, from the log. */
export interface ActivityAnswer {
  /** The requested window. */
  window: "5m" | "1h" | "4h" | "24h";
  /** The window's end. */
  asOf: string;
  /** How many rows follow. */
  count: number;
  tokens: ActivityRow[];
  /** Pass it back as cursor for the next page; null at the end. */
  nextCursor: string | null;
  /** Whether these are the last rows. */
  complete: boolean;
}

/** A token that tracked traders trade now. */
export interface ActivityRow {
  /** The place in this order, from 1. */
  rank: number;
  token: Token;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** Tracked traders who traded it. */
  traders: number;
  /** Of those, who bought. */
  buyers: number;
  /** Of those, who sold. */
  sellers: number;
  /** Bought, in US dollars */
  buyUsd: number;
  /** Sold, in US dollars */
  sellUsd: number;
  /** Bought minus sold, in US dollars */
  netUsd: number;
  /** The first trade in the window. */
  firstTradeAt: string;
  /** The last trade in the window. */
  lastTradeAt: string;
  /** The price of the first trade, in US dollars for one token */
  priceUsdAtFirst: number | null;
  /** The price at asOf, or of the last trade where there is no quote, in US dollars for one token */
  priceUsd: number | null;
  /** From the first price to this one, in percent */
  changePct: number | null;
  /** The market cap at the first price, in US dollars */
  marketCapUsdAtFirst: number | null;
  /** The market cap at this price, in US dollars */
  marketCapUsd: number | null;
  /** When it was launched. */
  launchedAt: string | null;
  /** Who moved the most. */
  topTraders: {
    /** The trader's name on the platform; it can change. */
    handle: string;
    /** The trader's stable id; it survives a rename. */
    userId: string;
    /** Bought minus sold by this trader, in US dollars */
    netUsd: number;
  }[];
  /** Theses written about it in the window. */
  theses: number;
}

/** Closed days as files, oldest first. */
export interface HistoryAnswer {
  /** When the newest of them was closed; null before the first. */
  updatedAt: string | null;
  /** How many files follow. */
  count: number;
  files: HistoryFile[];
  /** Sent as false when the followed platform can't know this: the list is then empty, the note says so, and the call is free. */
  available?: boolean;
  /** Whether rows were left out because of a limit. */
  truncated: boolean;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** One table of one closed day, as a Parquet file. */
export interface HistoryFile {
  /** What its rows are. */
  table: "fills" | "theses" | "traders" | "positions" | "candles_1m" | "ticks";
  /** The UTC day. */
  date: string;
  /** Counts up when the day is closed again. */
  version: number;
  /** Its place in the operator's folder or bucket. */
  path: string;
  /** How many rows it has. */
  rows: number;
  /** How long it is. */
  bytes: number;
  /** Its checksum; also its ETag. */
  sha256: string;
  /** Counts up when the table's columns change. */
  schemaVersion: number;
  /** When it was written. */
  closedAt: string;
  /** Where to get it, with a key. */
  download: string;
  /** What all of it costs. */
  credits: number;
  /** Where anyone can download it for free; null if not public. */
  publicUrl: string | null;
}

/** Traders, tokens and trades that match a text. */
export interface SearchAnswer {
  /** What was searched for. */
  q: string;
  /** What was searched. */
  type: "all" | "traders" | "tokens";
  /** How many rows follow. */
  count: number;
  /** Best match first. */
  results: (TraderResult | TokenResult | TradeResult)[];
  /** Whether more matched than limit. */
  truncated: boolean;
}

/** A trader who matched. */
export interface TraderResult {
  type: "trader";
  /** The trader's name on the platform; it can change. */
  handle: string;
  /** The name shown next to the handle. */
  displayName: string;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The address of the picture. */
  avatar: string | null;
  /** Whether the platform verified the account. */
  verified: boolean;
  /** How many follow this trader; null where the platform can't know. */
  followers: number | null;
}

/** A token that matched. */
export interface TokenResult {
  type: "token";
  /** The ticker. */
  symbol: string;
  /** The token's address. */
  address: string;
  /** The full name. */
  name: string;
  /** The address of the token's picture. */
  image: string | null;
  /** Market capitalisation, in US dollars */
  marketCapUsd: number | null;
  /** The moment that this row's figures are of. */
  asOf: string;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
}

/** A trade with a fill in the transaction that was searched for. */
export interface TradeResult {
  type: "trade";
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string;
  /** Who traded; null while the name is not known. */
  handle: string | null;
  /** The trader's stable id; it survives a rename. */
  userId: string;
  /** The ticker. */
  symbol: string;
  /** The token's address. */
  address: string;
  /** What the trader did in this transaction. */
  side: "buy" | "sell";
  /** What that was worth, in US dollars */
  usd: number | null;
  /** The transaction on its chain. */
  txHash: string;
  /** When it was made. */
  at: string;
  /** The same number as chainId. */
  networkId: number;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
}

/** Tokens that match a text. */
export interface TokenSearchAnswer {
  /** What was searched for. */
  q: string;
  /** How many rows follow. */
  count: number;
  /** The time of the oldest figures in any row; null without rows. */
  asOf: string | null;
  /** Best match first. */
  tokens: TokenResult[];
  /** The same list again, for clients that read this name. */
  results: TokenResult[];
  /** Whether more matched than limit. */
  truncated: boolean;
}

/** The alert feed, newest first. */
export interface AlertsAnswer {
  /** How many alerts follow. */
  count: number;
  /** Newest first, unless order=asc was given. */
  alerts: Alert[];
  /** Pass it as cursor to get only newer rows; null while the feed is empty. */
  nextCursor: string | null;
  /** Pass it as before to continue to older rows; null if there are no more. */
  oldestCursor: string | null;
  /** Whether rows remain between these and the requested bound: get them with before=oldestCursor, or with order=asc with cursor=nextCursor. */
  hasMore: boolean;
  /** How far back the feed reaches; null while it is empty. */
  retentionFrom: string | null;
  /** How late this feed is for the caller. */
  delaySeconds: number;
  /** ts of the newest here. */
  newestTs: number | null;
  /** ts of the oldest here. */
  oldestTs: number | null;
  /** The filters as parsed; several values of one are separated by commas. */
  filters: Record<string, string | number>;
}

/** One event as the app showed it. */
export interface Alert {
  /** This alert's id. */
  id: string;
  /** Its position in the log; it only grows. */
  seq: number;
  /** Stable per event: deduplicate by it. null on pushes, which carry none of the ids. */
  eventId: string | null;
  /** What happened. */
  type: "buy" | "sell" | "thesis" | "perp" | "transfer" | "listing" | "push";
  /** The same as type. */
  alertType: "buy" | "sell" | "thesis" | "perp" | "transfer" | "listing" | "push";
  /** Whether it came from the app's feed or from a push. */
  source: "feed" | "push";
  /** The trader's handle. */
  trader: string | null;
  /** The name shown next to the handle. */
  displayName: string | null;
  /** The trader's stable id; it survives a rename. */
  userId: string | null;
  /** The position's id; see /v2/trades/{tradeId}. */
  tradeId: string | null;
  /** The fill's id; only when upstream sends it. */
  swapId: string | null;
  /** The transfer's id; only when upstream sends it. */
  transferId: string | null;
  /** The token's symbol. */
  token: string | null;
  /** The token's address. */
  tokenAddress: string | null;
  /** The chain's number. */
  chainId: number | null;
  /** The chain's name; it always matches the id next to it. */
  chain: string | null;
  /** The text of the thesis or the push. */
  text: string | null;
  /** The push's type, when it has one. */
  notificationType: string | null;
  /** When it happened, in epoch milliseconds. */
  ts: number;
  /** On buy and sell: the size of this fill, in US dollars */
  fillUsd?: number | null;
  /** The same as fillUsd, in US dollars */
  tradeUsd?: number | null;
  /** On buy, sell and transfer: how much was moved, in whole tokens */
  amount?: number | null;
  /** On buy and sell: the price of this fill, in US dollars for one token */
  priceUsd?: number | null;
  /** On buy, sell and transfer: the transaction. */
  txHash?: string | null;
  /** On buy and sell: the block's time, in epoch milliseconds; null while unknown. */
  execTs?: number | null;
  /** On buy and sell: whether the fill was matched to its transaction; `onchain` when it was and some amount in it is an estimate. */
  fillMatch?: "onchain-exact" | "onchain" | "app";
  /** On buy and sell: the position's value after this fill, in US dollars */
  positionValueUsd?: number | null;
  /** On sell: profit or loss realized so far, net of fees; on perp: what this close realized, in US dollars */
  realizedPnlUsd?: number | null;
  /** On sell: profit or loss of this sell alone, net of its fees, in US dollars */
  realizedPnlUsdDelta?: number | null;
  /** On buy and sell: app and network fees of this fill, in US dollars */
  feesUsd?: number | null;
  /** Kept for old clients: position value on a buy, realizedPnlUsd on a sell, in US dollars */
  usdValue?: number | null;
  /** On transfer: which way. */
  direction?: "in" | "out" | null;
  /** On transfer: the value moved, in US dollars */
  valueUsd?: number | null;
  /** On transfer: the sender or the recipient. */
  counterparty?: string | null;
  /** On perp: the market. */
  market?: string | null;
  /** On perp: the direction of the position. */
  side?: "long" | "short" | null;
  /** On perp: the change to the position. */
  action?: "open" | "increase" | "decrease" | "close" | "liquidate" | null;
  /** On perp: the leverage. */
  leverage?: number | null;
  /** On perp: the size of the position, in US dollars */
  sizeUsd?: number | null;
}

/** Mobile pushes, newest first. */
export interface NotificationsAnswer {
  /** How many notifications follow. */
  count: number;
  /** Newest first, unless order=asc was given. */
  notifications: Notification[];
  /** Pass it as cursor to get only newer rows; null while the feed is empty. */
  nextCursor: string | null;
  /** Pass it as before to continue to older rows; null if there are no more. */
  oldestCursor: string | null;
  /** Whether rows remain between these and the requested bound: get them with before=oldestCursor, or with order=asc with cursor=nextCursor. */
  hasMore: boolean;
  /** How far back the feed reaches; null while it is empty. */
  retentionFrom: string | null;
  /** How late this feed is for the caller. */
  delaySeconds: number;
}

/** A pushed mobile notification. */
export interface Notification {
  /** The notification's id. */
  id: string;
  /** Its type; some have none. */
  notification_type: string | null;
  /** The first line. */
  title: string | null;
  /** The text. */
  text: string | null;
  /** The trader's stable id; it survives a rename. */
  userId: string | null;
  /** The token's symbol. */
  token: string | null;
  /** The token's address. */
  tokenAddress: string | null;
  /** The chain's number. */
  chainId: number | null;
  /** The chain's name; it always matches the id next to it. */
  chain: string | null;
  /** When it was pushed. */
  ts: string;
  /** The push as upstream sent it. */
  raw: Record<string, unknown>;
}

/** A webhook with its secret, shown once. */
export interface NewWebhookAnswer extends Webhook {
  /** What deliveries are signed with. It is shown this once. */
  secret: string;
}

/** The account's webhooks. */
export interface WebhooksAnswer {
  /** How many webhooks follow. */
  count: number;
  /** How many the plan includes. */
  limit: number;
  /** Oldest first. */
  webhooks: Webhook[];
}

/** An endpoint that events are posted to, without its secret. */
export interface Webhook {
  /** The webhook's id. */
  id: string;
  /** What its owner calls it. */
  name: string | null;
  /** Where events are posted. */
  url: string;
  /** What the body is written for. */
  format: "json" | "discord" | "telegram";
  /** The Telegram chat, with format=telegram. */
  chatId: string | null;
  /** How many events one request holds at most. */
  batch: number;
  /** The filter as parsed; several values of one are separated by commas. */
  filters: Record<string, string | number>;
  /** Whether it gets your paper follows' orders, and no alerts. */
  paper: boolean;
  /** Whether it is being delivered to. */
  status: "active" | "paused";
  /** Why it is paused: its owner asked, it answered 410, it failed for three days, or the operator stopped it; null while active. */
  pausedBecause: "owner" | "gone" | "failing" | "operator" | null;
  /** What an active webhook waits for: credits, or a plan that includes it; it continues where it stopped. */
  waitingFor: "credits" | "plan" | null;
  /** Everything that matches up to here was delivered: `<epoch>.<seq>`, as on the feed; `paper.<paperSeq>` with `paper`. */
  position: string;
  /** Events delivered since it was made; retractions are free and not counted. */
  delivered: number;
  /** Attempts in a row that failed. */
  failures: number;
  /** When the first of those was; null while all is well. */
  failingSince: string | null;
  /** When it is tried again after a failure; null otherwise. */
  nextAttemptAt: string | null;
  /** Until when deliveries are also signed with the secret before; null otherwise. */
  previousSecretUntil: string | null;
  /** How late the feed is for this account. */
  delaySeconds: number;
  /** When it was made. */
  createdAt: string;
}

/** A webhook that is no more. */
export interface DeletedWebhookAnswer {
  /** The webhook's id. */
  id: string;
  /** When it was deleted. */
  deletedAt: string;
}

/** What became of a test. */
export interface WebhookTestAnswer {
  /** Whether the endpoint took it. */
  ok: boolean;
  delivery: {
    /** When the request was sent. */
    at: string;
    /** A test. */
    kind: "test";
    /** Its webhook-id header. */
    messageId: string;
    /** Which attempt at these events it was, from 1 on. */
    attempt: number;
    /** How many events it held. */
    events: number;
    /** The first one's place in the log; null in a test. */
    fromSeq: number | null;
    /** The last one's place in the log; null in a test. */
    toSeq: number | null;
    /** What became of it. */
    outcome: "delivered" | "refused" | "redirected" | "gone" | "timeout" | "unreachable" | "address_refused";
    /** The HTTP status of the answer; null when there was none. */
    status: number | null;
    /** How long it took. */
    durationMs: number;
    /** What went wrong; null if nothing did. */
    note: string | null;
  };
}

/** Deliveries to a webhook, newest first. */
export interface WebhookDeliveriesAnswer {
  /** How many deliveries follow. */
  count: number;
  /** Newest first. */
  deliveries: WebhookDelivery[];
  /** Pass it back as cursor for older rows; null at the end. */
  nextCursor: string | null;
  /** How long deliveries are kept. */
  keptDays: number;
}

/** One request to an endpoint and its outcome. */
export interface WebhookDelivery {
  /** When the request was sent. */
  at: string;
  /** Whether it held events or was a test. */
  kind: "events" | "test";
  /** Its webhook-id header. */
  messageId: string;
  /** Which attempt at these events it was, from 1 on. */
  attempt: number;
  /** How many events it held. */
  events: number;
  /** The first one's place in the log; null in a test. */
  fromSeq: number | null;
  /** The last one's place in the log; null in a test. */
  toSeq: number | null;
  /** What became of it. */
  outcome: "delivered" | "refused" | "redirected" | "gone" | "timeout" | "unreachable" | "address_refused";
  /** The HTTP status of the answer; null when there was none. */
  status: number | null;
  /** How long it took. */
  durationMs: number;
  /** What went wrong; null if nothing did. */
  note: string | null;
}

/** Answers in the order of the requests. */
export interface BatchAnswer {
  responses: BatchResponse[];
}

/** The answer to one request of a batch. */
export interface BatchResponse {
  /** The request's id; null when it had none. */
  id: string | null;
  /** As if the request were sent alone. */
  status: number;
  headers: BatchHeaders;
  /** The answer or the error; text where it is not JSON, null on 304. */
  body: Record<string, unknown> | string | null;
}

/** The headers that one request of a batch was answered with. */
export interface BatchHeaders {
  /** What this request cost. */
  "x-credits-cost": string;
  /** What the account had left after it. */
  "x-credits-remaining": string;
  /** Names this request in logs and errors. */
  "x-request-id": string;
  /** What was left of the rate limit after it. */
  ratelimit: string;
  /** The rate limit and its window in seconds. */
  "ratelimit-policy": string;
  /** How long the answer may be reused. */
  "cache-control": string;
  /** The body's type; a 304 has none. */
  "content-type"?: string;
  /** Send it as if-none-match: an unchanged answer is free. */
  etag?: string;
  /** Seconds to wait before trying again. */
  "retry-after"?: string;
}

/** The key's plan, balance and limits. */
export interface MeAnswer {
  /** The key's plan. */
  plan: "free" | "starter" | "growth" | "scale";
  /** When the plan ends; null when it does not. */
  planExpiresAt: string | null;
  /** Whether there is a next month: the free plan's, one already paid for, or one that a card will be charged for. */
  renews: boolean;
  key: {
    /** This key's id. */
    id: string;
    /** What its owner calls it. */
    name: string | null;
    /** How it starts and ends; never the key. */
    hint: string;
  };
  credits: {
    /** Credits a month. */
    monthly: number;
    /** Spent of those. */
    usedThisMonth: number;
    /** Prepaid ones left; used after the monthly ones. */
    prepaid: number;
    /** All that is left. */
    remaining: number;
    /** When the month's figures start over; null when the plan does not renew. */
    resetsAt: string | null;
  };
  resolutions: {
    /** Wallet resolutions a month. */
    monthly: number;
    /** Spent of those. */
    usedThisMonth: number;
    /** What is left. */
    remaining: number;
    /** When the month's figures start over; null when the plan does not renew. */
    resetsAt: string | null;
  };
  rate: {
    /** Requests a minute. */
    requestsPerMinute: number;
    /** Requests at the same moment. */
    inFlightAtMost: number;
    /** Sockets open at once. */
    socketsAtOnce: number;
  };
  streams: {
    appFeed: {
      /** Where it is. */
      path: string;
      /** Whether the plan includes it. */
      included: boolean;
      /** The current delay for this key. */
      delaySeconds: number;
    };
    onChain: {
      /** Where it is. */
      path: string;
      /** Whether the plan includes it. */
      included: boolean;
    };
  };
}

/** What the account spent. */
export interface UsageAnswer {
  /** The beginning, included. */
  from: string;
  /** The end, not included. */
  to: string;
  /** What rows are summed by. */
  groupBy: "day" | "route" | "key";
  /** How many rows follow. */
  count: number;
  /** Charged calls in all. */
  totalCalls: number;
  /** Credits in all. */
  totalCredits: number;
  rows: {
    /** The day (UTC), the operation, or the key's id. */
    group: string;
    /** Charged calls. */
    calls: number;
    /** Credits they cost. */
    credits: number;
  }[];
}

/** The account's keys. */
export interface KeysAnswer {
  /** How many keys follow. */
  count: number;
  keys: ApiKey[];
}

/** A key, without its secret. */
export interface ApiKey {
  /** The key's id. */
  id: string;
  /** What its owner calls it. */
  name: string | null;
  /** The account's plan. */
  plan: "free" | "starter" | "growth" | "scale";
  /** How the key starts and ends. */
  hint: string;
  /** Credits this key may spend a month; null without a cap. */
  monthlyCap: number | null;
  /** Credits it spent this month. */
  usedThisMonth: number;
  /** When it was made. */
  createdAt: string;
  /** When it was last used. */
  lastUsedAt: string | null;
  /** When a rotated key stops working; null when it does not. */
  expiresAt: string | null;
  /** When it was revoked; null while it works. */
  revokedAt: string | null;
}

/** A key with its secret, shown once. */
export interface NewKeyAnswer extends ApiKey {
  /** The key itself. It is shown only once. */
  key: string;
  /** The id of the key it replaces; null on a new one. */
  replaces: string | null;
}

/** A revoked key. */
export interface RevokedKeyAnswer {
  /** The key's id. */
  id: string;
  /** When it stopped working. */
  revokedAt: string;
}

/** A single-use pass to a socket, so that keys stay out of URLs. */
export interface StreamTicketAnswer {
  /** Pass it as ?ticket= on a socket, once. */
  ticket: string;
  /** When it expires. */
  expiresAt: string;
  /** Seconds until then. */
  expiresInSeconds: number;
}

/** A stablecoin payment and its state. */
export interface Payment {
  /** The payment's id. */
  paymentId: string;
  /** How far it is. */
  status: "awaiting_payment" | "confirming" | "credited" | "underpaid" | "overpaid" | "expired" | "late";
  /** What is bought. */
  plan: "credits" | "starter" | "growth" | "scale";
  /** Credits it gives. */
  credits: number;
  /** What to pay, in the coin. */
  amount: number;
  /** The same in the coin's smallest unit. */
  amountAtomic: string;
  asset: {
    /** The coin. */
    symbol: string;
    /** Its address. */
    mint: string;
    /** Its decimals. */
    decimals: number;
  };
  /** The chain to pay on. */
  network: string;
  /** The address to pay to. */
  recipient: string;
  /** The key that marks this payment in its transaction. */
  reference: string;
  /** The text that marks it. */
  memo: string;
  /** The same as a Solana Pay link. */
  url: string;
  /** When it was requested. */
  createdAt: string;
  /** Until when to pay. */
  expiresAt: string;
  /** Where to poll its state. */
  statusUrl: string;
  /** A page with the QR code, for people. */
  pageUrl: string;
  /** The amount received; null before any. */
  receivedAmount: number | null;
  /** The paying transaction; null before there is one. */
  signature: string | null;
  /** When the credits were granted; null before. */
  creditedAt: string | null;
  /** true on the built-in chain: no real money is involved. */
  test: boolean;
}

/** The account's stablecoin payments. */
export interface PaymentsAnswer {
  /** How many payments follow. */
  count: number;
  /** Newest first. */
  payments: Payment[];
  /** Whether there are older ones. */
  truncated: boolean;
}

/** This service and the caller's access. */
export interface InfoAnswer {
  /** What this is. */
  name: string;
  /** The service's version. */
  version: string;
  /** The caller's plan; keyless without a key. */
  tier: "keyless" | "free" | "starter" | "growth" | "scale";
  rateLimit: {
    /** Requests a minute. */
    requestsPerMinute: number;
    /** Sockets open at once. */
    socketsAtOnce: number;
    /** What they are counted per. */
    countedPer: "address" | "key";
  };
  /** Whether the platform is an invented one: then no trader, token or trade is real. */
  simulated: boolean;
  dataset: {
    /** Traders in the directory. */
    traders: number;
    /** Tokens in the directory. */
    tokens: number;
    /** Events in the log. */
    events: number;
  };
  /** Every operation and its path. */
  endpoints: Record<string, string>;
  /** The sockets. */
  streams: Record<string, string>;
  /** The reference page. */
  docs: string;
  /** The OpenAPI document. */
  openapi: string;
}

/** The health of the service. */
export interface HealthAnswer {
  /** Whether the service can answer; false while it can't charge, such as on a full disk. */
  ok: boolean;
  /** Traders in the directory. */
  traders: number;
  /** Seconds since the start. */
  uptime: number;
  /** Where this service reads chains itself: its progress on each. */
  chains?: {
    /** The chain's name. */
    chain: string;
    /** How far behind the chain's head reading is; null before its first block. */
    behindSeconds: number | null;
    /** Why reading is blocked; null while it is not. */
    reason: string | null;
  }[];
}

/** The first frame: what this socket gets, and the log's position. */
export interface WelcomeFrame {
  type: "welcome";
  /** Which stream this is. */
  stream: "alerts" | "trades";
  /** Whether events are sent without delay. */
  realtime: boolean;
  /** How late they are sent. */
  delaySeconds: number;
  /** The interval between heartbeats. */
  heartbeatSeconds: number;
  /** The plan this socket runs on. */
  plan: "keyless" | "free" | "starter" | "growth" | "scale";
  filter: StreamFilter;
  /** The log's current position, for this stream's delay. */
  seq: number;
  /** Identifies the log; a rebuilt one has another. */
  epoch: string;
  /** The oldest position a resume can reach. */
  oldestSeq: number | null;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** A socket's filter; empty means everything. */
export interface StreamFilter {
  /** Handles, userIds, and on trades wallets. */
  traders?: string[];
  /** Traders by id. */
  userIds?: string[];
  /** Symbols or addresses. */
  tokens?: string[];
  /** Chain names. */
  chains?: string[];
  /** Kinds of alert. */
  types?: ("buy" | "sell" | "thesis" | "perp" | "transfer" | "listing" | "push")[];
  /** Where alerts come from. */
  sources?: ("feed" | "push")[];
  /** On trades: buys or sells. */
  sides?: ("buy" | "sell")[];
  /** Only fills of at least this many dollars. */
  minUsd?: number;
}

/** Proof that the whole pipeline works, not only this socket. */
export interface HeartbeatFrame {
  type: "heartbeat";
  /** Now. */
  ts: number;
  /** The log's current position, for this stream's delay. */
  seq: number;
  /** When the last event was captured; null before the first. */
  lastEventAt: number | null;
  /** How long ago that was. */
  quietSeconds: number | null;
  /** From an event to its frame, recently. */
  lagMs: number | null;
}

/** An alert; alertType is its kind, type is the frame's. */
export interface AlertFrame extends Omit<Alert, "type"> {
  type: "alert";
  /** true on a frame that answers a resume. */
  replay?: boolean;
}

/** A tracked trader's fill, read from the chain before the app shows it. */
export interface TradeFrame {
  type: "trade";
  /** This frame's own name. */
  id: string;
  /** Stable per event: deduplicate by it. */
  eventId: string;
  /** Its position in the log; it only grows. */
  seq: number;
  /** true on a frame that answers a resume. */
  replay?: boolean;
  /** The position; the later alert has the same. */
  tradeId: string;
  /** The fill's id. */
  swapId: string;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** The chain's number. */
  chainId: number;
  /** The direction. */
  side: "buy" | "sell";
  /** The trader's stable id; it survives a rename. */
  userId: string | null;
  trader: {
    /** The wallet that traded. */
    wallet: string;
    /** The trader's name on the platform; it can change. */
    handle: string | null;
    /** The trader's stable id; it survives a rename. */
    userId: string | null;
  };
  token: {
    /** The token's address. */
    address: string;
    /** The ticker. */
    symbol: string;
    /** Market capitalisation, in US dollars */
    mcap: number | null;
  };
  /** The size of the fill, in US dollars */
  usdValue: number | null;
  /** How much was traded, in whole tokens */
  amountToken: number;
  /** The price of the fill, in US dollars for one token */
  priceUsd: number | null;
  /** The transaction; the later alert has the same. */
  txHash: string;
  /** The block. */
  block: number | null;
  /** The block's time. */
  blockTs: number;
  /** When we saw it. */
  seenAt: number;
  /** From the one to the other. */
  latencyMs: number;
  source: "onchain";
  /** How settled the block is. */
  finality: "confirmed" | "finalized";
  /** `db` when the wallet is the trader's by our directory, else false. */
  verified: "db" | false;
}

/** A trade, or an alert about one, that a re-org undid. */
export interface RetractFrame {
  type: "retract";
  /** The id of the retracted trade or alert. */
  id: string;
  /** Its eventId. */
  eventId: string;
  /** Its position in the log; it only grows. */
  seq: number;
  /** true on a frame that answers a resume. */
  replay?: boolean;
  /** Why. */
  reason: string;
  /** The chain's number. */
  chainId: number;
  /** The chain's name; it always matches the id next to it. */
  chain: string;
  /** When it was found out. */
  ts: number;
}

/** An order of one of your paper follows; sent only to your own sockets that asked for it. */
export interface PaperFrame {
  type: "paper";
  /** Its position in the log of your paper follows; it only grows. */
  paperSeq: number;
  /** The follow. */
  followId: string;
  /** Who is followed. */
  handle: string;
  /** The same, by id. */
  userId: string;
  order: PaperOrder;
}

/** The filter in effect from now on. */
export interface SubscribedFrame {
  type: "subscribed";
  filter: StreamFilter;
  /** Anything a reader should know about this answer; null if nothing. */
  note: string | null;
}

/** Nothing is delivered until the next subscribe. */
export interface UnsubscribedFrame {
  type: "unsubscribed";
}

/** The answer to a ping. */
export interface PongFrame {
  type: "pong";
  /** Now. */
  ts: number;
}

/** The replay is over; live frames follow, without gaps or duplicates. */
export interface ResumedFrame {
  type: "resumed";
  /** The requested position. */
  from: number;
  /** The position reached; live continues from here. */
  to: number;
  /** How many frames were replayed. */
  count: number;
  /** false when there was a gap first. */
  complete: boolean;
}

/** The log no longer reaches back to the requested position. */
export interface GapFrame {
  type: "gap";
  /** The first missing position. */
  fromSeq: number | null;
  /** The last missing position. */
  toSeq: number | null;
  /** How to recover. */
  recover: string;
}

/** This server is shutting down: reconnect and resume. */
export interface ReconnectFrame {
  type: "reconnect";
  /** How long until the socket closes. */
  graceMs: number;
}

/** The shape of every error. */
export interface ErrorBody {
  error:
    | "invalid_parameter"
    | "invalid_body"
    | "network_required"
    | "unauthorized"
    | "credits_exhausted"
    | "resolutions_exhausted"
    | "key_cap_reached"
    | "plan_required"
    | "key_restricted"
    | "origin_refused"
    | "not_found"
    | "unknown_filter"
    | "method_not_allowed"
    | "conflict"
    | "resolving"
    | "not_shown_yet"
    | "payload_too_large"
    | "answer_too_large"
    | "range_not_satisfiable"
    | "unsupported_media_type"
    | "rate_limited"
    | "internal"
    | "upstream_timeout"
    | "payments_not_configured"
    | "unavailable";
  message: string;
  status: number;
  retryable: boolean;
  requestId: string;
  docs: string;
  param?: string;
  allowed?: string[];
  retryAfterSeconds?: number;
  plan?: string;
  remaining?: number;
  required?: number;
  resetsAt?: string | null;
  upgradeUrl?: string;
  topUp?: string;
}

export interface GetTraderInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
}

export interface GetTraderByIdInput {
  /** The trader's stable id. */
  userId: string;
}

export interface ListTradersInput {
  /** Over which time profit, volume and trades are counted. */
  window?: "24h" | "7d" | "30d" | "all";
  /** What to order them by. */
  sort?: "handle" | "pnl" | "volume" | "lastFill";
  /** Largest first or smallest first; by default handles go from A to Z and everything else largest first. */
  order?: "desc" | "asc";
  /** `start`, or an earlier answer's `nextCursor`. */
  cursor?: string;
  /** How many rows at most. */
  limit?: number;
}

export interface ListTradesInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** The maximum number of rows; without it, all rows of the page or fan-out. */
  limit?: number;
  /** Only open or only closed positions. */
  status?: "open" | "closed" | "all";
  /** `start` starts a walk; then pass each answer's `nextCursor` until it is null. */
  cursor?: string;
  /** `1` or `true` asks upstream for every chain in both sort orders; a number buys that many upstream calls. Not together with `cursor`. */
  deep?: true | number;
}

export interface ListPositionsInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Only open or only closed positions. */
  status?: "open" | "closed" | "all";
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** Only positions in this token. */
  token?: string;
  /** By last change, by profit, or by size; largest first. */
  sort?: "recent" | "pnl" | "size";
  /** Whether to list unsolicited tokens too. */
  spam?: boolean;
  /** `start`, or an earlier answer's `nextCursor`. */
  cursor?: string;
  /** How many rows at most. */
  limit?: number;
}

export interface ListPositionChartsInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Which positions: their `tradeId`s with commas between them. Without it, the newest ones. */
  tradeIds?: string;
}

export interface ListSwapsInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Only fills of this token. */
  token?: string;
  /** The same as token. */
  tokenAddress?: string;
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** `start`, or an earlier answer's `nextCursor`. */
  cursor?: string;
  /** How many rows at most. */
  limit?: number;
}

export interface GetBalancesInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** Whether to list unsolicited tokens too. */
  spam?: boolean;
}

export interface ListFollowingInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** How many names at most; upstream serves 200. */
  limit?: number;
}

export interface ListFollowersInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** How many names at most. */
  limit?: number;
}

export interface GetSpotlightInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
}

export interface GetPnlInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Over which time profit is counted. */
  window?: "24h" | "7d" | "30d" | "all";
  /** The width of a bucket; without it `1h` for 24h, `4h` for 7d, else `1d`. */
  interval?: "1h" | "4h" | "1d";
}

export interface GetPnlProofInput {
  /** A handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Over which time profit is counted. */
  window?: "24h" | "7d" | "30d" | "all";
  /** nextCursor of the previous page; `start`, or nothing, for the first. */
  cursor?: string;
}

export interface GetCopyInput {
  /** Who is copied: a handle, in any case and with or without @, or a userId. */
  handle: string;
  /** Over which time. */
  window?: "24h" | "7d" | "30d";
  /** Only this position, from its first buy on, whatever the window; a single trade is always `too_few` to judge a trader by. */
  tradeId?: string;
  /** Dollars spent on each buy. */
  size?: number;
  /** The account's starting dollars; a buy that it can't pay for is skipped. */
  capital?: number;
  /** Seconds from the leader's fill to the follower's; at least a block. */
  delay?: number;
  /** `mirror` sells the same share of the position as the leader, `firstSell` all of it at the first sell. */
  exit?: "mirror" | "firstSell";
  /** The bot's fee on each order, in basis points. */
  botFeeBps?: number;
}

export interface CreateReplayInput {
  /** Who is copied: a handle, in any case and with or without @, or a userId. */
  trader?: string;
  /** The time range up to now; 30d unless from is given. */
  window?: "24h" | "7d" | "30d";
  /** The start, instead of window. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  from?: string;
  /** The end; defaults to now, and at most 180 days after from. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  to?: string;
  /** The account's starting capital; a buy that it can't pay for is skipped. */
  capitalUsd?: number;
  /** How large each buy is. */
  size?: {
    /** `fixed` dollars, `share` in percent of the leader's order, `equity` in percent of the account's value. */
    mode?: "fixed" | "share" | "equity";
    /** Dollars or per cent. */
    value?: number;
    /** Smaller orders are skipped. */
    minUsd?: number;
    /** Larger orders are capped. */
    maxUsd?: number;
  };
  /** From the leader's fill to the follower's; at least a block. */
  delaySeconds?: number;
  /** `mirror` sells the same share as the leader, `firstSell` all at the first sell, `rules` by the follower's own rules only. */
  exit?: "mirror" | "firstSell" | "rules";
  /** Sells all when a tick is this far below the average price paid. */
  stopLossPct?: number;
  /** Sells all when one is this far above it. */
  takeProfitPct?: number;
  /** Sells all when one is this far below the highest since. */
  trailingPct?: number;
  /** Sells all after so long. */
  maxHoldSeconds?: number;
  /** Which buys are copied. */
  filters?: {
    /** Only buys on these chains. */
    chains?: string[];
    /** Only leader buys of at least this. */
    minLeaderUsd?: number;
    /** Only leader buys of at most this. */
    maxLeaderUsd?: number;
    /** Only buys of tokens the leader did not hold. */
    firstBuyOnly?: boolean;
    /** Only in pools of at least this depth. */
    minDepthUsd?: number;
    /** Only while the price has risen by at most this since. */
    maxMovePct?: number;
    /** Positions at once. */
    maxOpen?: number;
  };
  /** Extra costs of each order. */
  costs?: {
    /** For each order; defaults to the leader's median on that chain in the window. */
    networkFeeUsd?: number;
    /** The bot's fee on each order, in basis points. */
    botFeeBps?: number;
  };
  /** Also buys the leader's holdings at the start. */
  copyOpen?: boolean;
  /** Several, instead of trader: one account and its capital copies all of them. */
  traders?: string[];
  /** Instead of trader: the top of the leaderboard, chosen again at intervals; each choice uses only what had happened by then. */
  select?: {
    /** By profit over this window, as of each choice. */
    board?: "24h" | "7d" | "30d";
    /** How many of its top traders are followed. */
    top?: number;
    /** How often it is chosen. */
    every?: "1d" | "7d";
  };
}

export interface GetReplayInput {
  /** The replay's id. */
  replayId: string;
}

export interface CancelReplayInput {
  /** The replay's id. */
  replayId: string;
}

export interface ListReplayOrdersInput {
  /** The replay's id. */
  replayId: string;
  /** start, or nextCursor of the previous page. */
  cursor?: string;
}

export interface CreateFollowInput {
  /** Who is copied: a handle, in any case and with or without @, or a userId. */
  trader: string;
  /** The account's starting capital; a buy that it can't pay for is skipped. */
  capitalUsd?: number;
  /** How large each buy is. */
  size?: {
    /** `fixed` dollars, `share` in percent of the leader's order, `equity` in percent of the account's value. */
    mode?: "fixed" | "share" | "equity";
    /** Dollars or per cent. */
    value?: number;
    /** Smaller orders are skipped. */
    minUsd?: number;
    /** Larger orders are capped. */
    maxUsd?: number;
  };
  /** From the leader's fill to the follower's; at least a block. */
  delaySeconds?: number;
  /** `mirror` sells the same share as the leader, `firstSell` all at the first sell, `rules` by the follower's own rules only. */
  exit?: "mirror" | "firstSell" | "rules";
  /** Sells all when a tick is this far below the average price paid. */
  stopLossPct?: number;
  /** Sells all when one is this far above it. */
  takeProfitPct?: number;
  /** Sells all when one is this far below the highest since. */
  trailingPct?: number;
  /** Sells all after so long. */
  maxHoldSeconds?: number;
  /** Which buys are copied. */
  filters?: {
    /** Only buys on these chains. */
    chains?: string[];
    /** Only leader buys of at least this. */
    minLeaderUsd?: number;
    /** Only leader buys of at most this. */
    maxLeaderUsd?: number;
    /** Only buys of tokens the leader did not hold. */
    firstBuyOnly?: boolean;
    /** Only in pools of at least this depth. */
    minDepthUsd?: number;
    /** Only while the price has risen by at most this since. */
    maxMovePct?: number;
    /** Positions at once. */
    maxOpen?: number;
  };
  /** Extra costs of each order. */
  costs?: {
    /** For each order; defaults to the leader's median on that chain in the window. */
    networkFeeUsd?: number;
    /** The bot's fee on each order, in basis points. */
    botFeeBps?: number;
  };
  /** Also buys the leader's holdings at the start. */
  copyOpen?: boolean;
}

export type ListFollowsInput = Record<string, never>;

export interface GetFollowInput {
  /** The follow's id. */
  followId: string;
}

export interface StopFollowInput {
  /** The follow's id. */
  followId: string;
}

export interface ListFollowOrdersInput {
  /** The follow's id. */
  followId: string;
  /** start, or nextCursor of the previous page; on the last page, use its total to get later orders. */
  cursor?: string;
}

export interface GetRiskInput {
  /** Who: a handle, in any case and with or without @, or a userId. */
  handle: string;
}

export interface GetTradeInput {
  /** A position's id, from trades, theses or alerts. */
  tradeId: string;
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListCommentsInput {
  /** A position's id, from trades, theses or alerts. */
  tradeId: string;
  /** How many rows at most. */
  limit?: number;
  /** `start`, or an earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListFillsInput {
  /** The beginning, included. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  from?: string;
  /** The end, not included. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  to?: string;
  /** Oldest first, or newest first. */
  order?: "asc" | "desc";
  /** Only this trader's: a handle or a userId. */
  trader?: string;
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** Only fills of this token. */
  token?: string;
  /** Only buys or only sells. */
  side?: "buy" | "sell";
  /** Only fills worth at least this many dollars. */
  minUsd?: number;
  /** `start`, an earlier answer's `nextCursor`, or a row's `cursor`. */
  cursor?: string;
  /** How many rows at most. */
  limit?: number;
  /** The answer's form. */
  format?: "json" | "ndjson" | "csv";
}

export interface GetLeaderboardInput {
  /** Over which time profit is counted. */
  window: "24h" | "7d" | "30d" | "all";
  /** How many traders at most. */
  limit?: number;
  /** Only trades on this chain: a name such as solana, or its number. */
  chain?: string;
  /** What to order traders by. */
  sort?: "pnl" | "roi" | "winRate" | "volume" | "trades" | "followers";
  /** Largest first (`desc`) or smallest first (`asc`). Unknown figures come last either way. */
  order?: "desc" | "asc";
}

export interface GetCopyLeaderboardInput {
  /** Over which time. */
  window: "24h" | "7d" | "30d";
  /** How many traders at most. */
  limit?: number;
}

export interface GetTrendingTokensInput {
  /** How many tokens at most. */
  limit?: number;
}

export interface GetMostHeldTokensInput {
  /** How many tokens at most. */
  limit?: number;
}

export interface GetGraduatedTokensInput {
  /** How many tokens at most. */
  limit?: number;
}

export interface ListThesesInput {
  /** How many rows at most. */
  limit?: number;
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** The order of the rows of one page; pages themselves go by time. */
  sort?: "recent" | "likes";
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListTokenThesesInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  mint: string;
  /** How many theses of each page at most. */
  limit?: number;
  /** The token's chain: `sol`, `bnb`, `base`, `eth`, or any chain's name or number. */
  network?: string;
  /** By likes or by time; without it, in the stored order. */
  sort?: "likes" | "recent";
  /** How many pages to read; above 1 they are read live. */
  pages?: number;
}

export interface ListTraderThesesInput {
  /** A handle, in any case and with or without @, or a userId. */
  id: string;
  /** How many rows at most. */
  limit?: number;
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** By likes or by time; without it, in the stored order. */
  sort?: "likes" | "recent";
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListTraderTokenThesesInput {
  /** A handle, in any case and with or without @, or a userId. */
  id: string;
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** How many rows at most. */
  limit?: number;
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface GetTokenInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** The chain's number; needed only for a token outside the directory. */
  networkId?: number;
}

export interface ListHoldersInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** How many rows at most. */
  limit?: number;
}

export interface GetHolderHistoryInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** The chain's number; needed only for a token outside the directory. */
  networkId?: number;
  /** How far two points are apart. */
  interval?: "1h" | "1d";
  /** How many points at most. */
  limit?: number;
}

export interface ListDevsInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** The chain's number; needed only for a token outside the directory. */
  networkId?: number;
}

export interface GetTokenStatsInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** The chain's number; needed only for a token outside the directory. */
  networkId?: number;
}

export interface ListCandlesInput {
  /** The token's address: Solana (base58) or EVM (0x…). */
  address: string;
  /** The chain's number; needed only for a token outside the directory. */
  networkId?: number;
  /** The width of a bucket. */
  interval?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
  /** The first bucket, inclusive. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  from?: string;
  /** The end, not included. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  to?: string;
  /** How many candles at most. */
  limit?: number;
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListTokenActivityInput {
  /** How far back to look. */
  window?: "5m" | "1h" | "4h" | "24h";
  /** Only this chain: a name such as solana, or its number. */
  chain?: string;
  /** Only tokens that at least this many traders traded. */
  minTraders?: number;
  /** Count only buys, or only sells. */
  side?: "buy" | "sell";
  /** Count only trades by this many top traders of the 30-day leaderboard, as last captured. */
  top?: number;
  /** Only tokens that were launched so recently. */
  launchedWithin?: "1h" | "24h" | "7d" | "30d";
  /** Only tokens worth at least this, by the price of the last trade. */
  minMarketCapUsd?: number;
  /** Only tokens worth no more than this. */
  maxMarketCapUsd?: number;
  /** By traders, by net dollars, or by the last trade. */
  sort?: "traders" | "netUsd" | "recent";
  /** How many rows at most. */
  limit?: number;
  /** An earlier answer's `nextCursor`. */
  cursor?: string;
}

export interface ListHistoryInput {
  /** Only this table's files. */
  table?: "fills" | "theses" | "traders" | "positions" | "candles_1m" | "ticks";
  /** The first day. */
  from?: string;
  /** The last day, included. */
  to?: string;
}

export interface GetHistoryFileInput {
  /** The table. */
  table: "fills" | "theses" | "traders" | "positions" | "candles_1m" | "ticks";
  /** The UTC day. */
  date: string;
  /** The file's metadata, or the file. */
  format?: "json" | "parquet";
}

export interface SearchInput {
  /** What to look for: a handle, a name, an X name, a symbol, an address, a wallet or a transaction. */
  q: string;
  /** What to search. */
  type?: "traders" | "tokens" | "all";
  /** How many rows at most. */
  limit?: number;
}

export interface SearchTokensInput {
  /** What to look for: a handle, a name, a symbol or an address. */
  q: string;
  /** How many rows at most. */
  limit?: number;
}

export interface ListAlertsInput {
  /** How many rows at most. */
  limit?: number;
  /** Only this trader: a handle or userId. Several are separated by commas. */
  trader?: string;
  /** Only this trader, by id. Several are separated by commas. */
  userId?: string;
  /** Only this token: a symbol, $SYMBOL or an address. Several are separated by commas. */
  token?: string;
  /** Only this chain: its name or number. Several are separated by commas. */
  chain?: string;
  /** Only fills of at least this many dollars. */
  minUsd?: number;
  /** Only this kind: buy, sell, thesis, perp, transfer, listing, push. Several are separated by commas. */
  type?: string;
  /** Only from: feed, push. Several are separated by commas. */
  source?: string;
  /** Only items that happened or arrived then or later, so late arrivals are not missed. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  since?: string;
  /** Only newer rows: an earlier answer's `nextCursor`, or `start` for the oldest. */
  cursor?: string;
  /** Only older rows: an earlier answer's `oldestCursor`. May be combined with `cursor`. */
  before?: string;
  /** `desc` (default): newest first. `asc`: oldest first, to walk forward from `cursor`. */
  order?: "desc" | "asc";
}

export interface ListNotificationsInput {
  /** How many rows at most. */
  limit?: number;
  /** Only pushes of this type, such as `LARGE_BUY`. */
  notificationType?: string;
  /** Only items that happened or arrived then or later, so late arrivals are not missed. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  since?: string;
  /** Only newer rows: an earlier answer's `nextCursor`, or `start` for the oldest. */
  cursor?: string;
  /** Only older rows: an earlier answer's `oldestCursor`. May be combined with `cursor`. */
  before?: string;
  /** `desc` (default): newest first. `asc`: oldest first, to walk forward from `cursor`. */
  order?: "desc" | "asc";
}

export interface CreateWebhookInput {
  /** Where to post events: https, on a public address, without a user name or password in it. */
  url: string;
  /** What to call it. */
  name?: string;
  /** `json` for programs, or a readable message for a `discord` webhook or `telegram`'s sendMessage. */
  format?: "json" | "discord" | "telegram";
  /** The Telegram chat to write to, with `format` telegram. */
  chatId?: string;
  /** Up to this many events in one request, if that many are waiting; 1 sends each separately. */
  batch?: number;
  /** Send your paper follows' orders instead of alerts, filled or skipped. It takes no filter. */
  paper?: boolean;
  /** Only this trader: a handle or userId. Several are separated by commas. */
  trader?: string;
  /** Only this trader, by id. Several are separated by commas. */
  userId?: string;
  /** Only this token: a symbol, $SYMBOL or an address. Several are separated by commas. */
  token?: string;
  /** Only this chain: its name or number. Several are separated by commas. */
  chain?: string;
  /** Only this kind: buy, sell, thesis, perp, transfer, listing, push. Several are separated by commas. */
  type?: string;
  /** Only from: feed, push. Several are separated by commas. */
  source?: string;
  /** Only fills of at least this many dollars. */
  minUsd?: number;
}

export type ListWebhooksInput = Record<string, never>;

export interface GetWebhookInput {
  /** The webhook's id. */
  webhookId: string;
}

export interface UpdateWebhookInput {
  /** The webhook's id. */
  webhookId: string;
  /** `paused` stops deliveries, `active` continues with them. */
  status?: "active" | "paused";
  /** What to call it. */
  name?: string;
  /** Where to post events: https, on a public address, without a user name or password in it. */
  url?: string;
}

export interface DeleteWebhookInput {
  /** The webhook's id. */
  webhookId: string;
}

export interface RotateWebhookSecretInput {
  /** The webhook's id. */
  webhookId: string;
}

export interface TestWebhookInput {
  /** The webhook's id. */
  webhookId: string;
}

export interface ListWebhookDeliveriesInput {
  /** The webhook's id. */
  webhookId: string;
  /** How many rows at most. */
  limit?: number;
  /** An earlier answer's `nextCursor`, or `start` for the newest. */
  cursor?: string;
}

export interface ReplayWebhookInput {
  /** The webhook's id. */
  webhookId: string;
  /** `start` for the oldest event, `latest` to skip waiting events, or `<epoch>.<seq>` for later events; `paper.<paperSeq>` with `paper`. */
  position: string;
}

export interface BatchInput {
  /** The requests, answered in the same order. */
  requests: {
    /** The path of a GET with its query, percent-encoded. */
    path: string;
    /** Your name for this request, repeated with its answer. */
    id?: string;
    /** Headers of this request. */
    headers?: {
      /** The ETag of an earlier answer; if it is unchanged, this request is a free 304. */
      "if-none-match"?: string;
    };
  }[];
}

export type GetMeInput = Record<string, never>;

export interface GetUsageInput {
  /** The beginning, included. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  from?: string;
  /** The end, exclusive; defaults to now. An ISO 8601 timestamp (UTC unless it says otherwise), unix seconds or unix milliseconds. */
  to?: string;
  /** What rows are summed by. */
  groupBy?: "day" | "route" | "key";
  /** The answer's form. */
  format?: "json" | "csv";
}

export type ListKeysInput = Record<string, never>;

export interface CreateKeyInput {
  /** What to call it. */
  name?: string;
  /** Credits that this key may spend a month; without it, no cap. */
  monthlyCap?: number;
}

export interface RotateKeyInput {
  /** The key's id. */
  id: string;
  /** How long the old key keeps working. */
  overlapSeconds?: number;
}

export interface RevokeKeyInput {
  /** The key's id. */
  id: string;
}

export type CreateStreamTicketInput = Record<string, never>;

export interface CreatePaymentInput {
  /** `credits` for prepaid ones, or a plan for a month of it. */
  plan: "credits" | "starter" | "growth" | "scale";
  /** Dollars to pay. Needed for credits; for a plan it is the plan's price and may be left out. */
  amount?: number;
}

export interface ListPaymentsInput {
  /** How many payments at most. */
  limit?: number;
}

export interface GetPaymentInput {
  /** The payment's id. */
  paymentId: string;
}

export type GetInfoInput = Record<string, never>;

export type GetHealthInput = Record<string, never>;

/** One method per route, named by its operation. */
export interface Methods {
  /** A trader by handle. Resolves a handle to the trader's Solana and EVM wallets, with profit per window, the ten largest holdings and account age. Uses one of the month's wallet resolutions. While the wallets are still being resolved it answers 409, free and retryable. 2,500 credits and one wallet resolution. */
  getTrader(input: GetTraderInput, options?: CallOptions): Promise<Trader>;
  /** A trader by userId. The reverse lookup: from the stable id to the person, also after a rename. Uses one of the month's wallet resolutions; an unknown id costs nothing. 10 credits and one wallet resolution. */
  getTraderById(input: GetTraderByIdInput, options?: CallOptions): Promise<Trader>;
  /** Everybody. The whole directory, 100 traders a page, in one order at one moment: pages of a walk never miss or repeat a trader, however long it takes. Profits are those of the leaderboard and /pnl. 250 credits a page. */
  listTraders(input?: ListTradersInput, options?: CallOptions): Promise<TradersAnswer>;
  /** A trader's trade history. 25 closed positions a page; the first page also carries the open ones. Chains are interleaved, so sort by `ts`. With `deep`, several times more closed positions are found, charged by the upstream calls that answered. Upstream never gives a whole history, so `complete` stays false there. `available` is false until something was captured for this trader. 250 credits a page. */
  listTrades(input: ListTradesInput, options?: CallOptions): Promise<TradesAnswer>;
  /** A trader's positions. Every position as of one moment, filtered and sorted; their `pnlUsd` add up to the trader's all-time profit. Unsolicited tokens that have no price or use another token's name are left out; `spam=true` lists those too. Paged like trades: `cursor=start`, then `nextCursor` until it is null. 250 credits a page. */
  listPositions(input: ListPositionsInput, options?: CallOptions): Promise<PositionsAnswer>;
  /** Positions as small charts. For up to 15 positions at once: the token's price from a little before the first move to a little after the last, at most 48 closes from the same candles as /v2/token/{address}/candles, and the trader's buys, sells and transfers on it, the first and the newest of at most 40. A position that is not this trader's is left out. Needs a plan with on-chain data. 250 credits. */
  listPositionCharts(input: ListPositionChartsInput, options?: CallOptions): Promise<PositionChartsAnswer>;
  /** A trader's fills. Every fill, newest first, 100 a page. The first call already gives `nextCursor`. 250 credits a page. */
  listSwaps(input: ListSwapsInput, options?: CallOptions): Promise<SwapsAnswer>;
  /** What a trader holds. Live holdings, largest first, without unsolicited tokens that have no price or use another token's name; `spam=true` lists those too. `available` is false when holdings can't be read and none were captured. 250 credits. */
  getBalances(input: GetBalancesInput, options?: CallOptions): Promise<BalancesAnswer>;
  /** Traders that a trader follows. Walks pages of 50 names; upstream serves at most 200 names of any list, which `truncated` and `sourceCapped` say. Charged by the pages walked, and refused beforehand when the balance does not cover them. An unknown trader costs nothing. 250 credits a page. */
  listFollowing(input: ListFollowingInput, options?: CallOptions): Promise<FollowingAnswer>;
  /** A sample of a trader's followers. At most 200 names, chosen by upstream; there is no next page. An unknown trader costs nothing. 250 credits. */
  listFollowers(input: ListFollowersInput, options?: CallOptions): Promise<FollowersAnswer>;
  /** A trader's best trades and theses. Chosen by the upstream platform. An unknown trader costs nothing. 250 credits. */
  getSpotlight(input: GetSpotlightInput, options?: CallOptions): Promise<SpotlightAnswer>;
  /** A trader's profit over time. The window's profit as a curve, marked to market at the end of each bucket: realized, unrealized, volume and fills, and where it was made, by token and by chain. Computed from every move, as the leaderboard and /v2/users are at the same `asOf`; `complete` says whether everything is known. 250 credits. */
  getPnl(input: GetPnlInput, options?: CallOptions): Promise<PnlAnswer>;
  /** A trader's profit, proved. For each position of the window: its value at the start, every move with its transaction, fees and gain, its value at the end, and its net. They add up to the window's profit, on every route. 100 positions a page; all pages of a walk share one moment. 250 credits a page. */
  getPnlProof(input: GetPnlProofInput, options?: CallOptions): Promise<PnlProofAnswer>;
  /** What following a trader would have earned. Goes through the trader's orders and prices each as a follower would have got it: some seconds later, in the pool as it was then, with the follower's own impact, the bot's fee and the network's. `bridge` shows where the leader's profit went, to the cent; `ladder` the same at other delays; `verdict` whether the figures are conclusive. docs/replay.md explains each. 250 credits. */
  getCopy(input: GetCopyInput, options?: CallOptions): Promise<CopyAnswer>;
  /** What following would have earned, under your own terms. Sizes, exits, stops, filters and costs of your choice, for one trader, for several in one account, or for those who led the leaderboard at the time (`select`); docs/replay.md explains each. Up to 5,000 of the leader's fills are answered at once if the tape is at hand; more, or a tape that takes longer, is a 202: poll the id until it is done. It is charged once, when it is done: 1,250 for each 5,000 fills begun, or as a miss when there is too little data. The same terms at the same log position give the same id, answered again for free; a replay that failed or was cancelled costs nothing and can be requested again. 1,250 credits an 5,000 fills. */
  createReplay(input?: CreateReplayInput, options?: CallOptions): Promise<Replay>;
  /** A replay of yours. Its progress, and its result once it is done. Replays are kept for 30 days, 200 per account. Free. */
  getReplay(input: GetReplayInput, options?: CallOptions): Promise<Replay>;
  /** Cancel a replay. A running replay is stopped and costs nothing. A finished one is unchanged. Free. */
  cancelReplay(input: CancelReplayInput, options?: CallOptions): Promise<Replay>;
  /** Every order of a replay. Filled and skipped, in the order of execution, 100 a page, each with its reason and the tick that it was priced by, so that anyone can recompute the total. Free. */
  listReplayOrders(input: ListReplayOrdersInput, options?: CallOptions): Promise<ReplayOrdersAnswer>;
  /** Follow a trader on paper. An account without money that copies the trader from now on, with the terms and the code of a replay: after a month, it has the same result as a replay of that month. It continues on its own, across restarts, without missing or repeating an order. It costs 125 credits for each 100 filled orders begun; without credits it waits, and resumes where it was once there are some. An account may have 10 active. docs/replay.md says more. Free. */
  createFollow(input: CreateFollowInput, options?: CallOptions): Promise<Follow>;
  /** The account's paper follows. Each with its state. Stopped ones are kept for 30 days. Free. */
  listFollows(input?: ListFollowsInput, options?: CallOptions): Promise<FollowsAnswer>;
  /** A paper follow of yours. Its holdings and profit. Holdings are valued every few minutes; asOf says when. Free. */
  getFollow(input: GetFollowInput, options?: CallOptions): Promise<Follow>;
  /** Stop a paper follow. It books nothing more, but can be read for 30 days. Stopping it again changes nothing. Free. */
  stopFollow(input: StopFollowInput, options?: CallOptions): Promise<Follow>;
  /** Every order of a paper follow. Filled and skipped, in the order they were booked, 100 a page, each with its reason and the tick that it was priced by. A retracted fill of the trader's becomes a correction: the change to the account, as if the fill had never happened. Free. */
  listFollowOrders(input: ListFollowOrdersInput, options?: CallOptions): Promise<FollowOrdersAnswer>;
  /** Trading patterns that hurt followers. Counts of the last 30 days, each next to the rate over many traders, with a 90 % interval and the transactions: quick dumps, sells into others' buys, followers left holding, flat round trips, and wins on which a follower would have lost. A count is `flagged` when it is above the others' rate and unlikely to be chance. docs/replay.md explains each. 250 credits. */
  getRisk(input: GetRiskInput, options?: CallOptions): Promise<RiskAnswer>;
  /** One trade in full. The position with its fills, transfers, thesis and figures. Past 200 fills or transfers, `cursor` gives the rest. 250 credits. */
  getTrade(input: GetTradeInput, options?: CallOptions): Promise<TradeDetail>;
  /** Comments under a trade. The comments, with `parentId` for replies. 250 credits. */
  listComments(input: ListCommentsInput, options?: CallOptions): Promise<CommentsAnswer>;
  /** Everybody's fills. Every captured fill of every trader, oldest first: a day with `from` and `to`, or all newer fills with the `cursor` of your last row. A walk never skips a fill that may still arrive: it ends at `coveredTo`, some 30 seconds back, and the same cursor continues from there later. A selective filter may give a page with few or no rows and a `nextCursor`. With `format`, the same rows as NDJSON or CSV. 125 credits a page. */
  listFills(input: ListFillsInput & { format: "ndjson" }, options?: CallOptions): Promise<string>;
  listFills(input?: ListFillsInput, options?: CallOptions): Promise<FillsAnswer>;
  /** Traders ranked by profit. At most 150 traders, the first in the requested order; /v2/traders has all of them. `rank` is the rank by profit, whatever the rows are sorted by, and `rankChange` shows how it changed: since the ranking an hour earlier for 24h, and a day earlier for the others, as recorded on the hour. With `chain`, everyone who traded there, ranked by their positions' profit on that chain; `note` says so where the platform can't rank a single chain. Works without a key: then it is free and limited by address. 250 credits. */
  getLeaderboard(input: GetLeaderboardInput, options?: CallOptions): Promise<LeaderboardAnswer>;
  /** Who was worth following. The busiest traders of the last 30 days, each replayed under the standard terms ($100 on each buy, 5 s behind, mirror), and ranked by the lower bound of what a follower was left with: the lower end of its 90 % interval. Computed in the background, one trader at a time, and again every six hours; each row has its `asOf`. `replayed` and `of` give the progress. /v2/users/{handle}/copy has more about one trader. 250 credits. */
  getCopyLeaderboard(input: GetCopyLeaderboardInput, options?: CallOptions): Promise<CopyBoardAnswer>;
  /** Trending tokens. The tokens that the platform shows as trending now. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits. */
  getTrendingTokens(input?: GetTrendingTokensInput, options?: CallOptions): Promise<BoardAnswer>;
  /** Most-held tokens. Held by the most traders; `holders` is null on this board. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits. */
  getMostHeldTokens(input?: GetMostHeldTokensInput, options?: CallOptions): Promise<BoardAnswer>;
  /** Graduated tokens. Fresh from their launch pads, typically well under a million dollars of market cap. Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age. 250 credits. */
  getGraduatedTokens(input?: GetGraduatedTokensInput, options?: CallOptions): Promise<BoardAnswer>;
  /** The newest theses. Across all traders and tokens, newest first. 1,250 credits a page. */
  listTheses(input?: ListThesesInput, options?: CallOptions): Promise<ThesesAnswer>;
  /** Theses about a token. One page holds about 95 theses. More than one page is always read live; a single page may be a captured copy. `available` is false for a token that was never captured. Charged by the pages that answered. 1,250 credits a page. */
  listTokenTheses(input: ListTokenThesesInput, options?: CallOptions): Promise<TokenThesesAnswer>;
  /** A trader's theses. All theses by one trader. 1,250 credits a page. */
  listTraderTheses(input: ListTraderThesesInput, options?: CallOptions): Promise<ThesesAnswer>;
  /** A trader's theses about a token. One trader's theses about one token. 1,250 credits a page. */
  listTraderTokenTheses(input: ListTraderTokenThesesInput, options?: CallOptions): Promise<ThesesAnswer>;
  /** A token at a glance. Its quote with its time, market cap, supply, volume, holders and age, and the tokens on any chain with the same ticker. When upstream does not answer, the last captured figures are served with `stale` and their age. 250 credits. */
  getToken(input: GetTokenInput, options?: CallOptions): Promise<TokenOverview>;
  /** Who holds a token. Among tracked traders, by captured positions; `coverage` says how much of the crowd this covers. `available` is false for a token that was never captured. 250 credits. */
  listHolders(input: ListHoldersInput, options?: CallOptions): Promise<HoldersAnswer>;
  /** How many held a token. Tracked traders who held it at each whole hour or day, computed backwards from current holders using captured fills. Tokens transferred in or out count as held all along. Points before its launch, before capture started, or behind more fills than one call scans are left out. 250 credits. */
  getHolderHistory(input: GetHolderHistoryInput, options?: CallOptions): Promise<HolderHistoryAnswer>;
  /** Deployer and insider positions. An empty list means no known holding, not that the token is safe. 250 credits. */
  listDevs(input: ListDevsInput, options?: CallOptions): Promise<DevsAnswer>;
  /** How a token flows. Buys, sells and volumes over 5 minutes, 1, 4 and 24 hours, with holders and concentration. 250 credits. */
  getTokenStats(input: GetTokenStatsInput, options?: CallOptions): Promise<TokenStatsAnswer>;
  /** A token's candles. The platform's own where it has them, else computed from captured fills: ascending, no bucket twice, the last one `closed:false` while it fills. Without `from`, the newest candles. Needs a plan with on-chain data. 250 credits. */
  listCandles(input: ListCandlesInput, options?: CallOptions): Promise<CandlesAnswer>;
  /** What traders trade now. The tokens that most tracked traders are buying or selling, computed from the log. A token whose age or market cap is unknown is left out where one of them is asked for. 250 credits. */
  listTokenActivity(input?: ListTokenActivityInput, options?: CallOptions): Promise<ActivityAnswer>;
  /** Days available as files. Every closed UTC day as Parquet files: fills, theses, the traders and positions they involve, one-minute candles, and the ticks that were read for replays. A day is closed an hour after it ended. When data in it is retracted or arrives late, the day is closed again, under a higher `version`; a file never changes. Free. */
  listHistory(input?: ListHistoryInput, options?: CallOptions): Promise<HistoryAnswer>;
  /** A day of a table as a file. With `format=parquet`, the file itself: 2,500 credits for each 100 MB begun, with `Range`, and with the file's SHA-256 as its ETag, so that you never pay twice for the same file. Without it, the file's metadata, for free. 2,500 credits an 100 MB. */
  getHistoryFile(input: GetHistoryFileInput, options?: CallOptions): Promise<HistoryFile>;
  /** Search traders, tokens and transactions. By prefix and by similarity, so typos still match. Best match first; each row has its `type`. A whole wallet finds its trader, and with `type=all` a transaction finds its trades once they are public, a minute after they were made. 250 credits. */
  search(input: SearchInput, options?: CallOptions): Promise<SearchAnswer>;
  /** Search tokens. By symbol, name or address. Best match first. 250 credits. */
  searchTokens(input: SearchTokensInput, options?: CallOptions): Promise<TokenSearchAnswer>;
  /** The alert feed. Buys, sells, theses and more as the app showed them, newest first; the REST version of /ws/alerts. Works without a key: then it is free, limited by address and 60 seconds late. With a key it is as fresh as the plan. An alert about a trade that a re-org undid is left out from then on; on /ws/alerts a `retract` names it. 125 credits. */
  listAlerts(input?: ListAlertsInput, options?: CallOptions): Promise<AlertsAnswer>;
  /** Mobile pushes. What the platform pushed to phones, newest first. Some have no type; filtering by type leaves those out. 125 credits. */
  listNotifications(input?: ListNotificationsInput, options?: CallOptions): Promise<NotificationsAnswer>;
  /** Make a webhook. Posts every alert that matches to your endpoint, from now on, at least once and in order. The fields are the filter of /v2/alerts; with `paper` it gets your paper follows' orders instead. Requests are signed as Standard Webhooks specifies; the answer contains the secret, which is shown only once. Deliveries cost 125 credits for each 100 events; failed attempts and tests are free. An endpoint has 10 seconds to answer with a 2xx; after 3 days of failures it is paused and you get a mail. Free. */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<NewWebhookAnswer>;
  /** The account's webhooks. Each with its state: its position in the log, whether it is failing, and what it is waiting for. Free. */
  listWebhooks(input?: ListWebhooksInput, options?: CallOptions): Promise<WebhooksAnswer>;
  /** One webhook. Its settings and its state. Free. */
  getWebhook(input: GetWebhookInput, options?: CallOptions): Promise<Webhook>;
  /** Pause, resume or change a webhook. Resuming continues where it stopped, with its failures reset; a replay from `latest` skips events in between. One that the operator stopped can't be resumed: a 409. Free. */
  updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>;
  /** Delete a webhook. Nothing more is sent to it, and its delivery log is deleted. Free. */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeletedWebhookAnswer>;
  /** Replace a webhook's secret. The answer contains the new secret, which is shown only once. For 24 hours deliveries carry a signature with each. Free. */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<NewWebhookAnswer>;
  /** Send a test. Posts a signed test body at once, even to a paused webhook, and answers with the outcome. Free, and not retried. Free. */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<WebhookTestAnswer>;
  /** Deliveries to a webhook. Every attempt of the last 7 days with its status and duration, newest first. Free. */
  listWebhookDeliveries(
    input: ListWebhookDeliveriesInput,
    options?: CallOptions,
  ): Promise<WebhookDeliveriesAnswer>;
  /** Continue from another position. Delivers matching events after this position, as far back as the log reaches, then continues live. Events delivered before are delivered, and charged, again. Free. */
  replayWebhook(input: ReplayWebhookInput, options?: CallOptions): Promise<Webhook>;
  /** Several reads in one round trip. Up to 25 GETs of this API that take a key. Each one is priced, limited, cached and answered as if sent alone, and one that fails does not affect the others. The batch itself costs nothing extra: its own x-credits-cost is the sum of what its requests cost. It counts as many requests a minute as it holds. An invalid batch is a free 400 that says which request is wrong; then none was run. An answer that no longer fits into the batch is a free 413 of that request. With an Idempotency-Key nothing in it is charged twice. Free. */
  batch(input: BatchInput, options?: CallOptions): Promise<BatchAnswer>;
  /** Plan, balance and limits. This key's permissions, remaining balance and renewal time. Free. */
  getMe(input?: GetMeInput, options?: CallOptions): Promise<MeAnswer>;
  /** What was spent. Charged calls and credits of the account, by day, operation or key. Without `from`, the last 30 days. Free. */
  getUsage(input: GetUsageInput & { format: "csv" }, options?: CallOptions): Promise<string>;
  getUsage(input?: GetUsageInput, options?: CallOptions): Promise<UsageAnswer>;
  /** The account's keys. Without their secrets: those were shown once. Free. */
  listKeys(input?: ListKeysInput, options?: CallOptions): Promise<KeysAnswer>;
  /** Make a key. Another key of the same account. The answer contains the key itself, which is shown only once. Free. */
  createKey(input?: CreateKeyInput, options?: CallOptions): Promise<NewKeyAnswer>;
  /** Replace a key. Replaces this key with a new one. The old one keeps working for `overlapSeconds`. Free. */
  rotateKey(input: RotateKeyInput, options?: CallOptions): Promise<NewKeyAnswer>;
  /** Revoke a key. It stops working on every node within five seconds, and its sockets close. Free. */
  revokeKey(input: RevokeKeyInput, options?: CallOptions): Promise<RevokedKeyAnswer>;
  /** A pass to a socket. Opens one socket within 60 seconds on the key's behalf, so that the key itself stays out of URLs. Free. */
  createStreamTicket(input?: CreateStreamTicketInput, options?: CallOptions): Promise<StreamTicketAnswer>;
  /** Pay in a stablecoin. Prepaid credits at 40,000 a dollar, or one month of a plan that does not renew. Without payment settings it runs on the built-in chain and says `test:true`. Free. */
  createPayment(input: CreatePaymentInput, options?: CallOptions): Promise<Payment>;
  /** The account's payments. Stablecoin payments of this account, newest first, each with its state. Free. */
  listPayments(input?: ListPaymentsInput, options?: CallOptions): Promise<PaymentsAnswer>;
  /** A payment's state. Whether it was seen, confirmed and credited; short, over, late and expired payments say so. Free. */
  getPayment(input: GetPaymentInput, options?: CallOptions): Promise<Payment>;
  /** What this service is. Version, the caller's tier and rate limit, how much data there is, and every endpoint. Works without a key. Free. */
  getInfo(input?: GetInfoInput, options?: CallOptions): Promise<InfoAnswer>;
  /** Whether it is well. For load balancers and monitors. Never metered. Free. */
  getHealth(input?: GetHealthInput, options?: CallOptions): Promise<HealthAnswer>;
}

/** The list in each answer that is walked row by row. */
interface RowLists {
  listTraders: "traders";
  listTrades: "trades";
  listPositions: "positions";
  listSwaps: "swaps";
  getPnlProof: "positions";
  listReplayOrders: "orders";
  listFollowOrders: "orders";
  listComments: "comments";
  listFills: "fills";
  listTheses: "theses";
  listTraderTheses: "theses";
  listTraderTokenTheses: "theses";
  listCandles: "candles";
  listTokenActivity: "tokens";
  listAlerts: "alerts";
  listNotifications: "notifications";
  listWebhookDeliveries: "deliveries";
}
type Page<Id extends keyof Methods> = Awaited<ReturnType<Methods[Id]>>;
type RowOf<Answer, List> = List extends keyof Answer
  ? Answer[List] extends readonly (infer Row)[]
    ? Row
    : never
  : never;

/** Every row of a list, page after page. */
export type Rows = {
  [Id in keyof RowLists]: (
    ...call: Parameters<Methods[Id]>
  ) => AsyncIterableIterator<RowOf<Page<Id>, RowLists[Id]>>;
};

/** The same walks, a page at a time. */
export type Pages = {
  [Id in keyof RowLists | "getTrade"]: (...call: Parameters<Methods[Id]>) => AsyncIterableIterator<Page<Id>>;
};

/** What to follow on /ws/alerts; nothing is everything. */
export interface AlertsFilter {
  /** Only this trader: a handle or userId. Several are separated by commas. */
  trader?: string | number | readonly (string | number)[];
  /** Only this trader, by id. Several are separated by commas. */
  userId?: string | number | readonly (string | number)[];
  /** Only this token: a symbol, $SYMBOL or an address. Several are separated by commas. */
  token?: string | number | readonly (string | number)[];
  /** Only this chain: its name or number. Several are separated by commas. */
  chain?: string | number | readonly (string | number)[];
  /** Only fills of at least this many dollars. */
  minUsd?: number;
  /** Only this kind: buy, sell, thesis, perp, transfer, listing, push. Several are separated by commas. */
  type?: string | number | readonly (string | number)[];
  /** Only from: feed, push. Several are separated by commas. */
  source?: string | number | readonly (string | number)[];
  /** Also send your paper follows' orders: from now on with `latest`, or after the last `paperSeq` you have. Needs a key. */
  paper?: string | number | readonly (string | number)[];
}

/** What to follow on /ws/trades; nothing is everything. */
export interface TradesFilter {
  /** Only this trader: a handle, userId or wallet. Several are separated by commas. */
  trader?: string | number | readonly (string | number)[];
  /** Only this trader, by id. Several are separated by commas. */
  userId?: string | number | readonly (string | number)[];
  /** Only this token: a symbol, $SYMBOL or an address. Several are separated by commas. */
  token?: string | number | readonly (string | number)[];
  /** Only this chain: its name or number. Several are separated by commas. */
  chain?: string | number | readonly (string | number)[];
  /** Only fills of at least this many dollars. */
  minUsd?: number;
  /** Only: buy, sell. Several are separated by commas. */
  side?: string | number | readonly (string | number)[];
  /** Also send each trade again, with `finality` set to finalized, once its block is final. */
  finality?: boolean;
}

/** Method and path, credits a unit, and what else a call must know. */
export const OPERATIONS: Record<keyof Methods, OperationRow> = {
  getTrader: ["GET /v2/users/{handle}", 2500],
  getTraderById: ["GET /v2/users/id/{userId}", 10],
  listTraders: ["GET /v2/traders", 250, { walk: ["traders", "cursor", "nextCursor"] }],
  listTrades: [
    "GET /v2/users/{handle}/trades",
    250,
    {
      walk: ["trades", "cursor", "nextCursor"],
      units: [
        "deep",
        1,
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
        { "1": 10, true: 10 },
      ],
    },
  ],
  listPositions: ["GET /v2/users/{handle}/positions", 250, { walk: ["positions", "cursor", "nextCursor"] }],
  listPositionCharts: ["GET /v2/users/{handle}/positions/charts", 250],
  listSwaps: ["GET /v2/users/{handle}/swaps", 250, { walk: ["swaps", "cursor", "nextCursor"] }],
  getBalances: ["GET /v2/users/{handle}/balances", 250],
  listFollowing: ["GET /v2/users/{handle}/following", 250, { units: ["limit", 4, [50, 100, 150], {}] }],
  listFollowers: ["GET /v2/users/{handle}/followers", 250],
  getSpotlight: ["GET /v2/users/{handle}/spotlight", 250],
  getPnl: ["GET /v2/users/{handle}/pnl", 250],
  getPnlProof: ["GET /v2/users/{handle}/pnl/proof", 250, { walk: ["positions", "cursor", "nextCursor"] }],
  getCopy: ["GET /v2/users/{handle}/copy", 250],
  createReplay: ["POST /v2/replays", 1250, { body: true }],
  getReplay: ["GET /v2/replays/{replayId}", 0],
  cancelReplay: ["DELETE /v2/replays/{replayId}", 0],
  listReplayOrders: ["GET /v2/replays/{replayId}/orders", 0, { walk: ["orders", "cursor", "nextCursor"] }],
  createFollow: ["POST /v2/follows", 0, { body: true }],
  listFollows: ["GET /v2/follows", 0],
  getFollow: ["GET /v2/follows/{followId}", 0],
  stopFollow: ["DELETE /v2/follows/{followId}", 0],
  listFollowOrders: ["GET /v2/follows/{followId}/orders", 0, { walk: ["orders", "cursor", "nextCursor"] }],
  getRisk: ["GET /v2/users/{handle}/risk", 250],
  getTrade: ["GET /v2/trades/{tradeId}", 250, { walk: [null, "cursor", "nextCursor"] }],
  listComments: ["GET /v2/trades/{tradeId}/comments", 250, { walk: ["comments", "cursor", "nextCursor"] }],
  listFills: ["GET /v2/fills", 125, { walk: ["fills", "cursor", "nextCursor"] }],
  getLeaderboard: ["GET /v2/leaderboard/{window}", 250, { keyless: true }],
  getCopyLeaderboard: ["GET /v2/leaderboard/copy/{window}", 250],
  getTrendingTokens: ["GET /v2/leaderboard/tokens/trending", 250],
  getMostHeldTokens: ["GET /v2/leaderboard/tokens/most-held", 250],
  getGraduatedTokens: ["GET /v2/leaderboard/tokens/graduated", 250],
  listTheses: ["GET /v2/thesis", 1250, { walk: ["theses", "cursor", "nextCursor"] }],
  listTokenTheses: [
    "GET /v2/thesis/token/{mint}",
    1250,
    { units: ["pages", 1, [1, 2, 3, 4, 5, 6, 7, 8, 9], {}] },
  ],
  listTraderTheses: ["GET /v2/thesis/user/{id}", 1250, { walk: ["theses", "cursor", "nextCursor"] }],
  listTraderTokenTheses: [
    "GET /v2/thesis/user/{id}/token/{address}",
    1250,
    { walk: ["theses", "cursor", "nextCursor"] },
  ],
  getToken: ["GET /v2/token/{address}", 250],
  listHolders: ["GET /token/{address}/holders", 250],
  getHolderHistory: ["GET /v2/token/{address}/holders/history", 250],
  listDevs: ["GET /v2/token/{address}/devs", 250],
  getTokenStats: ["GET /v2/token/{address}/stats", 250],
  listCandles: ["GET /v2/token/{address}/candles", 250, { walk: ["candles", "cursor", "nextCursor"] }],
  listTokenActivity: ["GET /v2/tokens/activity", 250, { walk: ["tokens", "cursor", "nextCursor"] }],
  listHistory: ["GET /v2/history", 0],
  getHistoryFile: ["GET /v2/history/{table}/{date}", 2500],
  search: ["GET /v2/search", 250],
  searchTokens: ["GET /v2/tokens/search", 250],
  listAlerts: ["GET /v2/alerts", 125, { keyless: true, walk: ["alerts", "before", "oldestCursor"] }],
  listNotifications: ["GET /v2/notifications", 125, { walk: ["notifications", "before", "oldestCursor"] }],
  createWebhook: ["POST /v2/webhooks", 0, { body: true }],
  listWebhooks: ["GET /v2/webhooks", 0],
  getWebhook: ["GET /v2/webhooks/{webhookId}", 0],
  updateWebhook: ["PATCH /v2/webhooks/{webhookId}", 0, { body: true }],
  deleteWebhook: ["DELETE /v2/webhooks/{webhookId}", 0],
  rotateWebhookSecret: ["POST /v2/webhooks/{webhookId}/rotate", 0],
  testWebhook: ["POST /v2/webhooks/{webhookId}/test", 0],
  listWebhookDeliveries: [
    "GET /v2/webhooks/{webhookId}/deliveries",
    0,
    { walk: ["deliveries", "cursor", "nextCursor"] },
  ],
  replayWebhook: ["POST /v2/webhooks/{webhookId}/replay", 0, { body: true }],
  batch: ["POST /v2/batch", 0, { body: true }],
  getMe: ["GET /v2/me", 0],
  getUsage: ["GET /v2/usage", 0],
  listKeys: ["GET /v2/keys", 0],
  createKey: ["POST /v2/keys", 0, { body: true }],
  rotateKey: ["POST /v2/keys/{id}/rotate", 0, { body: true }],
  revokeKey: ["DELETE /v2/keys/{id}", 0],
  createStreamTicket: ["POST /v2/stream-tickets", 0],
  createPayment: ["POST /pay/create", 0, { body: true }],
  listPayments: ["GET /v2/payments", 0],
  getPayment: ["GET /pay/{paymentId}", 0],
  getInfo: ["GET /v1", 0, { keyless: true }],
  getHealth: ["GET /health", 0, { keyless: true }],
};

export const STREAM_PATHS = { alerts: "/ws/alerts", trades: "/ws/trades" } as const;
/** The name of each close code, and whether connecting again can help. */
export const CLOSE_CODES: Record<number, readonly [name: string, reconnect: boolean]> = {
  "1001": ["going_away", true],
  "1009": ["too_big", false],
  "4001": ["key_revoked", false],
  "4003": ["plan_changed", true],
  "4004": ["bad_message", false],
  "4008": ["slow_reader", true],
  "4029": ["too_many_messages", true],
};
export const HEARTBEAT_SECONDS = 20;
