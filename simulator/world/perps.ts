// Perpetual futures: one position at a time per trader, opened, then closed or liquidated at the market's price. Their gains
// are shown with the balances and in the feed; they are not part of token positions or of PnL windows.
import type { WorldContext } from "./context.ts";
import { APP_PERP, appendApp } from "./feeds.ts";
import { MARKET_COUNT, marketPrice } from "./markets.ts";
import { pickTrader } from "./trading.ts";

export const OPENED_LONG = 0;
export const OPENED_SHORT = 1;
export const CLOSED_LONG = 2;
export const CLOSED_SHORT = 3;
export const LIQUIDATED = 4;

const MICRO = 1_000_000;
const LEVERAGES = [2, 3, 5, 5, 10, 10, 20, 25, 40] as const;

export function tradePerp(context: WorldContext, at: number): void {
  const { random, tables } = context.state;
  // Half of the people never touch perps, so those who do have a story.
  const trader = (pickTrader(context, at)?.index ?? 0) & ~1;
  if (context.population.get(trader).createdAt > at) return;
  const traders = tables.traders.columns;
  if (traders.perpSide.get(trader) === 0) {
    const market = Math.floor(random.next() ** 1.8 * MARKET_COUNT);
    const side = random.next() < 0.63 ? 1 : 2;
    traders.perpMarket.set(trader, market);
    traders.perpSide.set(trader, side);
    traders.perpLeverage.set(trader, random.pick(LEVERAGES));
    traders.perpUsd.set(
      trader,
      Math.floor(context.population.get(trader).purse * 0.05 * Math.exp(random.normal()) * MICRO),
    );
    traders.perpEntry.set(trader, marketPrice(context.markets, market, at));
    record(context, trader, side === 1 ? OPENED_LONG : OPENED_SHORT, 0, at);
    return;
  }
  const margin = traders.perpUsd.get(trader);
  const gain = livePerpPnl(context, trader, at);
  const action =
    gain <= -margin ? LIQUIDATED : traders.perpSide.get(trader) === 1 ? CLOSED_LONG : CLOSED_SHORT;
  traders.perpPnl.add(trader, gain);
  record(context, trader, action, gain, at);
  traders.perpSide.set(trader, 0);
}

/** The open perp's profit if closed now: never a loss larger than its margin. */
export function livePerpPnl({ state, markets }: WorldContext, trader: number, at: number): number {
  const traders = state.tables.traders.columns;
  const side = traders.perpSide.get(trader);
  if (side === 0) return 0;
  const margin = traders.perpUsd.get(trader);
  const change = marketPrice(markets, traders.perpMarket.get(trader), at) / traders.perpEntry.get(trader) - 1;
  return Math.max(
    -margin,
    Math.round(margin * traders.perpLeverage.get(trader) * change * (side === 1 ? 1 : -1)),
  );
}

function record(context: WorldContext, trader: number, action: number, pnl: number, at: number): void {
  const { counters, tables } = context.state;
  const perps = tables.perps.columns;
  const traders = tables.traders.columns;
  const number = counters.perps++;
  const row = number % tables.perps.capacity;
  perps.at.set(row, at);
  perps.trader.set(row, trader);
  perps.market.set(row, traders.perpMarket.get(trader));
  perps.action.set(row, action);
  perps.isShort.set(row, traders.perpSide.get(trader) === 2 ? 1 : 0);
  perps.leverage.set(row, traders.perpLeverage.get(trader));
  perps.usd.set(row, traders.perpUsd.get(trader));
  perps.pnl.set(row, pnl);
  traders.perpCount.add(trader, 1);
  appendApp(context, APP_PERP, number, at);
}
