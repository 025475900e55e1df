// One trader's books as of a moment: every position with every move that is still kept. Moves applied after that moment are
// subtracted from a position's totals again, so that the same moment always gets the same answer.
import { figuresOf, type TradingFigures } from "../../accounting/figures.ts";
import { type BookMove, NOTHING_HELD, splitAt } from "../../accounting/lot.ts";
import { toUsd } from "../../accounting/money.ts";
import { type PositionBook, type WindowProfit, windowProfit } from "../../accounting/window.ts";
import type { Sliced } from "../../kit/slices.ts";
import type { NetworkId, WireBook, WireBooks } from "../../protocol/protocol.ts";
import { settledAt } from "../world/blocks.ts";
import { feeOf, gasUsd } from "../world/fees.ts";
import { networkIndex } from "../world/networks.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import { fillKept, placeOf } from "./fills.ts";
import { profitMoment } from "./pnl.ts";
import { closedSlots, heldOf, openSlots, positionRow, type SlotTotals, totalsOf } from "./positions.ts";
import { MOVE_KINDS } from "./trailing.ts";
import { MICRO, type View } from "./view.ts";

/** Positions between two checks of the time: a millisecond. */
const SLICE_SLOTS = 32;

/** More would hold the thread for longer than a turn may take. */
const AT_ONCE_SLOTS_MAX = 100;

export function areBooksLong(view: View, userId: string): boolean {
  const trader = view.traderOf(userId);
  return trader !== undefined && slotsOf(view, trader.index).length > AT_ONCE_SLOTS_MAX;
}

const slotsOf = (view: View, trader: number): number[] => [
  ...openSlots(view, trader),
  ...closedSlots(view, trader),
];

/** The world must stand still meanwhile. */
export function* traderBooks(view: View, userId: string, at?: number): Sliced<WireBooks | undefined> {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const asOf = profitMoment(view, at);
  const rows: WireBook[] = [];
  for (const [place, slot] of slotsOf(view, trader.index).entries()) {
    const book = wireBook(view, slot, asOf);
    if (book) rows.push(book);
    if (place % SLICE_SLOTS === SLICE_SLOTS - 1) yield;
  }
  return { asOf, rows };
}

/** A position at a moment. */
interface SlotBook {
  totals: SlotTotals;
  /** The totals before the moves that are still kept; null when all of them are. */
  before: SlotTotals | null;
  /** Numbers of its fills, oldest first. */
  fills: number[];
}

function slotBook(view: View, slot: number, asOf: number): SlotBook | null {
  const columns = view.tables.fills.columns;
  const totals = totalsOf(view, slot);
  const fills: number[] = [];
  let number = view.tables.positions.columns.lastFill.get(slot) - 1;
  let back = 1;
  for (; back > 0 && fillKept(view, number); number -= back) {
    const row = number % view.tables.fills.capacity;
    const at = settledAt(view.context, number);
    if (at >= asOf) takeBack(view, totals, row);
    else {
      if (fills.length === 0) totals.lastAt = at;
      fills.push(number);
    }
    back = columns.backOfPosition.get(row);
  }
  if (back === 0) return fills.length === 0 ? null : { totals, before: null, fills: fills.reverse() };
  const before = { ...totals };
  for (const each of fills) takeBack(view, before, each % view.tables.fills.capacity);
  return { totals, before, fills: fills.reverse() };
}

function wireBook(view: View, slot: number, asOf: number): WireBook | null {
  const book = slotBook(view, slot, asOf);
  if (!book) return null;
  const { totals, before, fills } = book;
  return {
    position: positionRow(view, slot, { totals, asOf }),
    before: before && {
      amount: heldOf(before) / MICRO,
      costUsd: toUsd(before.openCost),
      realizedPnlUsd: toUsd(before.realized),
      feesUsd: toUsd(before.fees),
    },
    moves: fills.map((number) => ({
      ...moveOf(view, number),
      networkFeeUsd: networkFeeOf(view, number),
      txHash: placeOf(view, number).txHash,
    })),
  };
}

function moveOf(view: View, number: number): BookMove {
  const fills = view.tables.fills.columns;
  const row = number % view.tables.fills.capacity;
  const kind = fills.kind.get(row);
  const usd = fills.usd.get(row);
  return {
    at: settledAt(view.context, number),
    kind: MOVE_KINDS[kind] ?? "send",
    amount: fills.amount.get(row) / MICRO,
    usd: toUsd(usd),
    feeUsd: kind === BUY || kind === SELL ? toUsd(feeOf(view.context, row)) : 0,
    txHash: null,
  };
}

/** The network's fee for a swap. */
function networkFeeOf(view: View, number: number): number {
  const fills = view.tables.fills.columns;
  const row = number % view.tables.fills.capacity;
  const kind = fills.kind.get(row);
  if (kind !== BUY && kind !== SELL) return 0;
  const by = view.context.population.get(fills.trader.get(row));
  return gasUsd(view.context, by, view.context.tokens.networkOf(fills.token.get(row)), fills.at.get(row));
}

/** A trader's result in a window that ends at a moment: from the same books, without the parts that only people read. */
export function traderWindow(
  view: View,
  trader: number,
  { from, asOf, networkId }: { from: number; asOf: number; networkId?: NetworkId },
): WindowProfit<FiguresSubject> {
  const { closedAt, token } = view.tables.positions.columns;
  const network = networkId === undefined ? null : networkIndex(networkId);
  const slots = [
    ...openSlots(view, trader),
    ...closedSlots(view, trader).filter((slot) => closedAt.get(slot) >= from),
  ].filter((slot) => network === null || view.context.tokens.networkOf(token.get(slot)) === network);
  const books = slots.flatMap((slot): PositionBook<FiguresSubject>[] => {
    const book = slotBook(view, slot, asOf);
    if (!book || (book.totals.lastAt < from && heldOf(book.totals) === 0)) return [];
    const { before, fills, totals } = book;
    const held = before && {
      amount: heldOf(before) / MICRO,
      largest: heldOf(before) / MICRO,
      cost: before.openCost,
    };
    const { opening, later } = splitAt(
      held ?? NOTHING_HELD,
      fills.map((number) => moveOf(view, number)),
      from,
    );
    const mark = (at: number) => ({ priceUsd: view.priceAt(token.get(slot), at), at, source: "quote" });
    return [
      {
        subject: { slot, lifeNet: heldOf(totals) === 0 ? totals.realized : null },
        opening,
        moves: later,
        openingMark: mark(from),
        closingMark: mark(asOf),
        isWhole: before === null,
      },
    ];
  });
  return windowProfit(books);
}

export function tradingFigures(window: WindowProfit<FiguresSubject>): TradingFigures<FiguresSubject> {
  return figuresOf(window, ({ lifeNet }) => lifeNet);
}

interface FiguresSubject {
  slot: number;
  lifeNet: number | null;
}

/** Undoes one fill; in reverse order of application, latest first. */
function takeBack(view: View, totals: SlotTotals, row: number): void {
  const fills = view.tables.fills.columns;
  const kind = fills.kind.get(row);
  const amount = fills.amount.get(row);
  const usd = fills.usd.get(row);
  const costTaken = fills.costShare.get(row);
  const isSwap = kind === BUY || kind === SELL;
  const fee = isSwap ? feeOf(view.context, row) : 0;
  if (isSwap) {
    totals.fees -= fee;
    totals.realized += fee;
  }
  if (kind === BUY) {
    totals.bought -= amount;
    totals.cost -= usd;
  } else if (kind === TRANSFER_IN) {
    totals.received -= amount;
    totals.receivedUsd -= usd;
  } else if (kind === SELL) {
    totals.sold -= amount;
    totals.proceeds -= usd;
    totals.realized -= usd - costTaken;
  } else {
    totals.sent -= amount;
    totals.sentUsd -= usd;
  }
  totals.openCost += kind === BUY || kind === TRANSFER_IN ? -usd : costTaken;
}
