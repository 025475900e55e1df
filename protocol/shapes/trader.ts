// People: in lists, in full, and ranked. A handle is kept as it is shown, but must be one that can be asked for.
import { checked, list, nullable, object, oneOf, optional, type ReadOf, type WrittenOf } from "../schema.ts";
import {
  address,
  amount,
  count,
  decimal,
  flag,
  handle,
  label,
  name,
  networkId,
  prose,
  rank,
  time,
  uuid,
  webAddress,
  word,
} from "../values.ts";
import { holding, token } from "./token.ts";

/** A platform shows the ten largest; room for one that shows more, but not for a whole portfolio per row. */
const TOP_HOLDINGS_MAX = 50;
const FORMER_HANDLES_MAX = 100;
const HOLDINGS_MAX = 5_000;
const LEADERBOARD_ROWS_MAX = 1_000;
const EXTERNAL_PERPS_MAX = 200;
const WALLETS_MAX = 1_000;
const COINS_MAX = 100;

export const PNL_WINDOWS = ["24h", "7d", "30d", "all"] as const;
export type PnlWindow = (typeof PNL_WINDOWS)[number];

const clan = object({
  id: word,
  name,
  // An emoji or a picture's address, so it is text here and the page that shows it decides.
  icon: nullable(name),
  role: nullable(label),
});
export type WireClan = WrittenOf<typeof clan>;

/** One person as lists show them: no wallets. */
export const person = object({
  userId: uuid,
  handle,
  displayName: name,
  avatar: webAddress,
  verified: flag,
  bio: nullable(prose),
  twitter: nullable(name),
  clan: nullable(clan),
  private: flag,
  followers: nullable(count),
  following: nullable(count),
  trades: count,
  swapCount: count,
  volumeUsd: decimal,
  pnl24h: nullable(amount),
  createdAt: time,
});
export type Person = ReadOf<typeof person>;
export type WirePerson = WrittenOf<typeof person>;

const wallets = object({
  status: oneOf(["resolved", "resolving"]),
  solana: nullable(address),
  evm: nullable(address),
  verified: flag,
  evidence: object({ solana: nullable(name), evm: nullable(name) }),
  /** If a trader has more than one of a kind: all of them, the one above first. */
  all: optional(object({ solana: list(address, WALLETS_MAX), evm: list(address, WALLETS_MAX) })),
});

export const trader = object({
  ...person.shape,
  wallets,
  /** Handles this person had before; the platform answers to them too. */
  formerHandles: list(handle, FORMER_HANDLES_MAX),
  /** Earned in the window: realized gains plus the change of unrealized ones, net of fees. */
  pnl: object({ "24h": amount, "7d": amount, "30d": amount, all: amount }),
  averageHoldTimeSeconds: nullable(amount),
  holdingsCount: count,
  /** The ten largest. */
  holdings: list(holding, TOP_HOLDINGS_MAX),
});
export type Trader = ReadOf<typeof trader>;
export type WireUser = WrittenOf<typeof trader>;

const externalPerp = object({
  /** Where it is held. */
  venue: name,
  market: name,
  side: oneOf(["long", "short"]),
  sizeUsd: amount,
  unrealizedPnlUsd: nullable(amount),
});
export type WireExternalPerp = WrittenOf<typeof externalPerp>;

/** A chain's own coin in all of a trader's wallets there. */
const coinHolding = object({
  networkId,
  symbol: label,
  amount,
  priceUsd: nullable(amount),
  valueUsd: nullable(amount),
  asOf: time,
});

export const balances = object({
  holdings: list(holding, HOLDINGS_MAX),
  /** Absent where the platform does not know. */
  coins: optional(list(coinHolding, COINS_MAX)),
  /** For tokens that were received and never bought; null without any. */
  otherPnlUsd: nullable(amount),
  /** Of perps that are open here; null where none is. */
  perpPnlUsd: nullable(amount),
  /** Open perps on venues that the platform does not run; absent where it does not know. */
  externalPerps: optional(list(externalPerp, EXTERNAL_PERPS_MAX)),
});
export type Balances = ReadOf<typeof balances>;
export type WireBalances = WrittenOf<typeof balances>;

/** Trading statistics from the books of the same window. */
const figures = object({
  /** Of the positions closed in it, the share that made a profit, from 0 to 1. */
  winRate: nullable(amount),
  /** Profit per dollar invested. */
  roi: nullable(amount),
  best: nullable(
    object({
      tradeId: uuid,
      token,
      pnlUsd: amount,
      grossPnlUsd: amount,
      feesUsd: amount,
      roi: nullable(amount),
    }),
  ),
});

const leaderboardRow = object({
  rank,
  userId: uuid,
  handle,
  displayName: name,
  verified: flag,
  /** Of the window, as are the realized part of it, the volume and the number of fills. */
  pnlUsd: amount,
  /** Before fees, and these; what pnlUsd is net of. */
  grossPnlUsd: optional(amount),
  feesUsd: optional(amount),
  realizedPnlUsd: optional(amount),
  volumeUsd: decimal,
  trades: count,
  /** Open ones, now. */
  positions: optional(count),
  followers: nullable(count),
  holdingsCount: count,
  wallets: object({ solana: nullable(address), evm: nullable(address) }),
  topTokens: list(holding, TOP_HOLDINGS_MAX),
  figures: optional(figures),
});
export type LeaderboardRow = ReadOf<typeof leaderboardRow>;
export type WireLeaderboardRow = WrittenOf<typeof leaderboardRow>;

/** The order matters, so ranks never decrease from row to row. */
export const leaderboard = checked(
  object({ asOf: time, rows: list(leaderboardRow, LEADERBOARD_ROWS_MAX) }),
  ({ rows }) =>
    rows.every((row, index) => index === 0 || row.rank >= (rows[index - 1]?.rank ?? 0)) ? null : "rank",
);
export type WireLeaderboard = WrittenOf<typeof leaderboard>;

/** The sort keys of rankings. `pnl`, `roi`, `winRate`, `volume` and `trades` are for the window. */
export const RANKING_SORTS = [
  "pnl",
  "roi",
  "winRate",
  "volume",
  "trades",
  "followers",
  "lastFill",
  "handle",
] as const;
export type RankingSort = (typeof RANKING_SORTS)[number];
/** A page of it: as many as a leaderboard has. */
export const RANKING_ROWS_MAX = 150;

const rankedTrader = object({
  ...leaderboardRow.shape,
  /** The rank by profit, whatever the order; null for a trader without activity or holdings in the window. */
  rank: nullable(rank),
  /** Of a buy or a sell before the moment. */
  lastFillAt: nullable(time),
  createdAt: time,
});
export type RankedTrader = ReadOf<typeof rankedTrader>;
export type WireRankedTrader = WrittenOf<typeof rankedTrader>;

/** `total` is the number of rows; an order at a moment never changes, so a position in it always names the same row. */
export const ranking = object({
  asOf: time,
  total: count,
  rows: list(rankedTrader, RANKING_ROWS_MAX),
  /** The one network it covers; omitted when it covers all. */
  networkId: optional(networkId),
});
export type Ranking = ReadOf<typeof ranking>;
export type WireRanking = WrittenOf<typeof ranking>;
