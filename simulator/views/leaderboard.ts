// Leaderboards: every trader's PnL of the window, ranked; ties go by userId. Nothing else is added or left out.
import type { Window, WireLeaderboardRow } from "../../protocol/protocol.ts";
import { isVerified, knownWallets, nameOf } from "./people.ts";
import { openPnl, type WindowSums, windowSums } from "./pnl.ts";
import { holdingRow, holdingSlots } from "./positions.ts";
import { dollars, type View, volumeText } from "./view.ts";

const ROWS = 150;
const ROWS_OF_ALL = 100;
const TOP_TOKENS = 3;

export function leaderboard(view: View, window: Window): { asOf: number; rows: WireLeaderboardRow[] } {
  const { traders } = view.context.population;
  const sums = traders.map((trader) => windowSums(view, trader.index, window, openPnl(view, trader.index)));
  const of = (index: number) => sums[index] as WindowSums;
  const order = traders
    .filter(({ index }) => of(index).trades > 0)
    .sort(
      (a, b) => of(b.index).pnl - of(a.index).pnl || (view.userId(a.index) < view.userId(b.index) ? -1 : 1),
    );
  const rows = order.slice(0, window === "all" ? ROWS_OF_ALL : ROWS).map((trader, place) => {
    const { pnl, volume, trades } = of(trader.index);
    return {
      rank: place + 1,
      userId: view.userId(trader.index),
      handle: trader.handle,
      displayName: nameOf(view, trader),
      verified: isVerified(view, trader),
      pnlUsd: dollars(pnl),
      volumeUsd: volumeText(volume),
      trades,
      followers: view.context.population.graph.followers(trader.index).length,
      holdingsCount: view.tables.traders.columns.open.get(trader.index),
      wallets: knownWallets(view, trader),
      topTokens: holdingSlots(view, trader.index)
        .slice(0, TOP_TOKENS)
        .map((slot) => holdingRow(view, slot)),
    };
  });
  return { asOf: view.now, rows };
}
