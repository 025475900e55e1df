// How the people of the roster rank: by profit, or in any other order, at one moment. A roster is small enough that everybody's
// window is worked out for each answer; their books are in memory.
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
import { type TraderLedger, tokenKey } from "../books/ledger.ts";
import { decimalText, wireToken } from "../feeds/items.ts";
import type { RosterTrader } from "../roster/roster.ts";
import { type TraderWindow, windowOf } from "./books.ts";
import type { AnswerParts } from "./parts.ts";
import { openStandings, wireHolding } from "./positions.ts";

const LEADERBOARD_ROWS = 150;
const TOP_TOKENS = 3;

interface Ranked {
  trader: RosterTrader;
  ledger: TraderLedger;
  earned: TraderWindow;
  /** The place by profit; null for one who did and held nothing. */
  rank: number | null;
  lastFillAt: number | null;
}

export async function leaderboardOf(
  parts: AnswerParts,
  window: PnlWindow,
  at?: number,
): Promise<WireLeaderboard> {
  const asOf = momentOf(parts, at);
  const ranked = (await everybody(parts, window, asOf)).slice(0, LEADERBOARD_ROWS);
  const rows: WireLeaderboardRow[] = [];
  for (const each of ranked) if (each.rank !== null) rows.push(await rowOf(parts, each, each.rank));
  return { asOf, rows };
}

export async function rankingOf(
  parts: AnswerParts,
  window: PnlWindow,
  { at, sort, order, who, from, limit }: RankingQuery,
): Promise<WireRanking> {
  const asOf = momentOf(parts, at);
  const all = await everybody(parts, window, asOf);
  const wanted = all.filter(({ rank, trader }) => rank !== null || (who === "all" && trader.addedAt < asOf));
  // A sort that keeps the order of equals, which is that of their profits.
  wanted.sort((a, b) => knownFirst(RANKED_BY[sort](a), RANKED_BY[sort](b), order));
  const rows: WireRanking["rows"] = [];
  for (const each of wanted.slice(from, from + limit)) {
    const row = await rowOf(parts, each, each.rank);
    rows.push({ ...row, lastFillAt: each.lastFillAt, createdAt: each.trader.addedAt });
  }
  return { asOf, total: wanted.length, rows };
}

const RANKED_BY: Record<RankingSort, (ranked: Ranked) => number | string | null> = {
  pnl: ({ earned }) => earned.total.net,
  roi: ({ earned }) => earned.figures.roi,
  winRate: ({ earned }) => earned.figures.winRate,
  volume: ({ earned }) => earned.total.volume,
  trades: ({ earned }) => earned.total.fills,
  // A chain has no followers.
  followers: () => 0,
  lastFill: ({ lastFillAt }) => lastFillAt,
  handle: ({ trader }) => trader.handle.toLowerCase(),
};

const momentOf = ({ clock }: AnswerParts, at?: number) => Math.min(at ?? clock.now(), clock.now());

/** Those who did or held something first, by profit; ties go by userId. */
async function everybody(
  { cache, directory }: AnswerParts,
  window: PnlWindow,
  asOf: number,
): Promise<Ranked[]> {
  const all = await Promise.all(
    directory.traders().map(async (trader): Promise<Ranked> => {
      const ledger = await cache.ledger(trader.userId);
      const earned = await windowOf(cache, ledger, window, asOf);
      return { trader, ledger, earned, rank: null, lastFillAt: lastFillBefore(ledger, asOf) };
    }),
  );
  all.sort(
    (a, b) =>
      Number(b.earned.wasActive) - Number(a.earned.wasActive) ||
      b.earned.total.net - a.earned.total.net ||
      (a.trader.userId < b.trader.userId ? -1 : 1),
  );
  for (const [index, each] of all.entries()) if (each.earned.wasActive) each.rank = index + 1;
  return all;
}

function lastFillBefore(ledger: TraderLedger, asOf: number): number | null {
  let last: number | null = null;
  for (const list of ledger.booked.values())
    for (const { move } of list)
      if ((move.kind === "buy" || move.kind === "sell") && move.at < asOf && move.at > (last ?? 0))
        last = move.at;
  return last;
}

async function rowOf<Rank extends number | null>(
  { cache }: AnswerParts,
  { trader, ledger, earned }: Ranked,
  rank: Rank,
): Promise<Omit<WireLeaderboardRow, "rank"> & { rank: Rank }> {
  const standings = await openStandings(cache, ledger);
  const { total } = earned;
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
    positions: standings.length,
    followers: 0,
    holdingsCount: standings.length,
    wallets: { solana: trader.solana[0] ?? null, evm: trader.evm[0] ?? null },
    topTokens: standings.slice(0, TOP_TOKENS).map(wireHolding),
    figures: figuresRow(ledger, earned),
  };
}

function figuresRow(
  ledger: TraderLedger,
  { figures }: TraderWindow,
): NonNullable<WireLeaderboardRow["figures"]> {
  const { winRate, roi, best } = figures;
  const known = best && ledger.tokens.get(tokenKey(best.subject.chainId, best.subject.token));
  return {
    winRate,
    roi,
    best:
      best && known
        ? {
            tradeId: best.subject.tradeId,
            token: wireToken(known),
            pnlUsd: toUsd(best.profit.net),
            grossPnlUsd: toUsd(best.profit.gross),
            feesUsd: toUsd(best.profit.fees),
            roi: roiOf(best.profit),
          }
        : null,
  };
}
