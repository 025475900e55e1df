// Tokens: the boards, search, holders, deployer, flow, candles, and current trading activity.
import { z } from "zod";
import { Token } from "./common.ts";
import * as leaf from "./leaves.ts";
import { EXACT_QUOTE, pricing } from "./pricing.ts";
import { shape } from "./shape.ts";

const BOARD_NAMES = ["trending", "most-held", "graduated"] as const;
export const STATS_WINDOWS = ["5m", "1h", "4h", "24h"] as const;
export const CANDLE_INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d"] as const;
export const SEARCH_TYPES = ["traders", "tokens", "all"] as const;

const onChain = {
  networkId: leaf.chainId("The same number as chainId."),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
};

export const BoardRow = shape("BoardRow", "One token on a board.", {
  rank: leaf.count("The platform's own place; a hidden token leaves a gap.", 1),
  image: leaf.text("The address of the token's picture.", "https://example.com/mooncat.png").nullable(),
  token: Token,
  holders: leaf.count("How many hold it; null on most-held.", 912).nullable(),
  network: leaf.chainId("The same number as chainId."),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  priceUsd: leaf.price("The current price").nullable(),
  change24h: leaf.percent("How the price moved in 24 hours").nullable(),
  marketCapUsd: leaf.usd("Market capitalisation", 3420000).nullable(),
  volume24hUsd: leaf.usd("Traded in 24 hours", 812000).nullable(),
});

export const BoardAnswer = shape("BoardAnswer", "A ranked list of tokens.", {
  board: leaf.oneOf("Which board.", BOARD_NAMES),
  capturedAt: leaf.time("When upstream gave it; null when it has no such board.").nullable(),
  count: leaf.count("How many rows follow.", 50),
  tokens: z.array(BoardRow),
  available: leaf.supported(),
  note: leaf.notInSample(leaf.note()),
  stale: leaf.flag("true when upstream did not answer and the last good board is served."),
  ageHours: leaf.number("How old a stale board is; 0 in normal operation.", 0),
  source: leaf.oneOf("Where the data came from.", ["live-upstream", "captured"]),
});

export const TokenResult = shape("TokenResult", "A token that matched.", {
  type: z.literal("token"),
  symbol: leaf.text("The ticker.", "MOONCAT"),
  address: leaf.address("The token's address."),
  name: leaf.text("The full name.", "Moon Cat"),
  image: leaf.text("The address of the token's picture.", "https://example.com/mooncat.png").nullable(),
  marketCapUsd: leaf.usd("Market capitalisation", 3420000).nullable(),
  asOf: leaf.time("The moment that this row's figures are of."),
  ...onChain,
});

export const TraderResult = shape("TraderResult", "A trader who matched.", {
  type: z.literal("trader"),
  handle: leaf.handle(),
  displayName: leaf.text("The name shown next to the handle.", "Night Owl"),
  userId: leaf.userId(),
  avatar: leaf.text("The address of the picture.", "https://example.com/mayatrades.png").nullable(),
  verified: leaf.flag("Whether the platform verified the account.", true),
  followers: leaf.count("How many follow this trader; null where the platform can't know.", 1832).nullable(),
});

export const TradeResult = shape(
  "TradeResult",
  "A trade with a fill in the transaction that was searched for.",
  {
    type: z.literal("trade"),
    tradeId: leaf.tradeId(),
    handle: leaf.handle("Who traded; null while the name is not known.").nullable(),
    userId: leaf.userId(),
    symbol: leaf.text("The ticker.", "MOONCAT"),
    address: leaf.address("The token's address."),
    side: leaf.oneOf("What the trader did in this transaction.", ["buy", "sell"]),
    usd: leaf.usd("What that was worth", 427.5).nullable(),
    txHash: leaf.txHash(),
    at: leaf.time("When it was made."),
    ...onChain,
  },
);

export const SearchAnswer = shape("SearchAnswer", "Traders, tokens and trades that match a text.", {
  q: leaf.text("What was searched for.", "moon"),
  type: leaf.oneOf("What was searched.", ["all", "traders", "tokens"]),
  count: leaf.count("How many rows follow.", 10),
  results: z
    .array(z.discriminatedUnion("type", [TraderResult, TokenResult, TradeResult]))
    .describe("Best match first."),
  truncated: leaf.truncated("Whether more matched than limit."),
});

export const TokenSearchAnswer = shape("TokenSearchAnswer", "Tokens that match a text.", {
  q: leaf.text("What was searched for.", "moon"),
  count: leaf.count("How many rows follow.", 10),
  asOf: leaf.time("The time of the oldest figures in any row; null without rows.").nullable(),
  tokens: z.array(TokenResult).describe("Best match first."),
  results: z.array(TokenResult).describe("The same list again, for clients that read this name."),
  truncated: leaf.truncated("Whether more matched than limit."),
});

const Namesake = shape("Namesake", "Another token with the same ticker.", {
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  marketCapUsd: leaf.usd("Market capitalisation", 210000).nullable(),
});

export const TokenOverview = shape("TokenOverview", "A token at a glance.", {
  token: Token,
  ...onChain,
  quote: z.strictObject({
    priceUsd: leaf.price("The current price").nullable(),
    change24h: leaf.percent("How the price moved in 24 hours").nullable(),
    ...pricing(EXACT_QUOTE),
    asOf: leaf.time("The time of this price."),
  }),
  marketCapUsd: leaf.usd("Market capitalisation", 3420000).nullable(),
  supply: leaf.amount("In circulation", 1000000000).nullable(),
  volume24hUsd: leaf.usd("Traded in 24 hours", 812000).nullable(),
  holders: leaf.count("How many hold it, by the platform's own count.", 912).nullable(),
  trackedHolders: leaf.count("Tracked traders known to hold it.", 61),
  launchedAt: leaf.time("When it was launched.", "2026-01-20T08:00:00.000Z").nullable(),
  ageDays: leaf.number("Days since then.", 53.3).nullable(),
  graduatedAt: leaf.time("When it left its launch pad; null when it has not.").nullable(),
  deployer: leaf.address("The deployer; null when unknown.").nullable(),
  lowFees: leaf.flag("Whether the platform marks its fees as low."),
  sameTicker: z.array(Namesake).max(10).describe("Tokens with this ticker elsewhere, largest first."),
  stale: leaf.flag("true when upstream did not answer and captured figures are served."),
  source: leaf.oneOf("Where the data came from.", ["live-upstream", "captured"]),
});

export const Holder = shape("Holder", "A tracked trader who holds the token.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  amount: leaf.amount("How much is held"),
  valueUsd: leaf.usd("What it is worth now", 427.5).nullable(),
  priceUsd: leaf.price("The current price").nullable(),
  pnlUsd: leaf.usd("Realized and unrealized, net of fees, over the open positions", 86.2).nullable(),
  since: leaf.time("When the oldest open position was opened."),
  tradeId: leaf.tradeId("The open position; if several, the most recently active one."),
});

export const HoldersAnswer = shape(
  "HoldersAnswer",
  "Who holds a token among tracked traders, by captured positions.",
  {
    address: leaf.address("The requested address."),
    token: Token.nullable(),
    networkId: leaf.chainId("The same number as chainId.").nullable(),
    chainId: leaf.chainId().nullable(),
    chain: leaf.chain().nullable(),
    available: leaf.available(),
    count: leaf.count("How many rows follow.", 50),
    holders: z.array(Holder).describe("Largest first."),
    coverage: z
      .strictObject({
        holders: leaf.count("Tracked traders known to hold the token.", 61),
        tradersCaptured: leaf.count("Traders whose positions were captured.", 1480),
        tradersTracked: leaf.count("Traders in the directory.", 2000),
      })
      .describe("How much of the crowd this list covers."),
    truncated: leaf.truncated(),
    asOf: leaf.pricedAt(),
    note: leaf.note(),
  },
);

export const HOLDER_INTERVALS = ["1h", "1d"] as const;

export const HolderHistoryAnswer = shape(
  "HolderHistoryAnswer",
  "How many tracked traders held a token over time.",
  {
    token: Token,
    ...onChain,
    interval: leaf.oneOf("How far two points are apart.", HOLDER_INTERVALS),
    asOf: leaf.time("The moment of the last point."),
    count: leaf.count("How many points follow.", 48),
    complete: leaf.complete("Whether every requested point is here."),
    points: z
      .array(
        z.strictObject({
          t: leaf.time("The moment.", "2026-03-14T15:00:00.000Z"),
          holders: leaf.count("Tracked traders who held it then.", 58),
        }),
      )
      .describe("Ascending: whole hours or days, then now."),
  },
);

export const Dev = shape("Dev", "A deployer's or insider's position.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  wallet: leaf.address("The wallet that holds it."),
  isDev: leaf.flag("true for the deployer, false for an insider.", true),
  amount: leaf.amount("How much is held"),
  valueUsd: leaf.usd("What it is worth now", 427.5).nullable(),
  costBasisUsd: leaf.usd("What it cost", 10).nullable(),
  realizedPnlUsd: leaf.usd("Profit or loss taken", 4100).nullable(),
  unrealizedPnlUsd: leaf.usd("Unrealized profit or loss", 417.5).nullable(),
  averageEntryPrice: leaf.price("The average price paid", 0.00001).nullable(),
  averageHoldTimeSeconds: leaf.number("How long they hold on average.", 86400).nullable(),
  tradeId: leaf.tradeId().nullable(),
  thesis: leaf.text("What they wrote about it.", "Building in public.").nullable(),
});

export const DevsAnswer = shape("DevsAnswer", "Deployer and insider positions in a token.", {
  token: Token,
  ...onChain,
  count: leaf.count("How many rows follow.", 1),
  devs: z.array(Dev),
  available: leaf.supported(),
  note: leaf.note("What an empty list does not mean; null when there are rows."),
});

export const FlowWindow = shape("FlowWindow", "Buying and selling in one window.", {
  buys: leaf.count("Buys.", 212),
  sells: leaf.count("Sells.", 140),
  uniqueBuyers: leaf.count("Wallets that bought.", 150),
  uniqueSellers: leaf.count("Wallets that sold.", 98),
  buyVolumeUsd: leaf.usd("Bought", 42000),
  sellVolumeUsd: leaf.usd("Sold", 31000),
  netVolumeUsd: leaf.usd("Bought minus sold", 11000),
  buySellRatio: leaf.number("Buys for each sell; null when nothing was sold.", 1.51).nullable(),
});

export const TokenStatsAnswer = shape("TokenStatsAnswer", "A token's buys and sells.", {
  token: Token,
  ...onChain,
  holders: leaf.count("How many hold it.", 912).nullable(),
  top10HoldersPercent: leaf.percent("Share held by the ten largest", 18.2).nullable(),
  lowFees: leaf.flag("Whether the platform marks its fees as low.").nullable(),
  windows: z.strictObject({ "5m": FlowWindow, "1h": FlowWindow, "4h": FlowWindow, "24h": FlowWindow }),
  asOf: leaf.time("When this was read."),
});

export const Candle = shape("Candle", "One bucket of prices.", {
  t: leaf.time("When the bucket starts.", "2026-03-14T15:00:00.000Z"),
  o: leaf.price("The first price"),
  h: leaf.price("The highest price", 0.0036),
  l: leaf.price("The lowest price", 0.0033),
  c: leaf.price("The last price", 0.0035),
  v: leaf.usd("Traded", 4200),
  buyV: leaf.usd("Bought", 2600),
  sellV: leaf.usd("Sold", 1600),
  trades: leaf.count("Fills.", 18),
  closed: leaf.flag("false while the bucket is still open.", true),
});

export const CandlesAnswer = shape(
  "CandlesAnswer",
  "A token's prices: the platform's own candles where it has them, else from captured fills.",
  {
    token: Token,
    ...onChain,
    interval: leaf.oneOf("The width of a bucket.", CANDLE_INTERVALS),
    count: leaf.count("How many candles follow.", 300),
    complete: leaf.complete("Whether the whole requested range is here, and covered."),
    coveredFrom: leaf.time("Since when every trade is in these candles; before that some may be missing."),
    nextCursor: leaf.nextCursor(),
    candles: z.array(Candle).describe("Ascending; buckets without a fill are left out."),
  },
);

export const ActivityRow = shape("ActivityRow", "A token that tracked traders trade now.", {
  rank: leaf.count("The place in this order, from 1.", 1),
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  traders: leaf.count("Tracked traders who traded it.", 14),
  buyers: leaf.count("Of those, who bought.", 12),
  sellers: leaf.count("Of those, who sold.", 4),
  buyUsd: leaf.usd("Bought", 9200),
  sellUsd: leaf.usd("Sold", 2100),
  netUsd: leaf.usd("Bought minus sold", 7100),
  firstTradeAt: leaf.time("The first trade in the window."),
  lastTradeAt: leaf.time("The last trade in the window."),
  priceUsdAtFirst: leaf.price("The price of the first trade").nullable(),
  priceUsd: leaf.price("The price at asOf, or of the last trade where there is no quote", 0.00388).nullable(),
  changePct: leaf.percent("From the first price to this one", 13.5).nullable(),
  marketCapUsdAtFirst: leaf.usd("The market cap at the first price", 3_420_000).nullable(),
  marketCapUsd: leaf.usd("The market cap at this price", 3_880_000).nullable(),
  launchedAt: leaf.time("When it was launched.").nullable(),
  topTraders: z
    .array(
      z.strictObject({
        handle: leaf.handle(),
        userId: leaf.userId(),
        netUsd: leaf.usd("Bought minus sold by this trader", 2400),
      }),
    )
    .describe("Who moved the most."),
  theses: leaf.count("Theses written about it in the window.", 3),
});

export const ActivityAnswer = shape(
  "ActivityAnswer",
  "What tracked traders buy and sell now, from the log.",
  {
    window: leaf.oneOf("The requested window.", STATS_WINDOWS),
    asOf: leaf.time("The window's end."),
    count: leaf.count("How many rows follow.", 50),
    tokens: z.array(ActivityRow),
    nextCursor: leaf.nextCursor(),
    complete: leaf.complete("Whether these are the last rows."),
  },
);
