// The app's books, by the rules of `accounting/`. Fills are applied in chain order; sums are whole millionths and exact. A
// position's open cost is the cost of the tokens it holds; a fee belongs to the position that was bought or sold, and its
// realized gain is net of them.
import { costShare } from "../../accounting/lot.ts";
import { settledAt } from "./blocks.ts";
import type { WorldContext } from "./context.ts";
import { appTime } from "./context.ts";
import { APP_FILL, appendApp } from "./feeds.ts";
import { feeOf } from "./fees.ts";
import { linkClosed, linkOpen } from "./slots.ts";
import { BUY, OPEN, PENDING, SELL, TRANSFER_IN } from "./state.ts";

export function nextAppTime({ state }: WorldContext): number {
  const { applied, fills } = state.counters;
  if (applied >= fills) return Number.POSITIVE_INFINITY;
  return appTime(state.tables.fills.columns.at.get(applied % state.tables.fills.capacity));
}

/** Applies the next fill and returns its number. */
export function applyFill(context: WorldContext, shownAt: number): number {
  const { counters, tables } = context.state;
  const { fills: fillTable } = tables;
  const fills = fillTable.columns;
  const positions = tables.positions.columns;
  const number = counters.applied++;
  const row = number % fillTable.capacity;
  const slot = fills.slot.get(row);
  const trader = fills.trader.get(row);
  const token = fills.token.get(row);
  const at = settledAt(context, number);
  const kind = fills.kind.get(row);
  const amount = fills.amount.get(row);
  const usd = fills.usd.get(row);

  if (positions.status.get(slot) === PENDING) {
    positions.status.set(slot, OPEN);
    positions.openedAt.set(slot, at);
    linkOpen(tables, slot);
    tables.tokens.columns.holders.add(token, 1);
    tables.traders.columns.open.add(trader, 1);
  }
  const costTaken = book(positions, slot, kind, amount, usd);
  const fee = kind === BUY || kind === SELL ? feeOf(context, row) : 0;
  positions.fees.add(slot, fee);
  positions.realized.add(slot, -fee);
  positions.lastAt.set(slot, at);

  fills.costShare.set(row, costTaken);
  fills.realizedAfter.set(row, positions.realized.get(slot));
  const held = heldAmount(positions, slot);
  fills.amountAfter.set(row, held);
  fills.backOfPosition.set(row, back(number, positions.lastFill.get(slot)));
  positions.lastFill.set(slot, number + 1);
  fills.backOfTrader.set(row, back(number, tables.traders.columns.lastFill.get(trader)));
  tables.traders.columns.lastFill.set(trader, number + 1);

  const traders = tables.traders.columns;
  if (kind === BUY || kind === TRANSFER_IN) traders.invested.add(trader, usd);
  if (kind === BUY || kind === SELL) {
    traders.volume.add(trader, usd);
    traders.swaps.add(trader, 1);
    traders.fees.add(trader, fee);
    if (kind === SELL) traders.realized.add(trader, usd - costTaken);
    const counted = kind === BUY ? positions.buys : positions.sells;
    counted.set(slot, Math.min(255, counted.get(slot) + 1));
  }
  if (held === 0) close(context, slot, at);
  appendApp(context, APP_FILL, number, shownAt);
  return number;
}

type Positions = WorldContext["state"]["tables"]["positions"]["columns"];

export function heldAmount(positions: Positions, slot: number): number {
  return (
    positions.bought.get(slot) -
    positions.sold.get(slot) +
    positions.received.get(slot) -
    positions.sent.get(slot)
  );
}

/** Books a fill and returns the cost of the tokens that left. */
function book(positions: Positions, slot: number, kind: number, amount: number, usd: number): number {
  if (kind === BUY) {
    positions.bought.add(slot, amount);
    positions.cost.add(slot, usd);
    positions.openCost.add(slot, usd);
    return 0;
  }
  if (kind === TRANSFER_IN) {
    positions.received.add(slot, amount);
    positions.receivedUsd.add(slot, usd);
    positions.openCost.add(slot, usd);
    return 0;
  }
  const openCost = positions.openCost.get(slot);
  const share = costShare(openCost, amount, heldAmount(positions, slot));
  positions.openCost.set(slot, openCost - share);
  if (kind === SELL) {
    positions.sold.add(slot, amount);
    positions.proceeds.add(slot, usd);
    positions.realized.add(slot, usd - share);
  } else {
    positions.sent.add(slot, amount);
    positions.sentUsd.add(slot, usd);
  }
  return share;
}

function back(number: number, lastPlusOne: number): number {
  return lastPlusOne === 0 ? 0 : Math.min(number - lastPlusOne + 1, 0xffffffff);
}

function close(context: WorldContext, slot: number, at: number): void {
  const { tables } = context.state;
  const positions = tables.positions.columns;
  const trader = positions.trader.get(slot);
  const token = positions.token.get(slot);
  positions.closedAt.set(slot, at);
  linkClosed(context, slot);
  tables.tokens.columns.holders.add(token, -1);
  tables.traders.columns.open.add(trader, -1);
  tables.traders.columns.heldMs.add(trader, at - positions.openedAt.get(slot));
  tables.closedCounts.columns.count.add(trader * 5 + context.tokens.get(token).network, 1);
}
