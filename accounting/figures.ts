// Trading statistics from a window's books: the win rate of closed positions, the return per dollar, the best trade.
import type { Micro } from "./money.ts";
import type { Profit } from "./totals.ts";
import type { WindowProfit } from "./window.ts";

export interface TradingFigures<Subject> {
  /** From 0 to 1; null when nothing was closed in the window. */
  winRate: number | null;
  /** Profit per dollar invested; null when none was. */
  roi: number | null;
  best: { subject: Subject; profit: Profit } | null;
}

/** `lifeNet` is the total profit of a position that was closed in the window; null for an open one. */
export function figuresOf<Subject>(
  window: WindowProfit<Subject>,
  lifeNet: (subject: Subject) => Micro | null,
): TradingFigures<Subject> {
  let best: TradingFigures<Subject>["best"] = null;
  let closed = 0;
  let won = 0;
  for (const { book, profit } of window.positions) {
    if (profit && (best === null || profit.net > best.profit.net)) best = { subject: book.subject, profit };
    // A position's total profit is known without a price at the window's start.
    const net = lifeNet(book.subject);
    if (net === null) continue;
    closed += 1;
    if (net > 0) won += 1;
  }
  return { winRate: closed === 0 ? null : won / closed, roi: roiOf(window.total), best };
}

export function roiOf({ net, invested }: Profit): number | null {
  return invested > 0 ? net / invested : null;
}
