// The app's books. Fills are applied in chain order; sums are whole millionths and exact. A position's open cost is
// what its held tokens cost: tokens received cost nothing, and sold or sent tokens take their average share of it along.
// A sell realizes proceeds minus that share; sending tokens away realizes nothing. Fees are told, not booked.
import type { Context } from "./context.ts";
import { appTime } from "./context.ts";
import { APP_FILL, appendApp } from "./feeds.ts";
import { linkClosed, linkOpen } from "./slots.ts";
import { BUY, DAY_BUCKETS, HOUR_BUCKETS, OPEN, PENDING, SELL, TRANSFER_IN } from "./state.ts";
import { TOKEN_LIMIT } from "./tokens.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export function nextAppTime({ state }: Context): number {
  const { applied, fills } = state.counters;
  if (applied >= fills) return Number.POSITIVE_INFINITY;
  return appTime(state.tables.fills.columns.at.get(applied % state.tables.fills.capacity));
}

/** Applies the next fill and returns its number. */
export function applyFill(context: Context, shownAt: number): number {
  const { counters, tables } = context.state;
  const { fills: fillTable } = tables;
  const fills = fillTable.columns;
  const positions = tables.positions.columns;
  const number = counters.applied++;
  const row = number % fillTable.capacity;
  const slot = fills.slot.get(row);
  const at = fills.at.get(row);
  const trader = fills.trader.get(row);
  const token = fills.token.get(row);
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
  const realized = book(positions, slot, kind, amount, usd);
  positions.lastAt.set(slot, at);

  fills.realizedDelta.set(row, realized);
  fills.realizedAfter.set(row, positions.realized.get(slot));
  const held = heldAmount(positions, slot);
  fills.amountAfter.set(row, held);
  fills.backOfPosition.set(row, back(number, positions.lastFill.get(slot)));
  positions.lastFill.set(slot, number + 1);
  fills.backOfTrader.set(row, back(number, tables.traders.columns.lastFill.get(trader)));
  tables.traders.columns.lastFill.set(trader, number + 1);
  fills.backOfToken.set(row, back(number, tables.tokens.columns.lastFill.get(token)));
  tables.tokens.columns.lastFill.set(token, number + 1);

  if (kind === BUY || kind === SELL) countVolume(context, trader, token, kind, usd, at);
  if (held === 0) close(context, slot, at);
  appendApp(context, APP_FILL, number, shownAt);
  return number;
}

type Positions = Context["state"]["tables"]["positions"]["columns"];

export function heldAmount(positions: Positions, slot: number): number {
  return (
    positions.bought.get(slot) -
    positions.sold.get(slot) +
    positions.received.get(slot) -
    positions.sent.get(slot)
  );
}

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
    return 0;
  }
  const held = heldAmount(positions, slot);
  const openCost = positions.openCost.get(slot);
  const share = amount === held ? openCost : Math.min(openCost, Math.round(openCost * (amount / held)));
  positions.openCost.set(slot, openCost - share);
  if (kind === SELL) {
    positions.sold.add(slot, amount);
    positions.proceeds.add(slot, usd);
    positions.realized.add(slot, usd - share);
    return usd - share;
  }
  positions.sent.add(slot, amount);
  positions.sentUsd.add(slot, usd);
  return 0;
}

function back(number: number, lastPlusOne: number): number {
  return lastPlusOne === 0 ? 0 : Math.min(number - lastPlusOne + 1, 0xffffffff);
}

function countVolume(
  context: Context,
  trader: number,
  token: number,
  kind: number,
  usd: number,
  at: number,
): void {
  const { tables } = context.state;
  tables.traders.columns.volume.add(trader, usd);
  tables.traders.columns.swaps.add(trader, 1);
  tables.hours.columns.volume.add(hourRow(context, at, trader), usd);
  tables.days.columns.volume.add(dayRow(context, at, trader), usd);
  const row = tokenHourRow(at, token);
  if (kind === BUY) {
    tables.tokenHours.columns.buys.add(row, 1);
    tables.tokenHours.columns.buyVolume.add(row, usd);
  } else {
    tables.tokenHours.columns.sells.add(row, 1);
    tables.tokenHours.columns.sellVolume.add(row, usd);
  }
}

function close(context: Context, slot: number, at: number): void {
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
  const realized = positions.realized.get(slot);
  tables.traders.columns.closedPnl.add(trader, realized);
  tables.hours.columns.closedPnl.add(hourRow(context, at, trader), realized);
  tables.hours.columns.closed.add(hourRow(context, at, trader), 1);
  tables.days.columns.closedPnl.add(dayRow(context, at, trader), realized);
  tables.days.columns.closed.add(dayRow(context, at, trader), 1);
}

export function hourRow(context: Context, at: number, trader: number): number {
  return (Math.floor(at / HOUR_MS) % HOUR_BUCKETS) * context.sizes.traders + trader;
}

export function dayRow(context: Context, at: number, trader: number): number {
  return (Math.floor(at / DAY_MS) % DAY_BUCKETS) * context.sizes.traders + trader;
}

export function tokenHourRow(at: number, token: number): number {
  return (Math.floor(at / HOUR_MS) % HOUR_BUCKETS) * TOKEN_LIMIT + token;
}

/** Empties the buckets of the hour (and day) that begins; they held one that no window reaches any more. */
export function beginHour(context: Context, hour: number): void {
  const { tables } = context.state;
  const at = hour * HOUR_MS;
  const empty = (
    columns: Record<string, { data: { fill(value: number, from: number, to: number): unknown } }>,
    from: number,
    rows: number,
  ) => {
    for (const { data } of Object.values(columns)) data.fill(0, from, from + rows);
  };
  const people = context.population.traders.length;
  empty(tables.hours.columns, hourRow(context, at, 0), people);
  empty(tables.tokenHours.columns, tokenHourRow(at, 0), context.tokens.list.length);
  if (at % DAY_MS === 0) empty(tables.days.columns, dayRow(context, at, 0), people);
  context.state.counters.hour = hour;
}
