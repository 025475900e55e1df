// Everybody's books as they stood when a rolling window began. Worked out once, backwards from now, in slices, and then
// carried forward with the window, fill by fill, so that a leaderboard never walks a month of fills.
import { atOnce, type Sliced } from "../../kit/slices.ts";
import { ORDER_SLACK_MS, settledAt } from "../world/blocks.ts";
import { NONE } from "../world/columns.ts";
import { feeOf, heldAmount } from "../world/ledger.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import { windowStart } from "./quotes.ts";
import type { View } from "./view.ts";

/** Some three milliseconds of a process that has just started. */
const FILLS_A_SLICE = 1_000;
const TRADERS_A_SLICE = 200;

/** In millionths of a dollar, up to a moment. `realized` is less fees. */
export interface Totals {
  realized: number;
  openCost: number;
  volume: number;
  swaps: number;
}

interface Book extends Totals {
  held: Map<number, number>;
}

export class Trailing {
  readonly #view: View;
  readonly #lengthMs: number;
  #books: Book[] = [];
  /** Fills below this number are in the books, and those of `#early`. */
  #next = 0;
  #early = new Set<number>();
  start = Number.NaN;

  constructor(view: View, lengthMs: number) {
    this.#view = view;
    this.#lengthMs = lengthMs;
  }

  /** Brings the books to where the window begins now. False when the fills since then are no longer all kept. */
  follow(): boolean {
    if (windowStart(this.#view.asOf, this.#lengthMs) === this.start) return true;
    return atOnce(this.followInSlices());
  }

  /** The same, for an answer made over several turns. The world must stand still until it is done. */
  *followInSlices(): Sliced<boolean> {
    const start = windowStart(this.#view.asOf, this.#lengthMs);
    if (start === this.start) return true;
    const { counters, tables } = this.#view.context.state;
    const oldest = Math.max(0, counters.fills - tables.fills.capacity);
    if (oldest > 0 && tables.fills.columns.at.get(oldest % tables.fills.capacity) + ORDER_SLACK_MS > start)
      return false;
    if (start < this.start || Number.isNaN(this.start) || this.#next < oldest) yield* this.#begin(start);
    else this.#carry(start);
    this.start = start;
    return true;
  }

  book(trader: number): Book {
    return bookIn(this.#books, trader);
  }

  /** Apart from what is there, which others may read meanwhile. */
  *#begin(start: number): Sliced<void> {
    const { counters, tables } = this.#view.context.state;
    const oldest = Math.max(0, counters.fills - tables.fills.capacity);
    const { at } = tables.fills.columns;
    const books: Book[] = [];
    const early = new Set<number>();
    for (const { index } of this.#view.context.population.traders) {
      books[index] = this.#now(index);
      if (index % TRADERS_A_SLICE === 0) yield;
    }
    let number = counters.applied - 1;
    for (; number >= oldest; number--) {
      const recorded = at.get(number % tables.fills.capacity);
      if (recorded < start - ORDER_SLACK_MS) break;
      if (recorded >= start || settledAt(this.#view.context, number) >= start) this.#apply(books, number, -1);
      else early.add(number);
      if (number % FILLS_A_SLICE === 0) yield;
    }
    this.#books = books;
    this.#early = early;
    this.#next = number + 1;
    this.#passEarly();
  }

  #carry(start: number): void {
    const { counters, tables } = this.#view.context.state;
    const { at } = tables.fills.columns;
    for (let number = this.#next; number < counters.applied; number++) {
      const recorded = at.get(number % tables.fills.capacity);
      if (recorded >= start + ORDER_SLACK_MS) break;
      if (this.#early.has(number) || settledAt(this.#view.context, number) >= start) continue;
      this.#apply(this.#books, number, 1);
      this.#early.add(number);
    }
    this.#passEarly();
  }

  #passEarly(): void {
    while (this.#early.delete(this.#next)) this.#next++;
  }

  /** The trader's books now. */
  #now(trader: number): Book {
    const traders = this.#view.tables.traders.columns;
    const positions = this.#view.tables.positions.columns;
    const held = new Map<number, number>();
    let openCost = 0;
    for (let slot = traders.openHead.get(trader); slot !== NONE; slot = positions.nextOfTrader.get(slot)) {
      held.set(positions.token.get(slot), heldAmount(positions, slot));
      openCost += positions.openCost.get(slot);
    }
    return {
      realized: traders.realized.get(trader) - traders.fees.get(trader),
      openCost,
      volume: traders.volume.get(trader),
      swaps: traders.swaps.get(trader),
      held,
    };
  }

  /** Books a fill, or takes it back. */
  #apply(books: Book[], number: number, sign: 1 | -1): void {
    const { fills: table } = this.#view.tables;
    const fills = table.columns;
    const row = number % table.capacity;
    const book = bookIn(books, fills.trader.get(row));
    const token = fills.token.get(row);
    const kind = fills.kind.get(row);
    const usd = fills.usd.get(row);
    const isIn = kind === BUY || kind === TRANSFER_IN;
    const rest = (book.held.get(token) ?? 0) + (isIn ? sign : -sign) * fills.amount.get(row);
    if (rest === 0) book.held.delete(token);
    else book.held.set(token, rest);
    book.openCost += sign * (isIn ? usd : -fills.costShare.get(row));
    if (kind !== BUY && kind !== SELL) return;
    book.volume += sign * usd;
    book.swaps += sign;
    book.realized -= sign * feeOf(usd);
    if (kind === SELL) book.realized += sign * (usd - fills.costShare.get(row));
  }
}

function bookIn(books: Book[], trader: number): Book {
  const known = books[trader];
  if (known) return known;
  const fresh = { realized: 0, openCost: 0, volume: 0, swaps: 0, held: new Map<number, number>() };
  books[trader] = fresh;
  return fresh;
}
