// The ranking's rows with what captured positions add to them, and the orders and chains they can be asked in. Figures
// are read a few traders at a time, so that no other request waits for a whole board of them.
import type { Chain } from "../../contract/chains.ts";
import type { LeaderboardRow as WireRow } from "../../contract/shapes/types.ts";
import { servingTurn } from "../../kit/turn.ts";
import type { Position } from "../model/position.ts";
import type { LeaderboardRow, PnlWindow } from "../model/trader.ts";
import { costOf, figuresOf, gainOf, type TraderFigures } from "../model/trader-figures.ts";
import type { FillSum } from "../store/captured/fills.ts";
import { presentChain, presentLeaderboardRow, presentToken } from "./present/common.ts";
import type { Services } from "./services.ts";

const DAY_MS = 86_400_000;
const WINDOW_MS: Record<PnlWindow, number> = {
  ...{ "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS, all: Number.MAX_SAFE_INTEGER },
};
/** A few hundred positions to parse between two turns of the event loop. */
const TRADERS_AT_ONCE = 8;

export type LeaderboardSort = "pnl" | "roi" | "winRate" | "volume" | "trades" | "followers";

export async function leaderboardRows(
  services: Pick<Services, "store" | "chains" | "labels" | "clock">,
  ranked: readonly LeaderboardRow[],
  { window, chain, sort }: { window: PnlWindow; chain: Chain | null; sort: LeaderboardSort },
): Promise<WireRow[]> {
  const { store, chains, labels, clock } = services;
  const from = Math.max(0, clock.now() - WINDOW_MS[window]);
  const avatars = new Map<string, string | null>();
  const rows: WireRow[] = [];
  for (let start = 0; start < ranked.length; start += TRADERS_AT_ONCE) {
    const part = ranked.slice(start, start + TRADERS_AT_ONCE);
    const ids = part.map(({ userId }) => userId);
    const [positions, traders, sums] = await Promise.all([
      store.positions.activeSince(ids, from),
      store.traders.byIds(ids),
      chain === null ? ([] as FillSum[]) : store.fills.sums(ids, from),
    ]);
    for (const trader of traders) avatars.set(trader.userId, trader.avatar);
    const byTrader = Map.groupBy(positions, ({ userId }) => userId);
    for (const row of part) {
      const figures = figuresOf(byTrader.get(row.userId) ?? [], from, chain?.id ?? null);
      if (chain !== null && figures.positions === 0) continue;
      const traded = sums.find((sum) => sum.userId === row.userId && sum.networkId === chain?.id);
      rows.push({
        ...presentLeaderboardRow(labels, row),
        ...(chain === null
          ? {}
          : { pnlUsd: figures.pnlUsd, volumeUsd: traded?.usd ?? 0, trades: traded?.fills ?? 0 }),
        avatar: labels.pictureUrl(avatars.get(row.userId) ?? null),
        ...presentFigures(figures),
      });
    }
    await servingTurn();
  }
  if (chain !== null) {
    rows.sort((a, b) => b.pnlUsd - a.pnlUsd);
    for (const [index, row] of rows.entries()) row.rank = index + 1;
  }
  return sort === "pnl"
    ? rows
    : rows.sort((a, b) => figureOf(b, sort) - figureOf(a, sort) || a.rank - b.rank);

  function presentFigures({ winRate, roi, best }: TraderFigures) {
    return { winRate, roi, bestTrade: best && presentBest(best) };
  }

  function presentBest(best: Position): NonNullable<WireRow["bestTrade"]> {
    const cost = costOf(best);
    return {
      tradeId: best.tradeId,
      token: presentToken(labels, best.token),
      ...presentChain(chains, best.token.networkId),
      pnlUsd: gainOf(best),
      roi: cost > 0 ? gainOf(best) / cost : null,
    };
  }
}

function figureOf(row: WireRow, sort: LeaderboardSort): number {
  const value = {
    ...{ pnl: row.pnlUsd, roi: row.roi, winRate: row.winRate, volume: row.volumeUsd },
    ...{ trades: row.trades, followers: row.followers },
  }[sort];
  return value ?? Number.NEGATIVE_INFINITY;
}
