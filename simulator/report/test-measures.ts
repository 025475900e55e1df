// The first things a quant would check, measured over one world: sizes, holding times, wins, hours, followers and profit,
// drawdowns, slippage, returns. The tests hold these to bounds.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { traderProfit, unrealized } from "../views/pnl.ts";
import { newestSwap, priceAfter, swapBefore } from "../views/pool-quotes.ts";
import { View } from "../views/view.ts";
import { feeOf } from "../world/fees.ts";
import { depthUsd, fadedShift } from "../world/pool.ts";
import { priceAt } from "../world/prices.ts";
import { BUY, CLOSED, OPEN, SELL } from "../world/state.ts";
import { type StyleName, style } from "../world/styles.ts";
import type { WorldToken } from "../world/tokens.ts";
import type { World } from "../world/world.ts";

const MICRO = 1e6;
const WEEK_MS = 7 * DAY_MS;
/** Enough for a stable figure. */
const STEPS_MAX = 1_500;
const LAUNCHES_MAX = 60;
/** After that a launch hardly trades. */
const LAUNCH_WATCHED_MS = 3 * DAY_MS;
/** A launch is judged once it is this old. */
const JUDGED_AFTER_MS = 10 * DAY_MS;
/** How many places of a leaderboard people look at. */
const LEADERS = 40;

export interface Measures {
  fills: number;
  fillsPerDay: number[];
  buysUsd: number[];
  /** Share of the supply, per buy. */
  buyShares: number[];
  slippage: { depthShare: number; slip: number }[];
  holdHours: Record<StyleName, number[]>;
  wins: Record<StyleName, { won: number; closed: number }>;
  /** Realized against cost, per closed position: before fees, and after those of all its swaps. */
  returns: number[];
  netReturns: number[];
  /** As a share of the swap's value, with the inputs it depends on. */
  fees: { share: number; usd: number; network: number; trader: number }[];
  byHour: number[];
  byWeekday: number[];
  /** One row per active trader: followers, profit in 30 days, and the share of all their gains from one position. */
  people: { followers: number; pnl30d: number; bestShare: number; swaps: number; closed: number }[];
  lives: { life: string; peak: number; drawdown: number }[];
  /** Buys within a minute after a well-known trader buys the same token, relative to the minute before. */
  copyRatio: number;
  /** Buys in a launch's first hour, by launch. */
  launchRush: number[];
}

export function measure(world: World): Measures {
  const { genesis } = world.context;
  const { counters, tables } = world.context.state;
  const fills = tables.fills.columns;
  const measured: Measures = {
    fills: 0,
    buysUsd: [],
    buyShares: [],
    slippage: [],
    returns: [],
    netReturns: [],
    fees: [],
    people: [],
    lives: [],
    byHour: new Array(24).fill(0),
    byWeekday: new Array(7).fill(0),
    copyRatio: 0,
    launchRush: [],
    fillsPerDay: new Array(Math.floor((world.time - genesis) / DAY_MS)).fill(0),
    holdHours: { sniper: [], swing: [], holder: [], whale: [], bot: [], bad: [] },
    wins: Object.fromEntries(
      ["sniper", "swing", "holder", "whale", "bot", "bad"].map((name) => [name, { won: 0, closed: 0 }]),
    ) as Measures["wins"],
  };
  const oldest = Math.max(0, counters.fills - tables.fills.capacity);
  for (let number = oldest; number < counters.applied; number++) {
    const row = number % tables.fills.capacity;
    const at = fills.at.get(row);
    const kind = fills.kind.get(row);
    if (at < genesis || (kind !== BUY && kind !== SELL)) continue;
    measured.fills++;
    const day = Math.floor((at - genesis) / DAY_MS);
    if (day < measured.fillsPerDay.length) (measured.fillsPerDay[day] as number)++;
    const date = new Date(at);
    (measured.byHour[date.getUTCHours()] as number)++;
    // Four whole weeks, so that every weekday counts equally often.
    if (day < 28) (measured.byWeekday[(date.getUTCDay() + 6) % 7] as number)++;
    const fee = feeOf(world.context, row);
    measured.fees.push({
      share: fee / fills.usd.get(row),
      usd: fills.usd.get(row) / MICRO,
      network: world.context.tokens.networkOf(fills.token.get(row)),
      trader: fills.trader.get(row),
    });
    if (kind !== BUY) continue;
    const token = world.context.tokens.get(fills.token.get(row));
    measured.buysUsd.push(fills.usd.get(row) / MICRO);
    measured.buyShares.push(fills.amount.get(row) / MICRO / token.supply);
    measured.slippage.push(slipOf(world, number, token));
  }
  measurePositions(world, measured);
  measured.people = peopleOf(world);
  measureTokens(world, measured);
  measured.copyRatio = copyRatioOf(world, oldest);
  return measured;
}

/** How much more a buy paid than the price before it, and how large it was relative to its pool. */
function slipOf(world: World, number: number, token: WorldToken): { depthShare: number; slip: number } {
  const { fills: table } = world.context.state.tables;
  const fills = table.columns;
  const row = number % table.capacity;
  const at = fills.at.get(row);
  const back = fills.backOfToken.get(row);
  const before = (number - back) % table.capacity;
  const left = back === 0 ? 0 : fadedShift(fills.shift.get(before), fills.at.get(before), at);
  const price = priceAt(token.price, at) * Math.exp(left);
  const paid = fills.usd.get(row) / fills.amount.get(row);
  return { depthShare: fills.usd.get(row) / MICRO / depthUsd(token, price), slip: paid / price - 1 };
}

function measurePositions(world: World, measured: Measures): void {
  const { counters, tables } = world.context.state;
  const positions = tables.positions.columns;
  for (let slot = 0; slot < counters.slots; slot++) {
    if (positions.status.get(slot) !== CLOSED || positions.bought.get(slot) === 0) continue;
    if (positions.openedAt.get(slot) < world.context.genesis) continue;
    const { name } = style(world.context.population.get(positions.trader.get(slot)).style);
    measured.holdHours[name].push((positions.closedAt.get(slot) - positions.openedAt.get(slot)) / HOUR_MS);
    const wins = measured.wins[name];
    wins.closed++;
    const [net, cost] = [positions.realized.get(slot), positions.cost.get(slot)];
    const gross = net + positions.fees.get(slot);
    if (gross > 0) wins.won++;
    measured.returns.push(gross / cost);
    measured.netReturns.push(net / cost);
  }
}

function peopleOf(world: World): Measures["people"] {
  const people: Measures["people"] = [];
  const view = new View(world);
  const { counters, tables } = world.context.state;
  const positions = tables.positions.columns;
  const gains = new Map<number, { sum: number; best: number; closed: number }>();
  for (let slot = 0; slot < counters.slots; slot++) {
    const status = positions.status.get(slot);
    if (status !== CLOSED && status !== OPEN) continue;
    const of = gains.get(positions.trader.get(slot)) ?? { sum: 0, best: 0, closed: 0 };
    gains.set(positions.trader.get(slot), of);
    const open = status === OPEN ? unrealized(view, slot) : 0;
    const gain = Math.max(0, positions.realized.get(slot) + open);
    of.sum += gain;
    of.best = Math.max(of.best, gain);
    if (status === CLOSED) of.closed++;
  }
  for (const { index } of world.context.population.traders) {
    const { net: pnl, fills: swaps } = traderProfit(view, index, "30d");
    const of = gains.get(index);
    if (swaps === 0 || !of) continue;
    const followers = world.context.population.graph.followers(index).length;
    const bestShare = of.sum > 0 ? of.best / of.sum : 1;
    people.push({ followers, pnl30d: pnl / MICRO, bestShare, swaps, closed: of.closed });
  }
  return people;
}

function measureTokens(world: World, measured: Measures): void {
  const { tables, counters } = world.context.state;
  const fills = tables.fills.columns;
  for (const token of world.context.tokens.list) {
    if (token.established) continue;
    if (world.time - token.launchAt > JUDGED_AFTER_MS) {
      let peak = 0;
      for (let at = token.launchAt; at < token.launchAt + JUDGED_AFTER_MS; at += HOUR_MS / 2)
        peak = Math.max(peak, priceAt(token.price, at));
      const last = priceAt(token.price, token.launchAt + JUDGED_AFTER_MS);
      const start = Math.exp(token.price.launchLogPrice);
      measured.lives.push({ life: token.life ?? "", peak: peak / start, drawdown: 1 - last / peak });
    }
    if (token.launchAt < world.context.genesis || world.time - token.launchAt < HOUR_MS) continue;
    let buys = 0;
    let number = tables.tokens.columns.lastSwap.get(token.index) - 1;
    while (number >= Math.max(0, counters.fills - tables.fills.capacity)) {
      const row = number % tables.fills.capacity;
      if (fills.kind.get(row) === BUY && fills.at.get(row) < token.launchAt + HOUR_MS) buys++;
      const back = fills.backOfToken.get(row);
      if (back === 0) break;
      number -= back;
    }
    measured.launchRush.push(buys);
  }
}

const KNOWN_FOLLOWERS = 150;
const MINUTES = 2;

function copyRatioOf(world: World, oldest: number): number {
  const { counters, tables } = world.context.state;
  const fills = tables.fills.columns;
  const { graph } = world.context.population;
  let before = 0;
  let after = 0;
  for (let number = oldest; number < counters.applied; number++) {
    const row = number % tables.fills.capacity;
    if (fills.kind.get(row) !== BUY || fills.at.get(row) < world.context.genesis) continue;
    if (graph.followers(fills.trader.get(row)).length < KNOWN_FOLLOWERS) continue;
    const count = (step: 1 | -1) => {
      let found = 0;
      for (let other = number + step; other >= oldest && other < counters.applied; other += step) {
        const place = other % tables.fills.capacity;
        if (Math.abs(fills.at.get(place) - fills.at.get(row)) > MINUTES * 60_000) break;
        if (fills.kind.get(place) === BUY && fills.token.get(place) === fills.token.get(row)) found++;
      }
      return found;
    };
    before += count(-1);
    after += count(1);
  }
  return after / Math.max(1, before);
}

/** How well one absolute return predicts the next: the median over the established tokens, and over launches. */
export function volatilityMemory(world: World, stepMs: number): { established: number; launched: number } {
  const memory = { established: [] as number[], launched: [] as number[] };
  for (const token of world.context.tokens.list) {
    const watchedMs = token.established ? STEPS_MAX * stepMs : LAUNCH_WATCHED_MS;
    const from = token.established ? world.time - Math.min(4 * WEEK_MS, watchedMs) : token.launchAt;
    const until = Math.min(from + watchedMs, token.established ? world.time : Number.POSITIVE_INFINITY);
    if (from < world.context.genesis || until > world.time) continue;
    if (!token.established && memory.launched.length >= LAUNCHES_MAX) break;
    const moves = movesOf(world, token, { from, until, stepMs });
    memory[token.established ? "established" : "launched"].push(autocorrelation(moves));
  }
  return {
    established: quantile(memory.established, 0.5),
    launched: quantile(memory.launched, 0.5),
  };
}

/** Absolute returns, step by step. Newest to oldest, which takes one walk over the token's swaps. */
function movesOf(
  { context }: World,
  token: WorldToken,
  { from, until, stepMs }: { from: number; until: number; stepMs: number },
): number[] {
  const steps = Math.floor((until - from) / stepMs);
  let swap = newestSwap(context, token);
  const prices = Array.from({ length: steps + 1 }, (_, back) => {
    const at = from + (steps - back) * stepMs;
    swap = swapBefore(context, token, at, swap);
    return priceAfter(context, token, at, swap);
  });
  return prices.slice(1).map((price, place) => Math.abs(Math.log(price / (prices[place] as number))));
}

/** At lag 1; the same in either direction. */
function autocorrelation(values: readonly number[]): number {
  const mean = meanOf(values);
  let shared = 0;
  let spread = 0;
  for (const [place, value] of values.entries()) {
    spread += (value - mean) ** 2;
    if (place > 0) shared += (value - mean) * ((values[place - 1] as number) - mean);
  }
  return shared / spread;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The top earners of 30 days. */
export function leadersOf(people: Measures["people"]): Measures["people"] {
  return [...people].sort((a, b) => b.pnl30d - a.pnl30d).slice(0, LEADERS);
}

export function quantile(values: readonly number[], part: number): number {
  // A typed array sorts numerically without a comparator.
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Rank correlation. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const order = values.map((value, index) => ({ value, index })).sort((x, y) => x.value - y.value);
    const ranked = new Float64Array(values.length);
    order.forEach(({ index }, rank) => {
      ranked[index] = rank;
    });
    return ranked;
  };
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (x.length - 1) / 2;
  let shared = 0;
  let spread = 0;
  for (let place = 0; place < x.length; place++) {
    shared += ((x[place] as number) - mean) * ((y[place] as number) - mean);
    spread += ((x[place] as number) - mean) ** 2;
  }
  return shared / spread;
}
