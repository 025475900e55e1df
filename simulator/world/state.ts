// The world's state. Everything here goes into a snapshot and everything else follows from the seed and the clock. Capacities
// bound memory for good: old fills, closed positions, theses and feed items are dropped in order, sums never.

import { type Random, randomFrom, seededRandom } from "../../kit/random.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { F32, F64, NONE, table, U8, U16, U32 } from "./columns.ts";
import { JOIN_ROOM } from "./population.ts";
import { TOKENS_MAX } from "./tokens.ts";

/**
 * Three weeks of fills at the default rate: a day's and a week's window are exact to the minute from the fills themselves, and
 * so is a month's while the world is younger than that; later it begins with the mark of its first whole day.
 */
const FILL_CAPACITY = 262_144;
/** Open positions of everybody (about seven each) and the latest closed ones. */
const POSITION_CAPACITY = 131_072;
const THESIS_CAPACITY = 65_536;
const PERP_CAPACITY = 16_384;
/** Items that a feed keeps: hours of catching up at the default rate. */
export const FEED_CAPACITY = 100_000;
/** Items in flight: late ones, repeats, theses being written, re-orgs. Beyond this an item comes at once. */
export const PENDING_CAPACITY = 65_536;
/** Positions that one trader can hold at once. */
export const OPEN_MAX = 24;
/** Planned exits, one per position; without one a position is sold when its holder has too many. */
export const EXIT_CAPACITY = 65_536;
/** Days with totals, for windows that the kept fills no longer reach. */
export const DAY_MARKS = 32;
/** More than anybody requests; further ones are ignored. */
export const EXTRA_LAUNCHES_MAX = 512;
export const EXTRA_RENAMES_MAX = 512;
/** Networks of `networks.ts`; tables by network have this many rows. */
const NETWORK_ROWS = 5;

export const FREE = 0;
/** Bought on the chain; not yet shown by the app. */
export const PENDING = 1;
export const OPEN = 2;
export const CLOSED = 3;

export const BUY = 0;
export const SELL = 1;
export const TRANSFER_IN = 2;
export const TRANSFER_OUT = 3;

/** All plain numbers of the state, with their initial values. */
const newCounters = (origin: number) => ({
  time: origin,
  /** Fills on the chain, and how many of them the app has applied. */
  fills: 0,
  applied: 0,
  positions: 0,
  /** Slots ever used; once all are, closed positions are evicted. */
  slots: 0,
  oldestClosed: NONE,
  newestClosed: NONE,
  theses: 0,
  perps: 0,
  appItems: 0,
  pushItems: 0,
  chainItems: 0,
  pending: 0,
  exits: 0,
  /** Entries that both heaps have ever taken: breaks ties. */
  pendingOrder: 0,
  /** Trades on top of the planned rate (bursts, copies) that are still to be made up for. */
  ahead: 0,
  hour: Math.floor(origin / HOUR_MS),
  /** Whether genesis has passed. */
  begun: 0,
  extraLaunches: 0,
  extraRenames: 0,
  /** How many of the next trades a re-org will move on request. */
  reorgsAsked: 0,
  /** When the last scenario began; 0 for none. */
  scenarioAt: 0,
  /** Events still to wait for (a random draw), counted from `workFrom`. */
  work: 1,
  workFrom: origin,
  /** All events so far, to bound replays. */
  events: 0,
});
export type Counters = ReturnType<typeof newCounters>;

export interface Sizes {
  traders: number;
  fills: number;
  positions: number;
}

export function sizesFor(traders: number, led: number): Sizes {
  const part = Math.min(1, traders / 4_000);
  return {
    traders: traders + led + JOIN_ROOM,
    fills: Math.max(131_072, Math.floor(FILL_CAPACITY * Math.min(1, traders / 2_000))),
    positions: Math.max(32_768, Math.floor(POSITION_CAPACITY * part)),
  };
}

function createTables(sizes: Sizes) {
  const links = { nextOfTrader: U32, previousOfTrader: U32, nextOfToken: U32, previousOfToken: U32 };
  const heap = { at: F64, order: F64, kind: U8, code: U8, number: F64, slot: U32 };
  return {
    // Amounts are whole millionths of a token, money whole millionths of a dollar: sums are exact.
    fills: table(sizes.fills, {
      at: F64,
      trader: U16,
      token: U16,
      kind: U8,
      slot: U32,
      position: F64,
      amount: F64,
      usd: F64,
      /** The cost of the sold or sent tokens; 0 for received ones. */
      costShare: F64,
      realizedAfter: F64,
      amountAfter: F64,
      /** 1 if a re-org undid its block and it was recorded again in a later one. */
      moved: U8,
      /** The distance of the pool's log price from the outside price, right after the fill. */
      shift: F32,
      // How many fills back the previous one of the same position, trader or token is; 0 for none.
      backOfPosition: U32,
      backOfTrader: U32,
      backOfToken: U32,
    }),
    positions: table(sizes.positions, {
      number: F64,
      trader: U16,
      token: U16,
      status: U8,
      isDev: U8,
      bought: F64,
      sold: F64,
      received: F64,
      sent: F64,
      cost: F64,
      openCost: F64,
      proceeds: F64,
      /** Net of `fees`. */
      realized: F64,
      fees: F64,
      receivedUsd: F64,
      sentUsd: F64,
      chainAmount: F64,
      /** The time of its latest fill's final block; a re-org may have put it ahead of the clock. */
      settledAt: F64,
      openedAt: F64,
      lastAt: F64,
      closedAt: F64,
      // One more than the number of its last fill and of its thesis; 0 for none.
      lastFill: F64,
      thesis: F64,
      /** Capped at 255. */
      buys: U8,
      sells: U8,
      ...links,
      nextClosed: U32,
    }),
    traders: table(sizes.traders, {
      volume: F64,
      swaps: U32,
      /** Before fees. */
      realized: F64,
      fees: F64,
      /** Bought and received. */
      invested: F64,
      heldMs: F64,
      open: U32,
      openHead: U32,
      closedHead: U32,
      lastFill: F64,
      lastThesis: F64,
      /** Positions held on the chain: how many of the slots below are in use. */
      chainOpen: U8,
      perpCount: U32,
      perpPnl: F64,
      perpMarket: U8,
      /** 0: none, 1: long, 2: short. */
      perpSide: U8,
      perpLeverage: U8,
      perpUsd: F64,
      perpEntry: F64,
    }),
    closedCounts: table(sizes.traders * 5, { count: U32 }),
    chainSlots: table(sizes.traders * OPEN_MAX, { slot: U32 }),
    /** Running totals of each trader at the start of the day. */
    days: table(sizes.traders * DAY_MARKS, {
      gains: F64,
      fees: F64,
      openCost: F64,
      openValue: F64,
      invested: F64,
      volume: F64,
      swaps: U32,
    }),
    networks: table(NETWORK_ROWS, { nextFinal: F64 }),
    tokens: table(TOKENS_MAX, {
      holders: U32,
      openHead: U32,
      /** One more than the number of the last swap on the chain. */
      lastSwap: F64,
      lastThesis: F64,
      chainHeld: F64,
      shift: F64,
      shiftAt: F64,
      /** When its rug was pulled on request; 0 for never. */
      rugAt: F64,
    }),
    /** Launches on request, in addition to the regular ones. */
    extraLaunches: table(EXTRA_LAUNCHES_MAX, { at: F64 }),
    extraRenames: table(EXTRA_RENAMES_MAX, { at: F64, trader: U16 }),
    theses: table(THESIS_CAPACITY, {
      at: F64,
      trader: U16,
      token: U16,
      slot: U32,
      position: F64,
      usd: F64,
      /** The situation when it was written: the quote, the average entry, and the moves so far. */
      price: F64,
      entry: F64,
      buys: U8,
      sells: U8,
      /** The author's earlier theses about the token. */
      earlier: U8,
      backOfTrader: U32,
      backOfToken: U32,
    }),
    perps: table(PERP_CAPACITY, {
      at: F64,
      trader: U16,
      market: U8,
      action: U8,
      isShort: U8,
      leverage: U8,
      usd: F64,
      pnl: F64,
    }),
    appFeed: table(FEED_CAPACITY, { kind: U8, number: F64, at: F64 }),
    pushFeed: table(FEED_CAPACITY, { kind: U8, number: F64, at: F64 }),
    chainFeed: table(FEED_CAPACITY, { kind: U8, number: F64, at: F64 }),
    pending: table(PENDING_CAPACITY, heap),
    exits: table(EXIT_CAPACITY, heap),
  };
}

export type Tables = ReturnType<typeof createTables>;

export interface WorldState {
  counters: Counters;
  random: Random;
  tables: Tables;
}

export function createState(seed: string, origin: number, sizes: Sizes): WorldState {
  const tables = createTables(sizes);
  tables.traders.columns.openHead.data.fill(NONE);
  tables.traders.columns.closedHead.data.fill(NONE);
  tables.tokens.columns.openHead.data.fill(NONE);
  return { counters: newCounters(origin), random: seededRandom(seed, "world"), tables };
}

export function resumeRandom(state: WorldState, saved: readonly [number, number, number, number]): void {
  state.random = randomFrom(saved);
}

/** The number of used rows in each table: the part that a snapshot has to keep. */
export function usedRows(state: WorldState, traders: number, tokens: number): Record<keyof Tables, number> {
  const { counters, tables } = state;
  const ring = (count: number, of: { capacity: number }) => Math.min(count, of.capacity);
  return {
    fills: ring(counters.fills, tables.fills),
    positions: counters.slots,
    traders,
    closedCounts: traders * 5,
    chainSlots: traders * OPEN_MAX,
    days: tables.days.capacity,
    networks: NETWORK_ROWS,
    tokens,
    theses: ring(counters.theses, tables.theses),
    perps: ring(counters.perps, tables.perps),
    appFeed: ring(counters.appItems, tables.appFeed),
    pushFeed: ring(counters.pushItems, tables.pushFeed),
    chainFeed: ring(counters.chainItems, tables.chainFeed),
    pending: counters.pending,
    exits: counters.exits,
    extraLaunches: counters.extraLaunches,
    extraRenames: counters.extraRenames,
  };
}
