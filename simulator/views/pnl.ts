// A trader's profit in a window: the difference of two states of the books, each marked to the quotes of its moment. Where the
// fills since then have been dropped (a world that trades much faster than the default), a window begins with the mark of its
// first whole day.
import { type BookTotals, earned, newTotals, type Profit } from "../../accounting/totals.ts";
import { DAY_MS, SECOND_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/protocol.ts";
import { dayRow } from "../world/days.ts";
import { heldAmount } from "../world/ledger.ts";
import { Trailing } from "./trailing.ts";
import type { View } from "./view.ts";

/** In millionths of a dollar. */
export interface TraderProfit extends Profit {
  /** Whether the trader did or held anything in the window. */
  active: boolean;
}

type Rolling = Exclude<PnlWindow, "all">;
const WINDOW_MS: Record<Rolling, number> = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS };

/** The app shows a fill about 17 seconds after its block: books this old never change any more. */
export const SETTLED_AFTER_MS = 20 * SECOND_MS;
/** Profits are computed for moments this far apart, so that consecutive calls get the same one. */
const MOMENT_EVERY_MS = 30 * SECOND_MS;

interface EverybodysBooks {
  end: Trailing;
  start: Record<Rolling, Trailing>;
}

const BOOKS = new WeakMap<View, EverybodysBooks>();

/** Kept for as long as the view exists: building them walks a month of fills. */
export function everybodysBooks(view: View): EverybodysBooks {
  const known = BOOKS.get(view);
  if (known) return known;
  const start = { "24h": new Trailing(view), "7d": new Trailing(view), "30d": new Trailing(view) };
  const books = { end: new Trailing(view), start };
  BOOKS.set(view, books);
  return books;
}

/** The requested moment, or the last one whose books are settled. */
export function profitMoment(view: View, at?: number): number {
  const settled = Math.floor((view.now - SETTLED_AFTER_MS) / MOMENT_EVERY_MS) * MOMENT_EVERY_MS;
  return at === undefined ? settled : Math.min(at, settled);
}

export function unrealized(view: View, slot: number): number {
  const positions = view.tables.positions.columns;
  const held = heldAmount(positions, slot);
  return held === 0
    ? 0
    : Math.round(held * view.price(positions.token.get(slot))) - positions.openCost.get(slot);
}

export function windowBegin(window: PnlWindow, moment: number): number {
  return window === "all" ? 0 : moment - WINDOW_MS[window];
}

export function traderProfit(
  view: View,
  trader: number,
  window: PnlWindow,
  moment = profitMoment(view),
): TraderProfit {
  const { end, start } = everybodysBooks(view);
  if (!end.moveTo(moment)) throw new Error("the fills of the last minute are gone");
  const after = end.valued(trader);
  let before = newTotals();
  let heldBefore = 0;
  if (window !== "all") {
    if (start[window].moveTo(windowBegin(window, moment))) {
      before = start[window].valued(trader);
      heldBefore = start[window].book(trader).held.size;
    } else before = dayMark(view, trader, window, moment) ?? before;
  }
  const profit = earned(before, after);
  return { ...profit, active: end.book(trader).held.size + heldBefore + profit.fills > 0 };
}

/** The trader's totals as the first whole day of the window began. */
function dayMark(view: View, trader: number, window: Rolling, moment: number): BookTotals | null {
  const start = Math.max(windowBegin(window, moment), view.context.genesis);
  const mark = Math.ceil(start / DAY_MS) * DAY_MS;
  if (mark > moment) return null;
  const { gains, fees, openCost, openValue, invested, volume, swaps } = view.tables.days.columns;
  const row = dayRow(view.context, mark, trader);
  return {
    gains: gains.get(row),
    fees: fees.get(row),
    openCost: openCost.get(row),
    openValue: openValue.get(row),
    invested: invested.get(row),
    volume: volume.get(row),
    fills: swaps.get(row),
  };
}

export function closedCount(view: View, trader: number, networkIndex?: number): number {
  const counts = view.tables.closedCounts.columns.count;
  if (networkIndex !== undefined) return counts.get(trader * 5 + networkIndex);
  let sum = 0;
  for (let index = 0; index < 5; index++) sum += counts.get(trader * 5 + index);
  return sum;
}
