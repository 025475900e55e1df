// Leaderboards: every trader's profit in the window, ranked; ties go by userId. Traders who neither did nor held anything in
// it are not ranked. Made in slices, because everybody's books take more than one turn of the event loop.

import { roiOf } from "../../accounting/figures.ts";
import type { Sliced } from "../../kit/slices.ts";
import type { PnlWindow, WireLeaderboardRow } from "../../protocol/protocol.ts";
import type { WorldTrader } from "../world/population.ts";
import { traderWindow, tradingFigures } from "./books.ts";
import { nameOf } from "./names.ts";
import { isVerified, knownWallets } from "./people.ts";
import { everybodysBooks, profitMoment, type TraderProfit, traderProfit, windowBegin } from "./pnl.ts";
import { holdingRow, holdingSlots } from "./positions.ts";
import { dollars, type View, volumeText } from "./view.ts";

const ROWS = 150;
const TOP_TOKENS = 3;
/** About five milliseconds in a process that has just started, and a fifth of that later. */
const TRADERS_A_SLICE = 200;
const ROWS_A_SLICE = 5;

export interface RankedTraders {
  asOf: number;
  rows: WireLeaderboardRow[];
}

/** The world must stand still until it is done. */
export function* leaderboard(view: View, window: PnlWindow, at?: number): Sliced<RankedTraders> {
  const moment = profitMoment(view, at);
  const profits = yield* everybodysProfits(view, window, moment);
  const rows: WireLeaderboardRow[] = [];
  for (const trader of byProfit(view, profits).slice(0, ROWS)) {
    if (rows.length % ROWS_A_SLICE === 0) yield;
    const figures = figuresRow(view, trader.index, { from: windowBegin(window, moment), asOf: moment });
    rows.push({ ...rowOf(view, trader, rows.length + 1, profitOf(profits, trader)), figures });
  }
  return { asOf: moment, rows };
}

/** By the index of a trader. */
export function* everybodysProfits(view: View, window: PnlWindow, moment: number): Sliced<TraderProfit[]> {
  const { start, end } = everybodysBooks(view);
  if (window !== "all") yield* start[window].moveInSlices(windowBegin(window, moment));
  yield* end.moveInSlices(moment);
  const profits: TraderProfit[] = [];
  for (const { index } of view.context.population.traders) {
    profits.push(traderProfit(view, index, window, moment));
    if (profits.length % TRADERS_A_SLICE === 0) yield;
  }
  return profits;
}

export function profitOf(profits: readonly TraderProfit[], { index }: WorldTrader): TraderProfit {
  return profits[index] as TraderProfit;
}

/** Those who did or held something, largest profit first. */
export function byProfit(view: View, profits: readonly TraderProfit[]): WorldTrader[] {
  const netOf = (trader: WorldTrader) => profitOf(profits, trader).net;
  return view.context.population.traders
    .filter((trader) => profitOf(profits, trader).active)
    .sort((a, b) => netOf(b) - netOf(a) || (view.userId(a.index) < view.userId(b.index) ? -1 : 1));
}

export function figuresRow(
  view: View,
  trader: number,
  within: Parameters<typeof traderWindow>[2],
): NonNullable<WireLeaderboardRow["figures"]> {
  const { winRate, roi, best } = tradingFigures(traderWindow(view, trader, within));
  const tokenOf = (slot: number) => view.context.tokens.get(view.tables.positions.columns.token.get(slot));
  return {
    winRate,
    roi,
    best: best && {
      tradeId: view.tradeId(best.subject.slot),
      token: view.token(tokenOf(best.subject.slot)),
      pnlUsd: dollars(best.profit.net),
      grossPnlUsd: dollars(best.profit.gross),
      feesUsd: dollars(best.profit.fees),
      roi: roiOf(best.profit),
    },
  };
}

export function rowOf<Rank extends number | null>(
  view: View,
  trader: WorldTrader,
  rank: Rank,
  profit: TraderProfit,
): Omit<WireLeaderboardRow, "rank"> & { rank: Rank } {
  const open = view.tables.traders.columns.open.get(trader.index);
  return {
    rank,
    userId: view.userId(trader.index),
    handle: trader.handle,
    displayName: nameOf(view, trader),
    verified: isVerified(view, trader),
    pnlUsd: dollars(profit.net),
    grossPnlUsd: dollars(profit.gross),
    feesUsd: dollars(profit.fees),
    realizedPnlUsd: dollars(profit.realized),
    volumeUsd: volumeText(profit.volume),
    trades: profit.fills,
    positions: open,
    followers: view.context.population.graph.followers(trader.index).length,
    holdingsCount: open,
    wallets: knownWallets(view, trader),
    topTokens: holdingSlots(view, trader.index)
      .slice(0, TOP_TOKENS)
      .map((slot) => holdingRow(view, slot)),
  };
}
