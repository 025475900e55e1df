// The three feeds and what is on its way to them. Most items come when they happen; a few come minutes late, so
// out of order, and a few come twice. Which ones is told from their number, so a replay sends the same again.
import type { Context } from "./context.ts";
import { mix, unit } from "./hash.ts";
import { FEED_CAPACITY, PENDING_CAPACITY } from "./state.ts";

export const APP_FILL = 0;
export const APP_THESIS = 1;
export const APP_PERP = 2;
export const APP_LISTING = 3;

export const CHAIN_TRADE = 0;
export const CHAIN_RETRACT = 1;
/** The trade again, in the block that stayed. */
export const CHAIN_TRADE_AGAIN = 2;

/** What can be pending: an item for the app feed, a re-org, a thesis being written, a listing. */
export const APP_ITEM = 0;
export const RETRACTION = 1;
export const THESIS = 2;
export const LISTING = 3;

const LATE_CHANCE = 0.025;
const REPEAT_CHANCE = 0.012;
const LATEST_MS = 180_000;
/** At high rates lateness is bound by how many events pass meanwhile, so that what an item tells of is still known. */
const LATEST_EVENTS = 40_000;

/** Puts an item into the app feed now, or later, or both. */
export function appendApp(context: Context, kind: number, number: number, at: number): void {
  const roll = mix(context.key ^ 0xfeed, number, kind);
  const late = unit(roll, 1) < LATE_CHANCE;
  const twice = unit(roll, 3) < REPEAT_CHANCE;
  if (!late) arriveApp(context, kind, number, at);
  if (!late && !twice) return;
  const longest = Math.min(LATEST_MS, (LATEST_EVENTS / Math.max(1, context.schedule.rateAt(at))) * 1000);
  if (late) later(context, at + unit(roll, 2) * longest, APP_ITEM, kind, number, 0);
  if (twice) later(context, at + unit(roll, 4) * longest, APP_ITEM, kind, number, 0);
}

/** `at` is when it arrives, which may be later than when it happened. */
export function arriveApp({ state }: Context, kind: number, number: number, at: number): void {
  const feed = state.tables.appFeed.columns;
  const row = state.counters.appItems++ % FEED_CAPACITY;
  feed.kind.set(row, kind);
  feed.number.set(row, number);
  feed.at.set(row, at);
}

export function appendPush({ state }: Context, kind: number, number: number, at: number): void {
  const feed = state.tables.pushFeed.columns;
  const row = state.counters.pushItems++ % FEED_CAPACITY;
  feed.kind.set(row, kind);
  feed.number.set(row, number);
  feed.at.set(row, at);
}

export function appendChain({ state }: Context, kind: number, number: number, at: number): void {
  const feed = state.tables.chainFeed.columns;
  const row = state.counters.chainItems++ % FEED_CAPACITY;
  feed.kind.set(row, kind);
  feed.number.set(row, number);
  feed.at.set(row, at);
}

/**
 * Keeps something for later in a heap ordered by time, then by when it was put in. Its capacity is several times
 * what the highest rate needs; were it full all the same, an item would come at once and a thesis stay unwritten.
 */
export function later(
  context: Context,
  due: number,
  kind: number,
  code: number,
  number: number,
  slot: number,
): void {
  const { counters, tables } = context.state;
  const heap = tables.pending.columns;
  if (counters.pending === PENDING_CAPACITY) {
    if (kind === APP_ITEM) arriveApp(context, code, number, due);
    return;
  }
  let place = counters.pending++;
  const order = counters.pendingOrder++;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (heap.at.get(parent) <= due) break;
    copy(heap, parent, place);
    place = parent;
  }
  heap.at.set(place, due);
  heap.order.set(place, order);
  heap.kind.set(place, kind);
  heap.code.set(place, code);
  heap.number.set(place, number);
  heap.slot.set(place, slot);
}

type Heap = Context["state"]["tables"]["pending"]["columns"];

export interface Due {
  at: number;
  kind: number;
  code: number;
  number: number;
  slot: number;
}

export function nextDueAt({ state }: Context): number {
  return state.counters.pending > 0 ? state.tables.pending.columns.at.get(0) : Number.POSITIVE_INFINITY;
}

export function takeDue({ state }: Context): Due {
  const heap = state.tables.pending.columns;
  const due = {
    at: heap.at.get(0),
    kind: heap.kind.get(0),
    code: heap.code.get(0),
    number: heap.number.get(0),
    slot: heap.slot.get(0),
  };
  const last = --state.counters.pending;
  let place = 0;
  for (;;) {
    let child = place * 2 + 1;
    if (child >= last) break;
    if (child + 1 < last && before(heap, child + 1, child)) child++;
    if (!before(heap, child, last)) break;
    copy(heap, child, place);
    place = child;
  }
  copy(heap, last, place);
  return due;
}

function before(heap: Heap, a: number, b: number): boolean {
  const [first, second] = [heap.at.get(a), heap.at.get(b)];
  return first < second || (first === second && heap.order.get(a) < heap.order.get(b));
}

function copy(heap: Heap, from: number, to: number): void {
  heap.at.set(to, heap.at.get(from));
  heap.order.set(to, heap.order.get(from));
  heap.kind.set(to, heap.kind.get(from));
  heap.code.set(to, heap.code.get(from));
  heap.number.set(to, heap.number.get(from));
  heap.slot.set(to, heap.slot.get(from));
}
