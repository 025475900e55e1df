// Profit by token, by chain or by any other key. The parts add up to the total, even when the list
// is truncated.
import { addProfit, noProfit, type Profit } from "./totals.ts";
import type { PositionProfit } from "./window.ts";

export interface ProfitShare<Subject> {
  /** From its first position. */
  subject: Subject;
  profit: Profit;
}

/** Largest gain first. */
export function sharesBy<Subject>(
  positions: readonly PositionProfit<Subject>[],
  keyOf: (subject: Subject) => string | number,
): ProfitShare<Subject>[] {
  const shares = new Map<string | number, ProfitShare<Subject>>();
  for (const { book, profit } of positions) {
    if (!profit) continue;
    const key = keyOf(book.subject);
    const share = shares.get(key) ?? { subject: book.subject, profit: noProfit() };
    addProfit(share.profit, profit);
    shares.set(key, share);
  }
  return [...shares.values()].sort((a, b) => b.profit.net - a.profit.net);
}

/** The largest gains and losses, and the total of the rest. */
export function cutShares<Subject>(
  shares: readonly ProfitShare<Subject>[],
  eachEndMax: number,
): { shown: ProfitShare<Subject>[]; rest: { count: number; profit: Profit } | null } {
  if (shares.length <= 2 * eachEndMax) return { shown: [...shares], rest: null };
  const others = shares.slice(eachEndMax, -eachEndMax);
  const profit = noProfit();
  for (const share of others) addProfit(profit, share.profit);
  return {
    shown: [...shares.slice(0, eachEndMax), ...shares.slice(-eachEndMax)],
    rest: { count: others.length, profit },
  };
}
