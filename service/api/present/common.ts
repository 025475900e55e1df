// From our nouns to their wire form: tokens, holdings, people. Labels are created once, with the operator's chain names.

import type { Chains } from "../../../contract/chains.ts";
import { Person as PersonShape } from "../../../contract/shapes/common.ts";
import * as shapes from "../../../contract/shapes/traders.ts";
import type {
  ServedCoinHolding,
  ServedHolding,
  ServedLeaderboardRow,
  ServedPerson,
  ServedToken,
  ServedTopToken,
  ServedTrader,
} from "../../../contract/shapes/types.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Holding, Token } from "../../../protocol/shapes/token.ts";
import type { Balances, LeaderboardRow, Person, Trader } from "../../../protocol/shapes/trader.ts";
import { walletsOf } from "../../model/wallets.ts";
import type { AnswerLabels } from "./labels.ts";
import { presentAs } from "./same-fields.ts";

export function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : iso(epochMs);
}

export function presentToken(labels: AnswerLabels, token: Token): ServedToken {
  const { symbol, address, name, networkId, image } = token;
  return { symbol, address, name, networkId, image: labels.pictureUrl(image) };
}

/** The chain's number and its name, which must never disagree. */
export function presentChain(chains: Chains, networkId: number): { chainId: number; chain: string } {
  return { chainId: networkId, chain: chains.nameOf(networkId) };
}

export function presentHolding(labels: AnswerLabels, holding: Holding): ServedHolding {
  return {
    token: presentToken(labels, holding.token),
    amount: holding.amount,
    priceUsd: holding.priceUsd,
    valueUsd: holding.valueUsd,
    change24h: holding.change24h,
    spam: holding.spam ?? false,
    ...presentChain(labels.chains, holding.token.networkId),
  };
}

function presentTopToken(labels: AnswerLabels, holding: Holding): ServedTopToken {
  return {
    tokenAddress: holding.token.address,
    symbol: holding.token.symbol,
    networkId: holding.token.networkId,
    ...presentChain(labels.chains, holding.token.networkId),
    humanAmount: holding.amount,
    price: holding.priceUsd,
    value: holding.valueUsd,
    pnl: holding.pnlUsd,
    imageUrl: labels.pictureUrl(holding.token.image),
  };
}

function accountAgeDays(createdAt: number, now: number): number {
  return Math.max(0, Math.floor((now - createdAt) / DAY_MS));
}

export function presentPerson(labels: AnswerLabels, person: Person, now: number): ServedPerson {
  return presentAs(PersonShape, person, {
    avatar: labels.pictureUrl(person.avatar),
    createdAt: iso(person.createdAt),
    accountAgeDays: accountAgeDays(person.createdAt, now),
  });
}

/** A trader's profit in each window, its source, and its time. */
export type TraderProfits = Pick<
  ServedTrader,
  "pnl" | "windows" | "grossPnlUsd" | "feesUsd" | "pnlSource" | "asOf"
>;

export function presentCoin(
  chains: Chains,
  { networkId, asOf, ...coin }: NonNullable<Balances["coins"]>[number],
): ServedCoinHolding {
  return { ...coin, ...presentChain(chains, networkId), asOf: iso(asOf) };
}

export function presentTrader(
  labels: AnswerLabels,
  trader: Trader,
  profits: TraderProfits,
  now: number,
): ServedTrader {
  return presentAs(shapes.Trader, trader, {
    ...profits,
    wallets: { ...trader.wallets, all: walletsOf(trader.wallets) },
    avatar: labels.pictureUrl(trader.avatar),
    description: trader.bio,
    pnlUsd: profits.pnl.all,
    upstreamCreatedAt: iso(trader.createdAt),
    accountAgeDays: accountAgeDays(trader.createdAt, now),
    holdings: trader.holdings.map((holding) => presentHolding(labels, holding)),
    topTokens: trader.holdings.map((holding) => presentTopToken(labels, holding)),
  });
}

/** The fields from upstream's own row; the rest comes from captured positions. */
export function presentLeaderboardRow<Rank extends number | null>(
  labels: AnswerLabels,
  row: Omit<LeaderboardRow, "rank"> & { rank: Rank },
): Omit<
  ServedLeaderboardRow,
  "rank" | "rankChange" | "avatar" | "winRate" | "roi" | "bestTrade" | "pending"
> & {
  rank: Rank;
} {
  return {
    rank: row.rank,
    handle: row.handle,
    displayName: row.displayName,
    pnlUsd: row.pnlUsd,
    grossPnlUsd: row.grossPnlUsd,
    feesUsd: row.feesUsd,
    realizedPnlUsd: row.realizedPnlUsd ?? null,
    volumeUsd: row.volumeUsd,
    trades: row.trades,
    positions: row.positions ?? null,
    followers: row.followers,
    holdings: row.holdingsCount,
    wallets: { solana: row.wallets.solana, evm: row.wallets.evm },
    topTokens: row.topTokens.map((holding) => presentTopToken(labels, holding)),
    verified: row.verified,
    userId: row.userId,
  };
}
