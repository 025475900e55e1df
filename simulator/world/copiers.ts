// Accounts that do what their leader does: each of the leader's swaps that stays in a block is copied after the copier's
// delay, in the same pool and for the same kind of fees. They never trade on their own.
import { nextBlockTime, settledAt } from "./blocks.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { sell, WHOLE } from "./exits.ts";
import { COPY_ORDER, later } from "./feeds.ts";
import type { Due } from "./heap.ts";
import { network } from "./networks.ts";
import type { WorldTrader } from "./population.ts";
import { heldSlot } from "./slots.ts";
import { BUY, SELL } from "./state.ts";
import { buy } from "./trading.ts";

/** Places the orders that follow from the chain's fills since `first`. */
export function placeCopies(context: WorldContext, first: number): void {
  const { population, state } = context;
  if (population.copiers.length === 0) return;
  const { fills } = state.tables;
  for (let number = first; number < state.counters.fills; number++) {
    const row = number % fills.capacity;
    const kind = fills.columns.kind.get(row);
    if ((kind !== BUY && kind !== SELL) || fills.columns.at.get(row) < context.genesis) continue;
    for (const place of population.copiersOf(fills.columns.trader.get(row)))
      placeCopy(context, number, place, kind === BUY ? 0 : soldShare(context, row));
  }
}

/** The share of the leader's holding before the sell, from 0 to 1. */
function soldShare({ state }: WorldContext, row: number): number {
  const { amount, slot } = state.tables.fills.columns;
  const sold = amount.get(row);
  return sold / (sold + state.tables.positions.columns.chainAmount.get(slot.get(row)));
}

function placeCopy(context: WorldContext, number: number, place: number, share: number): void {
  const { fills } = context.state.tables;
  const token = fills.columns.token.get(number % fills.capacity);
  const on = network(context.tokens.networkOf(token));
  const { delayMs } = (context.population.copiers[place] as WorldTrader & Copier).copies;
  // The leader's own block is full by the time the trade is seen.
  const due = nextBlockTime(on, settledAt(context, number) + Math.max(delayMs, on.blockMs));
  later(context, due, COPY_ORDER, place, share, token);
}

type Copier = { copies: NonNullable<WorldTrader["copies"]> };

export function carryOutCopy(context: WorldContext, due: Due, at: number): void {
  const { code: place, number: share, slot: token } = due;
  const copier = context.population.copiers[place] as WorldTrader & Copier;
  const isDone =
    share === 0
      ? buy(context, copier, context.tokens.get(token), at, true)
      : sellCopy(context, copier, due, at);
  if (isDone) context.state.counters.ahead++;
}

function sellCopy(context: WorldContext, copier: WorldTrader & Copier, due: Due, at: number): boolean {
  const { code: place, number: share, slot: token } = due;
  const slot = heldSlot(context, copier.index, token);
  if (slot === NONE) return false;
  const settled = context.state.tables.positions.columns.settledAt.get(slot);
  if (settled > at) {
    // A re-org moved the position to a later block. Waiting as a copy order keeps its share exact.
    later(context, settled, COPY_ORDER, place, share, token);
    return false;
  }
  const part = copier.copies.exit === "firstSell" ? WHOLE : share * WHOLE;
  return sell(context, copier, slot, part, at, true);
}
