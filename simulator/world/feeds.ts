// The three feeds and the items in flight to them. Most items arrive when they happen; a few arrive minutes late, so out of
// order, and a few arrive twice. Which ones follows from their number, so a replay sends the same again.
import type { WorldContext } from "./context.ts";
import { mix, unit } from "./hash.ts";
import { type Due, popDue, pushDue } from "./heap.ts";
import { FEED_CAPACITY, PENDING_CAPACITY } from "./state.ts";

export const APP_FILL = 0;
export const APP_THESIS = 1;
export const APP_PERP = 2;
export const APP_LISTING = 3;

export const CHAIN_TRADE = 0;
export const CHAIN_RETRACT = 1;
/** The same trade, in the block that stayed. */
export const CHAIN_TRADE_AGAIN = 2;
/** Its block can no longer be undone. */
export const CHAIN_FINAL = 3;

/** Kinds of pending entries: an item for the app feed, a re-org, a thesis being written, a listing, an order. */
export const APP_ITEM = 0;
export const RETRACTION = 1;
export const THESIS = 2;
export const LISTING = 3;
/** `number` is the trader, `slot` the token. */
export const BUY_ORDER = 4;
/** `number` and `slot` are the position's; `code` is the share to sell, in 255ths. */
export const SELL_ORDER = 5;
/** Of a token from before genesis; `number` is the token. */
export const LAUNCH = 6;
/** A price at which part of a gain is taken; `number` and `slot` are the position's. */
export const GOAL = 7;
/** `code` is the copier, `slot` the token, and `number` the share that the leader sold, 0 for a buy. */
export const COPY_ORDER = 8;
/** `code` is the baiter's place. */
export const BAIT = 9;
/** A transfer to a trader; `number` is the trader, `slot` the token. */
export const INCOMING = 10;
/** A transfer from a trader; `number` and `slot` are the position's. */
export const OUTGOING = 11;
/** The insiders' tokens at a launch; `number` is the token. */
export const HAND_OUT = 12;

const LATE_CHANCE = 0.025;
const REPEAT_CHANCE = 0.012;
const LATEST_MS = 180_000;
/** At high rates lateness is limited by the number of events in between, so that an item's record is still kept. */
const LATEST_EVENTS = 40_000;

/** Puts an item into the app feed now, or later, or both. */
export function appendApp(context: WorldContext, kind: number, number: number, at: number): void {
  const roll = mix(context.key ^ 0xfeed, number, kind);
  const late = unit(roll, 1) < LATE_CHANCE;
  const twice = unit(roll, 3) < REPEAT_CHANCE;
  if (!late) arriveApp(context, kind, number, at);
  if (!late && !twice) return;
  const longest = Math.min(LATEST_MS, (LATEST_EVENTS / Math.max(1, context.schedule.rateAt(at))) * 1000);
  if (late) later(context, at + unit(roll, 2) * longest, APP_ITEM, kind, number, 0);
  if (twice) later(context, at + unit(roll, 4) * longest, APP_ITEM, kind, number, 0);
}

/** The newest item overwrites the oldest. `at` is when it arrives, which may be later than when it happened. */
const arriveIn = (feed: "app" | "push" | "chain") => {
  const [table, counter] = [`${feed}Feed`, `${feed}Items`] as const;
  return ({ state }: WorldContext, kind: number, number: number, at: number): void => {
    const { columns } = state.tables[table];
    const row = state.counters[counter]++ % FEED_CAPACITY;
    columns.kind.set(row, kind);
    columns.number.set(row, number);
    columns.at.set(row, at);
  };
};

export const arriveApp = arriveIn("app");
export const appendPush = arriveIn("push");
export const appendChain = arriveIn("chain");

/**
 * Schedules something for later. The capacity is several times what the highest rate needs; if it were full anyway, an item
 * would come at once, a re-org not at all, and a thesis or an order would be dropped.
 */
export function later(
  context: WorldContext,
  at: number,
  kind: number,
  code: number,
  number: number,
  slot: number,
): void {
  const { counters, tables } = context.state;
  if (counters.pending === PENDING_CAPACITY) {
    if (kind === APP_ITEM) arriveApp(context, code, number, at);
    return;
  }
  const order = counters.pendingOrder++;
  pushDue(tables.pending.columns, counters.pending++, order, { at, kind, code, number, slot });
}

export function nextDueAt({ state }: WorldContext): number {
  return state.counters.pending > 0 ? state.tables.pending.columns.at.get(0) : Number.POSITIVE_INFINITY;
}

export function takeDue({ state }: WorldContext): Due {
  return popDue(state.tables.pending.columns, state.counters.pending--);
}
