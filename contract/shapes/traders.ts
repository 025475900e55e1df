// A trader and the lists under it: balances, following, followers, spotlight; and the ranked traders.
import { z } from "zod";
import { Holding, Person, ThesisOfTrade, Token, TopToken } from "./common.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const PNL_WINDOWS = ["24h", "7d", "30d", "all"] as const;
export const LEADERBOARD_SORTS = ["pnl", "roi", "winRate", "volume", "trades", "followers"] as const;
export const DIRECTORY_SORTS = ["handle", "pnl", "volume", "lastFill"] as const;
export const SORT_ORDERS = ["desc", "asc"] as const;

const evmAddress = (description: string) =>
  leaf.text(description, "0x52908400098527886e0f7030069857d2e4169ee7");
const evmWallet = (description: string) => evmAddress(description).nullable();

const Wallets = shape("Wallets", "A trader's wallets and what proves them.", {
  solana: leaf.address("The Solana wallet; null when the trader has none.").nullable(),
  evm: evmWallet("The wallet on every EVM chain; null when the trader has none."),
  verified: leaf.flag("Whether the wallets were checked against trades on chain.", true),
  evidence: z.strictObject({
    solana: leaf.text("What ties the Solana wallet to the trader.", "profile-link").nullable(),
    evm: leaf.text("What ties the EVM wallet to the trader.", "profile-link").nullable(),
  }),
  all: z
    .strictObject({
      solana: z.array(leaf.address("A Solana wallet.")),
      evm: z.array(evmAddress("A wallet on every EVM chain.")),
    })
    .describe("Every known wallet of the trader, the ones above first."),
  status: leaf.oneOf("The state of the resolution.", ["resolved", "resolving"]).optional(),
});

const TraderWindow = shape("TraderWindow", "A trader's profit in one window.", {
  pnlUsd: leaf.usd("Profit or loss, net of fees", 1290.75),
  grossPnlUsd: leaf.usd("The same before fees; null when unknown", 1326.35).nullable(),
  feesUsd: leaf.usd("App and network fees; null when unknown", 35.6).nullable(),
  complete: leaf.complete("Whether every position of the window has both marks, every move and every fee."),
  unpriced: leaf.count("Positions left out because a price or a cost is unknown.", 0),
});

export const Trader = shape("Trader", "One person of the upstream platform, with wallets and figures.", {
  handle: leaf.handle(),
  displayName: leaf.text("The name shown next to the handle.", "Night Owl"),
  userId: leaf.userId(),
  avatar: Person.shape.avatar,
  description: Person.shape.bio,
  twitter: Person.shape.twitter,
  verified: Person.shape.verified,
  clan: Person.shape.clan,
  wallets: Wallets,
  pnl: z
    .strictObject({
      "24h": leaf.usd("The last 24 hours", 318.4),
      "7d": leaf.usd("The last 7 days", 1290.75),
      "30d": leaf.usd("The last 30 days", 6420.1),
      all: leaf.usd("All time", 48211.9),
    })
    .describe("Profit or loss per window, net of fees."),
  windows: z
    .strictObject({ "24h": TraderWindow, "7d": TraderWindow, "30d": TraderWindow, all: TraderWindow })
    .describe("The same, with fees and how much of it is known."),
  pnlUsd: leaf.usd("All-time profit or loss, net of fees; equals pnl.all", 48211.9),
  grossPnlUsd: leaf
    .usd("The same before fees; null when the platform does not report it", 49320.4)
    .nullable(),
  feesUsd: leaf.usd("App and network fees; null when unknown", 1108.5).nullable(),
  pnlSource: leaf.oneOf(
    "books: computed from every move, as /pnl is. platform: the platform's own figure, where its books can't be read.",
    ["books", "platform"],
  ),
  volumeUsd: Person.shape.volumeUsd,
  trades: Person.shape.trades,
  swapCount: Person.shape.swapCount,
  followers: Person.shape.followers,
  following: Person.shape.following,
  upstreamCreatedAt: leaf.time("When the account was created on the platform.", "2025-01-20T08:00:00.000Z"),
  accountAgeDays: Person.shape.accountAgeDays,
  averageHoldTimeSeconds: leaf.number("How long a position is held on average.", 5400).nullable(),
  holdings: z.array(Holding).max(10).describe("The ten most valuable holdings, largest first."),
  holdingsCount: leaf.count("How many tokens are held in all.", 23),
  topTokens: z.array(TopToken).describe("The most valuable tokens, largest first."),
  asOf: leaf.time("The time of the profits; holdings are at the latest prices."),
});

const ExternalPerp = shape("ExternalPerp", "A perp held on another venue.", {
  venue: leaf.text("Where the perp is held.", "external"),
  market: leaf.text("The market.", "SOL-PERP"),
  side: leaf.oneOf("Its direction.", ["long", "short"]),
  sizeUsd: leaf.usd("Its size", 500),
  unrealizedPnlUsd: leaf.usd("Unrealized profit or loss", 12.5).nullable(),
});

export const CoinHolding = shape("CoinHolding", "What a trader holds of a chain's own coin.", {
  symbol: leaf.text("The chain's own coin.", "ETH"),
  amount: leaf.amount("The total held by the trader's wallets there"),
  priceUsd: leaf.price("The current price").nullable(),
  valueUsd: leaf.usd("What it is worth now", 427.5).nullable(),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  asOf: leaf.time("When the amount was read."),
});

export const BalancesAnswer = shape("BalancesAnswer", "What a trader holds now.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  available: leaf.available(),
  count: leaf.count("How many holdings follow.", 23),
  holdings: z.array(Holding).describe("Largest first."),
  totalValueUsd: leaf
    .usd("The value of all holdings, without coins; null when a price is unknown", 15230.8)
    .nullable(),
  coins: leaf.nullInSample(
    z
      .array(CoinHolding)
      .describe(
        "Chains' own coins, which pay for trades and fees; null where the platform doesn't report them.",
      ),
  ),
  complete: leaf.complete("Whether this is everything the trader holds on the requested chains."),
  truncated: leaf.truncated("Whether holdings were left out because of upstream's limit."),
  asOf: leaf.time("When this was read.").nullable(),
  otherPnl: leaf.notInSample(leaf.usd("Profit or loss outside the holdings", 12).nullable()),
  livePerpPnl: leaf.notInSample(leaf.usd("Open profit or loss of perps", -40.5).nullable()),
  externalVenuePerps: leaf.notInSample(z.array(ExternalPerp).describe("Perps on other venues.")),
  note: leaf.note(),
});

export const FollowingAnswer = shape("FollowingAnswer", "Traders that a trader follows.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  count: leaf.count("How many names follow.", 200),
  total: leaf.count("How many the trader follows by the platform's own count.", 214).nullable(),
  following: z.array(Person),
  available: leaf.supported(),
  truncated: leaf.truncated("Whether names are missing here."),
  sourceCapped: leaf.flag("Whether they are missing because of upstream's limit."),
  complete: leaf.complete("true only when this is the trader's whole following list."),
  cap: leaf.count("Upstream's limit.", 200),
  partial: leaf.notInSample(
    leaf.flag("Set when the pull was too slow to finish: the pages read so far are here.", true),
  ),
  retryable: leaf.notInSample(leaf.flag("Set with partial: a retry can return more.", true)),
  note: leaf.note(),
});

export const FollowersAnswer = shape("FollowersAnswer", "A sample of a trader's followers.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  count: leaf.count("How many names follow.", 200),
  total: leaf.count("How many followers there are by the platform's own count.", 1832).nullable(),
  followers: z.array(Person),
  available: leaf.supported(),
  sourceCapped: leaf.flag("Whether upstream served fewer than there are.", true),
  cap: leaf.count("Upstream's limit.", 200),
  wallets: leaf.text("Where to get wallets; these rows have none.", "Ask /v2/users/{handle}."),
  complete: leaf.complete("true only when these are all the followers."),
  truncated: leaf.truncated("Whether names are missing here."),
  note: leaf.note("What is missing here and why; null when nothing is."),
});

export const SpotlightTrade = shape("SpotlightTrade", "A trade that the platform highlights.", {
  tradeId: leaf.tradeId(),
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  status: leaf.oneOf("Whether it is still held.", ["open", "closed"]),
  avgEntryPrice: leaf.price("The average price paid; null when nothing was bought").nullable(),
  avgExitPrice: leaf.price("The average price received", 0.0051).nullable(),
  costBasisUsd: leaf.usd("The cost of the tokens; null when unknown", 420).nullable(),
  realizedPnlUsd: leaf.usd("Realized profit or loss, net of fees", 315.5).nullable(),
  unrealizedPnlUsd: leaf.usd("Unrealized profit or loss", 0).nullable(),
  openedAt: leaf.time("When it began."),
  closedAt: leaf.time("When it was closed; null while open.").nullable(),
  thesis: ThesisOfTrade.nullable(),
});

export const SpotlightAnswer = shape("SpotlightAnswer", "A trader's best trades and theses.", {
  handle: leaf.handle(),
  userId: leaf.userId(),
  bestTrades: z.array(SpotlightTrade).describe("The most profitable ones, as the platform chose them."),
  bestTheses: z.array(SpotlightTrade).describe("Those with the most liked theses."),
  available: leaf.supported(),
  note: leaf.text("Who chose these.", "Chosen by the upstream platform."),
});

const BestTrade = shape("BestTrade", "The most profitable position of a ranked trader in the window.", {
  tradeId: leaf.tradeId(),
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  pnlUsd: leaf.usd("The position's profit in the window, realized and unrealized, net of fees", 2140.5),
  grossPnlUsd: leaf.usd("The same before fees; null when unknown", 2160.1).nullable(),
  feesUsd: leaf.usd("App and network fees; null when unknown", 19.6).nullable(),
  roi: leaf.number("That profit per dollar invested; null when none was.", 1.84).nullable(),
});

const RankChange = shape("RankChange", "How a trader's rank changed since an earlier ranking.", {
  since: leaf.time("The time of the ranking that this one is compared with.", "2026-03-13T15:00:00.000Z"),
  previousRank: leaf.count("The rank then; null if the trader was not on the board.", 4).nullable(),
  places: leaf
    .number("Ranks gained since then, negative when lost; null if the trader was not on the board.", 3)
    .nullable(),
});

export const LeaderboardRow = shape("LeaderboardRow", "One ranked trader.", {
  rank: leaf.count("The rank in this window, from 1.", 1),
  rankChange: RankChange.nullable().describe(
    "How that place moved since an hour (24h) or a day (7d, 30d, all) before the last full hour; " +
      "null where the ranking of then is not known or does not go down to this place, and with `chain`.",
  ),
  handle: leaf.handle(),
  displayName: leaf.text("The name shown next to the handle.", "Night Owl"),
  pnlUsd: leaf.usd("Earned in this window: realized, and the change in unrealized, net of fees", 6420.1),
  grossPnlUsd: leaf.usd("The same before fees; null when the platform does not report it", 6571.3).nullable(),
  feesUsd: leaf.usd("App and network fees; null when the platform does not report them", 151.2).nullable(),
  realizedPnlUsd: leaf.usd("The realized part of it", 5120.4).nullable(),
  volumeUsd: leaf.usd("Bought and sold in this window", 912340.5),
  trades: leaf.count("Fills in this window.", 61),
  positions: leaf.count("Positions the trader has open now.", 17).nullable(),
  followers: leaf.count("How many follow this trader; null where the platform can't know.", 1832).nullable(),
  holdings: leaf.count("How many tokens are held.", 23),
  wallets: z.strictObject({
    solana: leaf.address("The Solana wallet.").nullable(),
    evm: evmWallet("The EVM wallet."),
  }),
  topTokens: z.array(TopToken),
  verified: leaf.flag("Whether the platform verified the account.", true),
  userId: leaf.userId(),
  avatar: leaf.text("The address of the picture.", "https://example.com/mayatrades.png").nullable(),
  winRate: leaf
    .number(
      "The share of positions closed in this window that made a profit, from 0 to 1; null when none was closed.",
      0.62,
    )
    .nullable(),
  roi: leaf
    .number("Profit for each dollar that was at work in this window; null when none was.", 0.35)
    .nullable(),
  bestTrade: BestTrade.nullable(),
  pending: leaf.flag(
    "true while this trader's books were not read yet: winRate, roi and bestTrade are then null.",
  ),
});

export const LeaderboardAnswer = shape("LeaderboardAnswer", "Traders ranked by profit in a window.", {
  window: leaf.oneOf("The requested window.", PNL_WINDOWS),
  asOf: leaf.time("When upstream ranked them; null when there is no ranking.").nullable(),
  count: leaf.count("How many rows follow.", 50),
  traders: z.array(LeaderboardRow),
  sort: leaf.oneOf("What the rows are ordered by.", LEADERBOARD_SORTS),
  order: leaf.oneOf("Largest or smallest first.", SORT_ORDERS),
  chain: leaf.nullInSample(leaf.chain("The requested chain; null without one.")),
  available: leaf.supported(),
  stale: leaf.flag("true when upstream did not answer and an older ranking is served."),
  source: leaf.oneOf("Where the data came from.", ["live-upstream", "captured"]),
  note: leaf.note(),
});

const DirectoryRow = shape("DirectoryRow", "One trader of the directory.", {
  rank: leaf
    .count("The place by profit in this window, from 1; null for one who did and held nothing in it.", 1)
    .nullable(),
  handle: leaf.handle(),
  displayName: LeaderboardRow.shape.displayName,
  userId: leaf.userId(),
  verified: LeaderboardRow.shape.verified,
  wallets: LeaderboardRow.shape.wallets,
  pnlUsd: LeaderboardRow.shape.pnlUsd,
  grossPnlUsd: LeaderboardRow.shape.grossPnlUsd,
  feesUsd: LeaderboardRow.shape.feesUsd,
  realizedPnlUsd: LeaderboardRow.shape.realizedPnlUsd,
  volumeUsd: LeaderboardRow.shape.volumeUsd,
  trades: LeaderboardRow.shape.trades,
  positions: LeaderboardRow.shape.positions,
  followers: LeaderboardRow.shape.followers,
  lastFillAt: leaf
    .time("When the trader last bought or sold; null when that is not known, or never.")
    .nullable(),
  upstreamCreatedAt: leaf.time("When the account was created on the platform.", "2025-01-20T08:00:00.000Z"),
});

export const TradersAnswer = shape(
  "TradersAnswer",
  "Everybody on the platform, in one order at one moment.",
  {
    window: leaf.oneOf("The window that profit, volume and trades are of.", PNL_WINDOWS),
    sort: leaf.oneOf("What the rows are ordered by.", DIRECTORY_SORTS),
    order: leaf.oneOf("Largest or smallest first.", SORT_ORDERS),
    asOf: leaf.time("The moment that all pages of one walk are of.").nullable(),
    total: leaf.count("How many traders there are.", 2000),
    count: leaf.count("How many of them follow.", 100),
    traders: z.array(DirectoryRow),
    available: leaf.supported(),
    nextCursor: leaf.nextCursor(),
    complete: leaf.complete("true when the walk ends here, with every trader listed."),
    note: leaf.note(),
  },
);
