// One position as the platform shows it, and the holdings made of open ones. The wire's numbers are the books' whole
// millionths divided once, so they agree with each other to the last digit of a double.
import type { WireHolding, WirePosition } from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { heldAmount } from "../world/ledger.ts";
import { unrealized } from "./pnl.ts";
import { poolPricing } from "./pricing.ts";
import { thesisOf } from "./thesis-rows.ts";
import { dollars, MICRO, type View } from "./view.ts";

export function totalsOf(view: View, slot: number) {
  const positions = view.tables.positions.columns;
  return {
    bought: positions.bought.get(slot),
    sold: positions.sold.get(slot),
    received: positions.received.get(slot),
    sent: positions.sent.get(slot),
    cost: positions.cost.get(slot),
    openCost: positions.openCost.get(slot),
    proceeds: positions.proceeds.get(slot),
    realized: positions.realized.get(slot),
    fees: positions.fees.get(slot),
    receivedUsd: positions.receivedUsd.get(slot),
    sentUsd: positions.sentUsd.get(slot),
    openedAt: positions.openedAt.get(slot),
    lastAt: positions.lastAt.get(slot),
  };
}

/** A position's books: whole millionths of tokens and dollars. */
export type SlotTotals = ReturnType<typeof totalsOf>;

export function heldOf({ bought, sold, received, sent }: SlotTotals): number {
  return bought - sold + received - sent;
}

/** As it is now, or with other books at the quotes of another moment. */
export function positionRow(
  view: View,
  slot: number,
  { totals, asOf }: { totals: SlotTotals; asOf: number } = { totals: totalsOf(view, slot), asOf: view.asOf },
): WirePosition {
  const { population, tokens } = view.context;
  const positions = view.tables.positions.columns;
  const trader = population.get(positions.trader.get(slot));
  const token = tokens.get(positions.token.get(slot));
  const held = heldOf(totals);
  const price = view.priceAt(token.index, asOf);
  const per = (usd: number, amount: number) => (amount === 0 ? null : usd / amount);
  return {
    tradeId: view.tradeId(slot),
    userId: view.userId(trader.index),
    handle: trader.handle,
    token: view.token(token),
    status: held > 0 ? "open" : "closed",
    isDev: positions.isDev.get(slot) === 1,
    boughtAmount: totals.bought / MICRO,
    soldAmount: totals.sold / MICRO,
    transferredInAmount: totals.received / MICRO,
    transferredOutAmount: totals.sent / MICRO,
    amount: held / MICRO,
    costBasisUsd: dollars(totals.cost),
    proceedsUsd: dollars(totals.proceeds),
    avgEntryPrice: per(totals.cost, totals.bought),
    avgExitPrice: per(totals.proceeds, totals.sold),
    avgTransferInPrice: per(totals.receivedUsd, totals.received),
    avgTransferOutPrice: per(totals.sentUsd, totals.sent),
    realizedPnlUsd: dollars(totals.realized),
    unrealizedPnlUsd: held === 0 ? 0 : dollars(Math.round(held * price) - totals.openCost),
    feesUsd: dollars(totals.fees),
    priceUsd: price,
    ...poolPricing(token, price, asOf),
    openedAt: totals.openedAt,
    lastActivityAt: totals.lastAt,
    closedAt: held > 0 ? null : totals.lastAt,
    thesis: thesisOf(view, slot),
  };
}

/** Slots of the trader's open positions, latest opened first. */
export function openSlots(view: View, trader: number): number[] {
  return walk(view, view.tables.traders.columns.openHead.get(trader));
}

/** Slots of the closed positions that are still kept, latest closed first. */
export function closedSlots(view: View, trader: number): number[] {
  return walk(view, view.tables.traders.columns.closedHead.get(trader));
}

function walk(view: View, head: number): number[] {
  const next = view.tables.positions.columns.nextOfTrader;
  const slots: number[] = [];
  for (let slot = head; slot !== NONE; slot = next.get(slot)) slots.push(slot);
  return slots;
}

/** Everything the trader holds, most valuable first. */
export function holdingSlots(view: View, trader: number): number[] {
  const positions = view.tables.positions.columns;
  const value = (slot: number) => heldAmount(positions, slot) * view.price(positions.token.get(slot));
  return openSlots(view, trader).sort((a, b) => value(b) - value(a) || a - b);
}

export function holdingRow(view: View, slot: number): WireHolding {
  const positions = view.tables.positions.columns;
  const token = view.context.tokens.get(positions.token.get(slot));
  const held = heldAmount(positions, slot);
  const price = view.price(token.index);
  return {
    token: view.token(token),
    amount: held / MICRO,
    priceUsd: price,
    valueUsd: dollars(Math.round(held * price)),
    change24h: view.change24h(token),
    pnlUsd: dollars(positions.realized.get(slot) + unrealized(view, slot)),
    asOf: view.asOf,
  };
}
