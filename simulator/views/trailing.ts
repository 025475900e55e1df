// Everybody's books as of a moment. Computed once, backwards from now and in slices, and then moved, fill by fill, to whatever
// moment is requested next, so that a leaderboard never walks a month of fills.

import { type BookTotals, enter, newTotals } from "../../accounting/totals.ts";
import { atOnce, type Sliced } from "../../kit/slices.ts";
import { ORDER_SLACK_MS, settledAt } from "../world/blocks.ts";
import { NONE } from "../world/columns.ts";
import { feeOf } from "../world/fees.ts";
import { heldAmount } from "../world/ledger.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import type { View } from "./view.ts";

/** About three milliseconds in a process that has just started. */
const FILLS_A_SLICE = 1_000;
const TRADERS_A_SLICE = 200;

export interface HeldBook {
  totals: BookTotals;
  /** Millionths of a token, by token. */
  held: Map<number, number>;
}

export class Trailing {
  readonly #view: View;
  #books: HeldBook[] = [];
  #moment = Number.NaN;
  /** The move to another moment in progress; the books must not be read until it is done. */
  #moving: Sliced<void> | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** Moves the books to a settled moment. False when the fills since then are no longer all kept. */
  moveTo(moment: number): boolean {
    return (moment === this.#moment && !this.#moving) || atOnce(this.moveInSlices(moment));
  }

  /** The same, for an answer made over several turns. The world must stand still until it is done. */
  *moveInSlices(moment: number): Sliced<boolean> {
    // Finishes another caller's move first; its owner then finds it done.
    while (this.#moving) yield* this.#moving;
    if (moment === this.#moment) return true;
    const { counters, tables } = this.#view.context.state;
    const oldest = Math.max(0, counters.fills - tables.fills.capacity);
    const reach = Math.min(moment, Number.isNaN(this.#moment) ? moment : this.#moment) - ORDER_SLACK_MS;
    if (oldest > 0 && tables.fills.columns.at.get(oldest % tables.fills.capacity) > reach) return false;
    if (Number.isNaN(this.#moment)) {
      // Built separately from the current books, which others may read meanwhile.
      const books = yield* this.#now();
      yield* this.#shift(books, Number.POSITIVE_INFINITY, moment);
      // Others may have been faster: their result is moved instead.
      if (!Number.isNaN(this.#moment)) return yield* this.moveInSlices(moment);
      this.#books = books;
      this.#moment = moment;
      return true;
    }
    this.#moving = this.#carry(moment);
    yield* this.#moving;
    return true;
  }

  *#carry(to: number): Sliced<void> {
    yield* this.#shift(this.#books, this.#moment, to);
    this.#moment = to;
    this.#moving = null;
  }

  book(trader: number): HeldBook {
    return bookIn(this.#books, trader);
  }

  /** The totals at the moment, with holdings valued at its quotes. */
  valued(trader: number): BookTotals {
    const { totals, held } = this.book(trader);
    let openValue = 0;
    for (const [token, amount] of held)
      openValue += Math.round(amount * this.#view.priceAt(token, this.#moment));
    return { ...totals, openValue };
  }

  /** Applies the fills whose blocks lie between two moments, or undoes them. */
  *#shift(books: HeldBook[], from: number, to: number): Sliced<void> {
    const [low, high, sign] = to > from ? [from, to, 1 as const] : [to, from, -1 as const];
    const { counters, tables } = this.#view.context.state;
    const { at } = tables.fills.columns;
    // Fills are numbered as they are recorded, which is block order give or take a few seconds.
    for (let number = this.#firstSince(low - 2 * ORDER_SLACK_MS); number < counters.applied; number++) {
      if (number % FILLS_A_SLICE === 0) yield;
      const recorded = at.get(number % tables.fills.capacity);
      if (recorded >= high + 2 * ORDER_SLACK_MS) break;
      const settled = settledAt(this.#view.context, number);
      if (settled >= low && settled < high) this.#apply(books, number, sign);
    }
  }

  /** The number of the first kept fill that was recorded at or after this time, give or take the slack. */
  #firstSince(since: number): number {
    const { counters, tables } = this.#view.context.state;
    let low = Math.max(0, counters.fills - tables.fills.capacity);
    let high = counters.applied;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (tables.fills.columns.at.get(middle % tables.fills.capacity) < since) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *#now(): Sliced<HeldBook[]> {
    const books: HeldBook[] = [];
    for (const { index } of this.#view.context.population.traders) {
      books[index] = this.#bookNow(index);
      if (index % TRADERS_A_SLICE === 0) yield;
    }
    return books;
  }

  #bookNow(trader: number): HeldBook {
    const traders = this.#view.tables.traders.columns;
    const positions = this.#view.tables.positions.columns;
    const held = new Map<number, number>();
    let openCost = 0;
    for (let slot = traders.openHead.get(trader); slot !== NONE; slot = positions.nextOfTrader.get(slot)) {
      held.set(positions.token.get(slot), heldAmount(positions, slot));
      openCost += positions.openCost.get(slot);
    }
    const totals = {
      gains: traders.realized.get(trader),
      fees: traders.fees.get(trader),
      openCost,
      openValue: 0,
      invested: traders.invested.get(trader),
      volume: traders.volume.get(trader),
      fills: traders.swaps.get(trader),
    };
    return { totals, held };
  }

  #apply(books: HeldBook[], number: number, sign: 1 | -1): void {
    const { fills: table } = this.#view.tables;
    const fills = table.columns;
    const row = number % table.capacity;
    const { totals, held } = bookIn(books, fills.trader.get(row));
    const token = fills.token.get(row);
    const kind = MOVE_KINDS[fills.kind.get(row)] ?? "send";
    const usd = fills.usd.get(row);
    const isIn = kind === "buy" || kind === "receive";
    const rest = (held.get(token) ?? 0) + (isIn ? sign : -sign) * fills.amount.get(row);
    if (rest === 0) held.delete(token);
    else held.set(token, rest);
    const fee = kind === "buy" || kind === "sell" ? feeOf(this.#view.context, row) : 0;
    enter(totals, { kind, usd, fee, costTaken: fills.costShare.get(row) }, sign);
  }
}

/** The names of the table's kinds in accounting. */
export const MOVE_KINDS: Record<number, "buy" | "sell" | "receive" | "send"> = {
  [BUY]: "buy",
  [SELL]: "sell",
  [TRANSFER_IN]: "receive",
};

function bookIn(books: HeldBook[], trader: number): HeldBook {
  const known = books[trader];
  if (known) return known;
  const fresh = { totals: newTotals(), held: new Map<number, number>() };
  books[trader] = fresh;
  return fresh;
}
