// Each trader's totals at the start of a UTC day. Windows are counted from the fills; where those have been dropped (a world
// that trades much faster than the default), a window begins with the first of these marks instead.
import { DAY_MS } from "../../kit/units.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { heldAmount } from "./ledger.ts";
import { spotPrice } from "./pool.ts";
import { DAY_MARKS } from "./state.ts";

export function dayRow(context: WorldContext, at: number, trader: number): number {
  return (Math.floor(at / DAY_MS) % DAY_MARKS) * context.sizes.traders + trader;
}

/** Records everybody's totals for the day that starts at `at`. */
export function markDay(context: WorldContext, at: number): void {
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
    let openCost = 0;
    let openValue = 0;
    for (let slot = traders.openHead.get(index); slot !== NONE; slot = positions.nextOfTrader.get(slot)) {
      openCost += positions.openCost.get(slot);
      openValue += Math.round(heldAmount(positions, slot) * priceOf(positions.token.get(slot)));
    }
    const row = dayRow(context, at, index);
    days.columns.gains.set(row, traders.realized.get(index));
    days.columns.fees.set(row, traders.fees.get(index));
    days.columns.openCost.set(row, openCost);
    days.columns.openValue.set(row, openValue);
    days.columns.invested.set(row, traders.invested.get(index));
    days.columns.volume.set(row, traders.volume.get(index));
    days.columns.swaps.set(row, traders.swaps.get(index));
  }
}
