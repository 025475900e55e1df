// Leaderboards: what every trader earned in the window, ranked; ties go by userId. Whoever neither did nor held anything
// in it is not ranked. Made in slices, for everybody's books are more than one turn of the event loop may take.

import type { Sliced } from "../../kit/slices.ts";
import type { Window, WireLeaderboardRow } from "../../protocol/protocol.ts";
import type { Trader } from "../world/population.ts";
import { nameOf } from "./names.ts";
import { isVerified, knownWallets } from "./people.ts";
import { type WindowSums, windowSums } from "./pnl.ts";
import { holdingRow, holdingSlots } from "./positions.ts";
import { dollars, type View, volumeText } from "./view.ts";

const ROWS = 150;
const TOP_TOKENS = 3;
/** Some five milliseconds of a process that has just started, and a fifth of that later. */
const TRADERS_A_SLICE = 200;
const ROWS_A_SLICE = 5;

export interface Leaderboard {
  asOf: number;
  rows: WireLeaderboardRow[];
}

/** The world must stand still until it is done. */
export function* leaderboard(view: View, window: Window): Sliced<Leaderboard> {
  const { traders } = view.context.population;
  if (window !== "all") yield* view.trailing[window].followInSlices();
  const sums: WindowSums[] = [];
  for (const { index } of traders) {
    sums.push(windowSums(view, index, window));
    if (sums.length % TRADERS_A_SLICE === 0) yield;
  }
  const of = (index: number) => sums[index] as WindowSums;
  const order = traders
    .filter(({ index }) => of(index).active)
    .sort(
      (a, b) => of(b.index).pnl - of(a.index).pnl || (view.userId(a.index) < view.userId(b.index) ? -1 : 1),
    );
  const rows: WireLeaderboardRow[] = [];
  for (const trader of order.slice(0, ROWS)) {
    if (rows.length % ROWS_A_SLICE === 0) yield;
    rows.push(rowOf(view, trader, rows.length + 1, of(trader.index)));
  }
  return { asOf: view.asOf, rows };
}

function rowOf(view: View, trader: Trader, rank: number, sums: WindowSums): WireLeaderboardRow {
  const open = view.tables.traders.columns.open.get(trader.index);
  return {
    rank,
    userId: view.userId(trader.index),
    handle: trader.handle,
    displayName: nameOf(view, trader),
    verified: isVerified(view, trader),
    pnlUsd: dollars(sums.pnl),
    realizedPnlUsd: dollars(sums.realized),
    volumeUsd: volumeText(sums.volume),
    trades: sums.swaps,
    positions: open,
    followers: view.context.population.graph.followers(trader.index).length,
    holdingsCount: open,
    wallets: knownWallets(view, trader),
    topTokens: holdingSlots(view, trader.index)
      .slice(0, TOP_TOKENS)
      .map((slot) => holdingRow(view, slot)),
  };
}
