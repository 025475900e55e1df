// Each trader's totals as a UTC day begins. Windows are counted from the fills; where those have been forgotten (a world
// that trades much faster than the default), a window begins with the first of these marks instead.
import { NONE } from "./columns.ts";
import type { Context } from "./context.ts";
import { DAY_MS, heldAmount } from "./ledger.ts";
import { spotPrice } from "./pool.ts";
import { DAY_MARKS } from "./state.ts";

export function dayRow(context: Context, at: number, trader: number): number {
  return (Math.floor(at / DAY_MS) % DAY_MARKS) * context.sizes.traders + trader;
}

/** Writes down where everybody stands as the day that starts at `at` begins. */
export function markDay(context: Context, at: number): void {
  const { positions: positionTable, traders: traderTable, days } = context.state.tables;
  const positions = positionTable.columns;
  const traders = traderTable.columns;
  const prices = new Map<number, number>();
  const priceOf = (token: number) => {
    let price = prices.get(token);
    if (price === undefined) {
      price = spotPrice(context, context.tokens.get(token), at);
      prices.set(token, price);
    }
    return price;
  };
  for (const { index } of context.population.traders) {
    const realized = traders.realized.get(index) - traders.fees.get(index);
    let gain = realized;
    for (let slot = traders.openHead.get(index); slot !== NONE; slot = positions.nextOfTrader.get(slot)) {
      const value = Math.round(heldAmount(positions, slot) * priceOf(positions.token.get(slot)));
      gain += value - positions.openCost.get(slot);
    }
    const row = dayRow(context, at, index);
    days.columns.gain.set(row, gain);
    days.columns.realized.set(row, realized);
    days.columns.volume.set(row, traders.volume.get(index));
    days.columns.swaps.set(row, traders.swaps.get(index));
  }
}
