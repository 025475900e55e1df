// Profits in wire form: dollars, and the same three figures everywhere.
import { toUsd } from "../../../accounting/money.ts";
import type { Profit } from "../../../accounting/totals.ts";

export function presentProfit({ net, gross, fees }: Profit) {
  return { pnlUsd: toUsd(net), grossPnlUsd: toUsd(gross), feesUsd: toUsd(fees) };
}

export function presentShare(profit: Profit) {
  return { ...presentProfit(profit), volumeUsd: toUsd(profit.volume), fills: profit.fills };
}
