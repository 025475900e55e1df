// Leaderboards: what every trader earned in the window, ranked; ties go by userId. Whoever neither did nor held anything
// in it is not ranked.
import type { Window, WireLeaderboardRow } from "../../protocol/protocol.ts";
import { nameOf } from "./names.ts";
import { isVerified, knownWallets } from "./people.ts";
import { type WindowSums, windowSums } from "./pnl.ts";
import { holdingRow, holdingSlots } from "./positions.ts";
import { dollars, type View, volumeText } from "./view.ts";

const ROWS = 150;
const ROWS_OF_ALL = 100;
const TOP_TOKENS = 3;

export function leaderboard(view: View, window: Window): { asOf: number; rows: WireLeaderboardRow[] } {
  const { traders, graph } = view.context.population;
  const sums = traders.map((trader) => windowSums(view, trader.index, window));
  const of = (index: number) => sums[index] as WindowSums;
  const order = traders
    .filter(({ index }) => of(index).active)
    .sort(
      (a, b) => of(b.index).pnl - of(a.index).pnl || (view.userId(a.index) < view.userId(b.index) ? -1 : 1),
    );
  const rows = order.slice(0, window === "all" ? ROWS_OF_ALL : ROWS).map((trader, place) => {
    const { pnl, realized, volume, swaps } = of(trader.index);
    const open = view.tables.traders.columns.open.get(trader.index);
    return {
      rank: place + 1,
      userId: view.userId(trader.index),
      handle: trader.handle,
      displayName: nameOf(view, trader),
      verified: isVerified(view, trader),
      pnlUsd: dollars(pnl),
      realizedPnlUsd: dollars(realized),
      volumeUsd: volumeText(volume),
      trades: swaps,
      positions: open,
      followers: graph.followers(trader.index).length,
      holdingsCount: open,
      wallets: knownWallets(view, trader),
      topTokens: holdingSlots(view, trader.index)
        .slice(0, TOP_TOKENS)
        .map((slot) => holdingRow(view, slot)),
    };
  });
  return { asOf: view.asOf, rows };
}
