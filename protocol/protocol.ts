// What travels between the simulated platform and whoever reads it, in the process or over its wire. Shapes
// only. It is a foreign protocol on purpose: volumes are strings, times are epoch milliseconds, networks are
// numbers, lists are capped; the service decodes it and trusts none of it. docs/platform-protocol.md explains it.

export type NetworkId = number;
export type Window = "24h" | "7d" | "30d" | "all";
export type BoardName = "trending" | "most-held" | "graduated";
export type TradeSort = "recent" | "pnl";
export type FeedName = "app" | "push" | "chain";

export interface WireClan {
  id: string;
  name: string;
  icon: string;
  role: string;
}

export interface WireToken {
  address: string;
  networkId: NetworkId;
  symbol: string;
  name: string;
  image: string;
  decimals: number;
}

export interface WireHolding {
  token: WireToken;
  amount: number;
  priceUsd: number;
  valueUsd: number;
  change24h: number | null;
  pnlUsd: number;
}

/** One person as lists show them: no wallets. */
export interface WirePerson {
  userId: string;
  handle: string;
  displayName: string;
  avatar: string;
  verified: boolean;
  bio: string | null;
  twitter: string | null;
  clan: WireClan | null;
  private: boolean;
  followers: number;
  following: number;
  trades: number;
  swapCount: number;
  volumeUsd: string;
  pnl24h: number;
  createdAt: number;
}

export interface WireUser extends WirePerson {
  wallets: {
    status: "resolved" | "resolving";
    solana: string | null;
    evm: string | null;
    verified: boolean;
    evidence: { solana: string | null; evm: string | null };
  };
  /** Handles this person had before; the platform answers to them too. */
  formerHandles: string[];
  pnl: Record<Window, number>;
  averageHoldTimeSeconds: number | null;
  holdingsCount: number;
  /** The ten largest. */
  holdings: WireHolding[];
}

export interface WirePosition {
  tradeId: string;
  userId: string;
  handle: string;
  token: WireToken;
  status: "open" | "closed";
  isDev: boolean;
  boughtAmount: number;
  soldAmount: number;
  transferredInAmount: number;
  transferredOutAmount: number;
  /** boughtAmount - soldAmount + transferredInAmount - transferredOutAmount */
  amount: number;
  costBasisUsd: number;
  proceedsUsd: number;
  avgEntryPrice: number | null;
  avgExitPrice: number | null;
  avgTransferInPrice: number | null;
  avgTransferOutPrice: number | null;
  realizedPnlUsd: number;
  unrealizedPnlUsd: number;
  priceUsd: number;
  openedAt: number;
  lastActivityAt: number;
  closedAt: number | null;
  thesis: { id: string; text: string; likes: number } | null;
}

export interface WireSwapLeg {
  address: string;
  symbol: string;
  amount: number;
  usd: number;
}

export interface WireSwap {
  swapId: string;
  tradeId: string;
  userId: string;
  side: "buy" | "sell";
  networkId: NetworkId;
  tokenIn: WireSwapLeg;
  tokenOut: WireSwapLeg;
  priceUsd: number;
  feeUsd: number;
  txHash: string;
  block: number;
  at: number;
}

export interface WireTransfer {
  transferId: string;
  tradeId: string;
  direction: "in" | "out";
  amount: number;
  priceUsd: number;
  valueUsd: number;
  counterparty: string;
  txHash: string;
  at: number;
}

export interface WireTradeDetail extends WirePosition {
  /** Oldest first, at most 500 of each. */
  swaps: WireSwap[];
  transfers: WireTransfer[];
}

export interface WireComment {
  id: string;
  tradeId: string;
  userId: string;
  handle: string;
  text: string;
  likes: number;
  parentId: string | null;
  links: WireLink[];
  createdAt: number;
}

export interface WireLink {
  text: string;
  link: string;
  provider: string;
}

export interface WireThesis {
  id: string;
  tradeId: string;
  userId: string;
  handle: string;
  displayName: string;
  avatar: string;
  text: string;
  /** Absent on the global list: the platform does not count there. */
  likes?: number;
  replies: number;
  links: WireLink[];
  isDev: boolean;
  /** What the writer holds of the token now, in dollars. */
  equityUsd: number;
  tradeUsd: number;
  realizedPnlUsd: number;
  unrealizedPnlUsd: number;
  token: WireToken;
  createdAt: number;
}

export interface WireLeaderboardRow {
  rank: number;
  userId: string;
  handle: string;
  displayName: string;
  verified: boolean;
  pnlUsd: number;
  volumeUsd: string;
  trades: number;
  followers: number;
  holdingsCount: number;
  wallets: { solana: string | null; evm: string | null };
  topTokens: WireHolding[];
}

export interface WireBoardRow {
  rank: number;
  token: WireToken;
  /** null on most-held. */
  holders: number | null;
  priceUsd: number;
  change24h: number | null;
  marketCapUsd: number;
  volume24hUsd: string;
}

/** A hidden honeypot is left out and its rank is not given to another token. */
export interface WireBoard {
  board: BoardName;
  asOf: number;
  rows: WireBoardRow[];
}

export interface WireTokenInfo extends WireToken {
  priceUsd: number;
  change24h: number | null;
  marketCapUsd: number;
  supply: number;
  holders: number;
  launchedAt: number;
  graduatedAt: number | null;
  lowFees: boolean;
}

export interface WireTokenStatsWindow {
  buys: number;
  sells: number;
  uniqueBuyers: number;
  uniqueSellers: number;
  buyVolumeUsd: string;
  sellVolumeUsd: string;
}

export interface WireTokenStats {
  token: WireToken;
  holders: number;
  top10HoldersPercent: number;
  lowFees: boolean;
  windows: Record<"5m" | "1h" | "4h" | "24h", WireTokenStatsWindow>;
}

export interface WireDev {
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

/** One thing that the app showed, or that a phone was told, or that a chain recorded. */
export interface WireAppItem {
  eventId: string;
  kind: "buy" | "sell" | "thesis" | "perp" | "transfer" | "listing";
  userId: string | null;
  handle: string | null;
  displayName: string | null;
  token: WireToken | null;
  tradeId: string | null;
  swapId: string | null;
  transferId: string | null;
  text: string | null;
  /** Buys and sells only, as are the next five. Volumes are strings. */
  fillUsd: string | null;
  amount: number | null;
  priceUsd: number | null;
  txHash: string | null;
  positionValueUsd: number | null;
  /** Sells only: the position's running figure, and what this sell added. */
  realizedPnlUsd: number | null;
  realizedPnlUsdDelta: number | null;
  /** Theses only: the id of the written rationale. */
  thesisId: string | null;
  /** When it happened in the app. An item may arrive minutes later, twice, or out of order. */
  at: number;
}

export interface WirePushItem {
  eventId: string;
  notificationType: string | null;
  title: string;
  text: string;
  userId: string | null;
  handle: string | null;
  token: WireToken | null;
  at: number;
}

export type WireChainItem =
  | {
      kind: "trade";
      eventId: string;
      tradeId: string;
      swapId: string;
      side: "buy" | "sell";
      userId: string;
      handle: string;
      wallet: string;
      token: WireToken;
      marketCapUsd: number | null;
      usd: string;
      amount: number;
      priceUsd: number;
      txHash: string;
      block: number;
      blockAt: number;
      finality: "confirmed" | "finalized";
    }
  | {
      kind: "retract";
      eventId: string;
      retractedEventId: string;
      reason: string;
      networkId: NetworkId;
      at: number;
    };

/** Positions grow by one for each item; a reader asks for what comes after the last one it has. */
export interface WireFeedPage<Item> {
  items: { position: number; item: Item }[];
  /** The oldest position still kept and the newest one there is. */
  oldest: number;
  newest: number;
}

export interface WireTradesPage {
  /** On the first page only. */
  open: WirePosition[];
  /** 25 at most. */
  closed: WirePosition[];
  closedTotal: number;
  nextCursor: string | null;
}

export interface WirePage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * Everything the platform answers. `undefined` means that it knows no such subject.
 * Limits it keeps, as the real one does: 200 names of a following list in pages of 50, a 200-name follower sample,
 * 25 closed trades a page and at most 8 pages deep per network and sort order, 100 swaps a page, 95 theses a page.
 */
export interface PlatformApi {
  status(): { worldTime: number; genesis: number; seed: string; users: number; tokens: number };
  userByHandle(handle: string): WireUser | undefined;
  userById(userId: string): WireUser | undefined;
  trades(
    userId: string,
    query: { networkId?: NetworkId; sort: TradeSort; cursor?: string },
  ): WireTradesPage | undefined;
  balances(
    userId: string,
  ): { holdings: WireHolding[]; otherPnlUsd: number | null; perpPnlUsd: number | null } | undefined;
  following(userId: string, cursor?: string): (WirePage<WirePerson> & { total: number }) | undefined;
  followers(userId: string): { rows: WirePerson[]; total: number } | undefined;
  spotlight(userId: string): { bestTrades: WirePosition[]; bestTheses: WirePosition[] } | undefined;
  swaps(
    userId: string,
    query: { networkId?: NetworkId; token?: string; cursor?: string },
  ): WirePage<WireSwap> | undefined;
  trade(tradeId: string): WireTradeDetail | undefined;
  comments(tradeId: string, cursor?: string): WirePage<WireComment> | undefined;
  leaderboard(window: Window): { asOf: number; rows: WireLeaderboardRow[] };
  board(name: BoardName): WireBoard;
  theses(query: { networkId?: NetworkId; cursor?: string }): WirePage<WireThesis>;
  tokenTheses(
    address: string,
    query: { networkId?: NetworkId; sort?: "likes" | "recent"; page: number },
  ): { rows: WireThesis[]; hasMore: boolean } | undefined;
  userTheses(userId: string, query: { token?: string; cursor?: string }): WirePage<WireThesis> | undefined;
  token(address: string, networkId?: NetworkId): WireTokenInfo | undefined;
  tokenStats(address: string, networkId?: NetworkId): WireTokenStats | undefined;
  tokenDevs(address: string, networkId?: NetworkId): { token: WireToken; devs: WireDev[] } | undefined;
  search(q: string, limit: number): { users: WirePerson[]; tokens: WireTokenInfo[] };
  /** The directory, oldest account or launch first, 500 a page. */
  users(cursor?: string): WirePage<WireUser>;
  tokens(cursor?: string): WirePage<WireTokenInfo>;
  appFeed(after: number, limit: number): WireFeedPage<WireAppItem>;
  pushFeed(after: number, limit: number): WireFeedPage<WirePushItem>;
  chainFeed(after: number, limit: number): WireFeedPage<WireChainItem>;
}

/** A platform that lives: it trades by itself, tells its followers, and can be closed. */
export interface Platform {
  api: PlatformApi;
  /** Called after the named feed has moved. Returns how to stop listening. */
  onMove(listener: (feed: FeedName) => void): () => void;
  close(): Promise<void>;
}
