// For tests: a platform of one trader, one token and a feed that moves only on request, so that what a test sees follows
// from what it did. Every answer is a valid one of the protocol; living ones are tested by suite.ts.
import {
  type FeedName,
  type Immediate,
  type Platform,
  UNDECLARED,
  type WireAppItem,
  type WireCapabilities,
  type WireFeedPage,
} from "./protocol.ts";
import {
  AT,
  TOKEN_ADDRESS,
  TRADE_ID,
  USER_ID,
  wireBuy,
  wireChainTrade,
  wireHolding,
  wirePerson,
  wirePosition,
  wirePush,
  wireSwap,
  wireThesis,
  wireToken,
  wireTokenInfo,
  wireUser,
} from "./test-samples.ts";

interface FixedPlatform extends Platform {
  api: Immediate<"books" | "ranking" | "candles" | "ticks" | "quotes" | "image">;
  /** The app feed gets this many more items. */
  grow(count: number): void;
  /** What it says it can do from now on; it continues answering everything. */
  declare(what: Partial<WireCapabilities>): void;
}

export function fixedPlatform(): FixedPlatform {
  let declared: WireCapabilities = UNDECLARED;
  const listeners = new Set<(feed: FeedName) => void>();
  const app: WireAppItem[] = [];
  const flow = {
    buys: 1,
    sells: 0,
    uniqueBuyers: 1,
    uniqueSellers: 0,
    buyVolumeUsd: "300",
    sellVolumeUsd: "0",
  };
  const user = (userId: string) => userId === USER_ID;
  const ofToken = (address: string) => address.toLowerCase() === TOKEN_ADDRESS.toLowerCase();
  const page = <Row>(rows: Row[]) => ({ rows, nextCursor: null });
  const feedPage = <Item>(items: Item[], after: number, limit: number): WireFeedPage<Item> => ({
    items: items.slice(after, after + limit).map((item, index) => ({ position: after + index + 1, item })),
    oldest: 1,
    newest: items.length,
  });
  return {
    api: {
      status: () => ({ worldTime: AT, genesis: AT - 9e9, users: 1, tokens: 1, capabilities: declared }),
      userByHandle: (handle) => (handle.toLowerCase() === "frogqueen" ? wireUser : undefined),
      userById: (userId) => (user(userId) ? wireUser : undefined),
      trades: (userId) =>
        user(userId) ? { open: [wirePosition], closed: [], closedTotal: 0, nextCursor: null } : undefined,
      balances: (userId) =>
        user(userId) ? { holdings: [wireHolding], otherPnlUsd: null, perpPnlUsd: 1.5 } : undefined,
      following: (userId) => (user(userId) ? { ...page([wirePerson]), total: 1 } : undefined),
      followers: (userId) => (user(userId) ? { rows: [wirePerson], total: 10 } : undefined),
      spotlight: (userId) => (user(userId) ? { bestTrades: [wirePosition], bestTheses: [] } : undefined),
      swaps: (userId) => (user(userId) ? page([wireSwap]) : undefined),
      trade: (tradeId) =>
        tradeId === TRADE_ID ? { ...wirePosition, swaps: [wireSwap], transfers: [] } : undefined,
      comments: (tradeId) => (tradeId === TRADE_ID ? page([]) : undefined),
      leaderboard: () => ({
        asOf: AT,
        rows: [
          {
            rank: 1,
            userId: USER_ID,
            handle: "FrogQueen",
            displayName: "Frog Queen 🐸",
            verified: true,
            pnlUsd: 900.5,
            volumeUsd: "10452.75",
            trades: 3,
            followers: 10,
            holdingsCount: 1,
            wallets: { solana: null, evm: TOKEN_ADDRESS },
            topTokens: [wireHolding],
          },
        ],
      }),
      board: (board) => ({
        board,
        asOf: AT,
        rows: [
          {
            rank: 2,
            token: wireToken,
            holders: board === "most-held" ? null : 412,
            priceUsd: 0.0021,
            change24h: -3.5,
            marketCapUsd: 2_100_000,
            volume24hUsd: "54321.5",
          },
        ],
      }),
      theses: () => page([wireThesis]),
      tokenTheses: (address) => (ofToken(address) ? { rows: [wireThesis], hasMore: false } : undefined),
      userTheses: (userId) => (user(userId) ? page([wireThesis]) : undefined),
      token: (address) => (ofToken(address) ? wireTokenInfo : undefined),
      tokenStats: (address) =>
        ofToken(address)
          ? {
              token: wireToken,
              holders: 412,
              top10HoldersPercent: 31.5,
              lowFees: false,
              windows: { "5m": flow, "1h": flow, "4h": flow, "24h": flow },
            }
          : undefined,
      tokenDevs: (address) => (ofToken(address) ? { token: wireToken, devs: [] } : undefined),
      search: () => ({ users: [wirePerson], tokens: [wireTokenInfo] }),
      users: () => page([wireUser]),
      tokens: () => page([wireTokenInfo]),
      appFeed: (after, limit) => feedPage(app, after, limit),
      pushFeed: (after, limit) => feedPage([wirePush], after, limit),
      chainFeed: (after, limit) => feedPage([wireChainTrade], after, limit),
    },
    onMove: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => listeners.clear(),
    declare: (what) => {
      declared = { ...declared, ...what };
    },
    grow: (count) => {
      for (let i = 0; i < count; i++) app.push(wireBuy(app.length));
      for (const listener of listeners) listener("app");
    },
  };
}
