// One position as the platform shows it, and the holdings made of open ones. The wire's numbers are the books' whole
// millionths divided once, so they agree with each other to the last digit a double holds.
import type { WireHolding, WirePosition } from "../../protocol/protocol.ts";
import { NONE } from "../world/columns.ts";
import { heldAmount } from "../world/ledger.ts";
import { OPEN } from "../world/state.ts";
import { unrealized } from "./pnl.ts";
import { thesisOf } from "./thesis-rows.ts";
import { dollars, MICRO, type View } from "./view.ts";

export function positionRow(view: View, slot: number): WirePosition {
  const { population, tokens } = view.context;
  const positions = view.tables.positions.columns;
  const trader = population.get(positions.trader.get(slot));
  const token = tokens.get(positions.token.get(slot));
  const open = positions.status.get(slot) === OPEN;
  const per = (usd: number, amount: number) => (amount === 0 ? null : usd / amount);
  return {
    tradeId: view.tradeId(slot),
    userId: view.userId(trader.index),
    handle: trader.handle,
    token: view.token(token),
    status: open ? "open" : "closed",
    isDev: positions.isDev.get(slot) === 1,
    boughtAmount: positions.bought.get(slot) / MICRO,
    soldAmount: positions.sold.get(slot) / MICRO,
    transferredInAmount: positions.received.get(slot) / MICRO,
    transferredOutAmount: positions.sent.get(slot) / MICRO,
    amount: heldAmount(positions, slot) / MICRO,
    costBasisUsd: dollars(positions.cost.get(slot)),
    proceedsUsd: dollars(positions.proceeds.get(slot)),
    avgEntryPrice: per(positions.cost.get(slot), positions.bought.get(slot)),
    avgExitPrice: per(positions.proceeds.get(slot), positions.sold.get(slot)),
    avgTransferInPrice: per(positions.receivedUsd.get(slot), positions.received.get(slot)),
    avgTransferOutPrice: per(positions.sentUsd.get(slot), positions.sent.get(slot)),
    realizedPnlUsd: dollars(positions.realized.get(slot)),
    unrealizedPnlUsd: dollars(unrealized(view, slot)),
    priceUsd: view.price(token.index),
    openedAt: positions.openedAt.get(slot),
    lastActivityAt: positions.lastAt.get(slot),
    closedAt: open ? null : positions.closedAt.get(slot),
    thesis: thesisOf(view, slot),
  };
}

/** Slots of the trader's open positions, the latest opened first. */
export function openSlots(view: View, trader: number): number[] {
  return walk(view, view.tables.traders.columns.openHead.get(trader));
}

/** Slots of the closed positions that are still kept, the latest closed first. */
export function closedSlots(view: View, trader: number): number[] {
  return walk(view, view.tables.traders.columns.closedHead.get(trader));
}

function walk(view: View, head: number): number[] {
  const next = view.tables.positions.columns.nextOfTrader;
  const slots: number[] = [];
  for (let slot = head; slot !== NONE; slot = next.get(slot)) slots.push(slot);
  return slots;
}

/** Everything the trader holds, the most valuable first. */
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
