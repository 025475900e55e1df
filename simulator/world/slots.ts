// Storage of positions. A position gets a slot when the chain first sees it; when all slots are used the position that closed
// longest ago is dropped. Lists of a trader's and a token's positions are links between slots.
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { CLOSED, FREE, OPEN_MAX, PENDING, type Tables } from "./state.ts";

/** The slot for a new position, or NONE when every slot holds one that is not closed. */
export function takeSlot({ state }: WorldContext, trader: number, token: number, isDev: boolean): number {
  const { counters, tables } = state;
  const positions = tables.positions.columns;
  let slot = counters.slots;
  if (slot < tables.positions.capacity) counters.slots++;
  else {
    slot = counters.oldestClosed;
    if (slot === NONE) return NONE;
    counters.oldestClosed = positions.nextClosed.get(slot);
    if (counters.oldestClosed === NONE) counters.newestClosed = NONE;
    unlinkOfTrader(state.tables, slot, tables.traders.columns.closedHead);
    clear(positions, slot);
  }
  positions.number.set(slot, counters.positions++);
  positions.trader.set(slot, trader);
  positions.token.set(slot, token);
  positions.status.set(slot, PENDING);
  positions.isDev.set(slot, isDev ? 1 : 0);
  positions.nextOfTrader.set(slot, NONE);
  positions.previousOfTrader.set(slot, NONE);
  positions.nextOfToken.set(slot, NONE);
  positions.previousOfToken.set(slot, NONE);
  positions.nextClosed.set(slot, NONE);
  const held = tables.traders.columns.chainOpen.get(trader);
  tables.chainSlots.columns.slot.set(trader * OPEN_MAX + held, slot);
  tables.traders.columns.chainOpen.set(trader, held + 1);
  return slot;
}

type PositionColumns = Tables["positions"]["columns"];

function clear(positions: PositionColumns, slot: number): void {
  for (const column of Object.values(positions)) column.set(slot, 0);
  positions.status.set(slot, FREE);
}

/** The slot of the trader's on-chain holding of the token, or NONE. */
export function heldSlot({ state }: WorldContext, trader: number, token: number): number {
  const { chainSlots, positions, traders } = state.tables;
  const first = trader * OPEN_MAX;
  const end = first + traders.columns.chainOpen.get(trader);
  for (let place = first; place < end; place++) {
    const slot = chainSlots.columns.slot.get(place);
    if (positions.columns.token.get(slot) === token) return slot;
  }
  return NONE;
}

/** The chain has seen its last move: the trader's next buy of the token is a new position. */
export function releaseHeld({ state }: WorldContext, trader: number, slot: number): void {
  const { chainSlots, traders } = state.tables;
  const first = trader * OPEN_MAX;
  const last = first + traders.columns.chainOpen.get(trader) - 1;
  for (let place = first; place <= last; place++) {
    if (chainSlots.columns.slot.get(place) !== slot) continue;
    chainSlots.columns.slot.set(place, chainSlots.columns.slot.get(last));
    traders.columns.chainOpen.set(trader, last - first);
    return;
  }
}

export function linkOpen(tables: Tables, slot: number): void {
  const positions = tables.positions.columns;
  linkOfTrader(tables, slot, tables.traders.columns.openHead);
  const token = positions.token.get(slot);
  const head = tables.tokens.columns.openHead;
  const next = head.get(token);
  positions.nextOfToken.set(slot, next);
  if (next !== NONE) positions.previousOfToken.set(next, slot);
  head.set(token, slot);
}

/** Moves a position from the open lists to the trader's closed list and to the end of the eviction queue. */
export function linkClosed({ state }: WorldContext, slot: number): void {
  const { counters, tables } = state;
  const positions = tables.positions.columns;
  unlinkOfTrader(tables, slot, tables.traders.columns.openHead);
  const next = positions.nextOfToken.get(slot);
  const previous = positions.previousOfToken.get(slot);
  if (previous === NONE) tables.tokens.columns.openHead.set(positions.token.get(slot), next);
  else positions.nextOfToken.set(previous, next);
  if (next !== NONE) positions.previousOfToken.set(next, previous);
  positions.status.set(slot, CLOSED);
  linkOfTrader(tables, slot, tables.traders.columns.closedHead);
  if (counters.newestClosed === NONE) counters.oldestClosed = slot;
  else positions.nextClosed.set(counters.newestClosed, slot);
  counters.newestClosed = slot;
}

type ListHeads = Tables["traders"]["columns"]["openHead"];

function linkOfTrader(tables: Tables, slot: number, head: ListHeads): void {
  const positions = tables.positions.columns;
  const trader = positions.trader.get(slot);
  const next = head.get(trader);
  positions.nextOfTrader.set(slot, next);
  positions.previousOfTrader.set(slot, NONE);
  if (next !== NONE) positions.previousOfTrader.set(next, slot);
  head.set(trader, slot);
}

function unlinkOfTrader(tables: Tables, slot: number, head: ListHeads): void {
  const positions = tables.positions.columns;
  const next = positions.nextOfTrader.get(slot);
  const previous = positions.previousOfTrader.get(slot);
  if (previous === NONE) head.set(positions.trader.get(slot), next);
  else positions.nextOfTrader.set(previous, next);
  if (next !== NONE) positions.previousOfTrader.set(next, previous);
}
