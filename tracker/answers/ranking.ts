// The ranking of roster traders: by profit, or in any other order, at one moment.
import { roiOf } from "../../accounting/figures.ts";
import { toUsd } from "../../accounting/money.ts";
import { knownFirst } from "../../kit/known-first.ts";
import type { RankingQuery } from "../../protocol/platform.ts";
import type {
  PnlWindow,
  RankingSort,
  WireLeaderboard,
  WireLeaderboardRow,
  WireRanking,
} from "../../protocol/shapes/trader.ts";
import { decimalText, wireToken } from "../feeds/items.ts";
import type { Answering } from "./parts.ts";
import { holdingsOf, wireHolding } from "./positions.ts";
import type { TraderStanding } from "./standings.ts";

const LEADERBOARD_ROWS = 150;
const TOP_TOKENS = 3;

export async function leaderboardOf(
  parts: Answering,
  window: PnlWindow,
  at?: number,
): Promise<WireLeaderboard> {
  const { asOf, ranked } = await parts.standings.everybody(window, at);
  const rows: WireLeaderboardRow[] = [];
  for (const each of ranked.slice(0, LEADERBOARD_ROWS))
    if (each.rank !== null) rows.push(await rowOf(parts, each, each.rank));
  return { asOf, rows };
}

export async function rankingOf(
  parts: Answering,
  window: PnlWindow,
  { at, sort, order, who, networkId, from, limit }: RankingQuery,
): Promise<WireRanking> {
  const { asOf, ranked } = await parts.standings.everybody(window, at, networkId);
  const wanted = ranked.filter(
    ({ rank, trader }) => rank !== null || (who === "all" && trader.addedAt < asOf),
  );
  // A stable sort: equals stay in the order of their profits.
  wanted.sort((a, b) => knownFirst(RANKED_BY[sort](a), RANKED_BY[sort](b), order));
  const rows: WireRanking["rows"] = [];
  for (const each of wanted.slice(from, from + limit)) {
    const row = await rowOf(parts, each, each.rank);
    rows.push({ ...row, lastFillAt: each.lastFillAt, createdAt: each.trader.addedAt });
  }
  return { asOf, total: wanted.length, rows, ...(networkId === undefined ? {} : { networkId }) };
}

const RANKED_BY: Record<RankingSort, (standing: TraderStanding) => number | string | null> = {
  pnl: ({ total }) => total.net,
  roi: ({ figures }) => figures.roi,
  winRate: ({ figures }) => figures.winRate,
  volume: ({ total }) => total.volume,
  trades: ({ total }) => total.fills,
  // A chain has no followers.
  followers: () => null,
  lastFill: ({ lastFillAt }) => lastFillAt,
  handle: ({ trader }) => trader.handle.toLowerCase(),
};

async function rowOf<Rank extends number | null>(
  parts: Answering,
  { trader, total, figures }: TraderStanding,
  rank: Rank,
): Promise<Omit<WireLeaderboardRow, "rank"> & { rank: Rank }> {
  const holdings = await holdingsOf(parts, trader.userId);
  return {
    rank,
    userId: trader.userId,
    handle: trader.handle,
    displayName: trader.displayName,
    verified: false,
    pnlUsd: toUsd(total.net),
    grossPnlUsd: toUsd(total.gross),
    feesUsd: toUsd(total.fees),
    realizedPnlUsd: toUsd(total.realized),
    trades: total.fills,
    volumeUsd: decimalText(toUsd(total.volume)),
    positions: holdings.length,
    followers: null,
    holdingsCount: holdings.length,
    wallets: { solana: trader.solana[0] ?? null, evm: trader.evm[0] ?? null },
    topTokens: holdings.slice(0, TOP_TOKENS).map(wireHolding),
    figures: figuresRow(figures),
  };
}

function figuresRow({
  winRate,
  roi,
  best,
}: TraderStanding["figures"]): NonNullable<WireLeaderboardRow["figures"]> {
  return {
    winRate,
    roi,
    best: best && {
      tradeId: best.subject.tradeId,
      token: wireToken(best.subject.of.known),
      pnlUsd: toUsd(best.profit.net),
      grossPnlUsd: toUsd(best.profit.gross),
      feesUsd: toUsd(best.profit.fees),
      roi: roiOf(best.profit),
    },
  };
}
