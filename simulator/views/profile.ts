// One trader's data beyond the profile: balances and the spotlight.
import type { WireBalances, WirePosition } from "../../protocol/protocol.ts";
import { livePerpPnl } from "../world/perps.ts";
import { externalPerps } from "./external-perps.ts";
import { unrealized } from "./pnl.ts";
import { closedSlots, holdingRow, holdingSlots, openSlots, positionRow } from "./positions.ts";
import { likesOf, thesisKept } from "./thesis-rows.ts";
import { dollars, type View } from "./view.ts";

const SPOTLIGHT = 5;

export function balances(view: View, userId: string): WireBalances | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const positions = view.tables.positions.columns;
  const slots = holdingSlots(view, trader.index);
  const received = slots.filter((slot) => positions.bought.get(slot) === 0);
  const other = received.reduce(
    (sum, slot) => sum + positions.realized.get(slot) + unrealized(view, slot),
    0,
  );
  const hasPerp = view.tables.traders.columns.perpSide.get(trader.index) !== 0;
  return {
    holdings: slots.map((slot) => holdingRow(view, slot)),
    otherPnlUsd: received.length === 0 ? null : dollars(other),
    perpPnlUsd: hasPerp ? dollars(livePerpPnl(view.context, trader.index, view.asOf)) : null,
    externalPerps: externalPerps(view, trader),
  };
}

export function spotlight(
  view: View,
  userId: string,
): { bestTrades: WirePosition[]; bestTheses: WirePosition[] } | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const positions = view.tables.positions.columns;
  const all = [...openSlots(view, trader.index), ...closedSlots(view, trader.index)];
  const pnl = (slot: number) => positions.realized.get(slot) + unrealized(view, slot);
  const likes = (slot: number) => likesOf(view, positions.thesis.get(slot) - 1);
  const best = all.filter((slot) => pnl(slot) > 0).sort((a, b) => pnl(b) - pnl(a) || a - b);
  const written = all
    .filter((slot) => thesisKept(view, positions.thesis.get(slot) - 1))
    .sort((a, b) => likes(b) - likes(a) || a - b);
  return {
    bestTrades: best.slice(0, SPOTLIGHT).map((slot) => positionRow(view, slot)),
    bestTheses: written.slice(0, SPOTLIGHT).map((slot) => positionRow(view, slot)),
  };
}
