// Everybody in some order, at a moment whose books can't change any more, so that its pages are consistent however long a walk
// takes. Made in slices, as a leaderboard is; the last few orders are cached for the next page.
import { roiOf } from "../../accounting/figures.ts";
import { knownFirst } from "../../kit/known-first.ts";
import { createLru, type Lru } from "../../kit/lru.ts";
import type { Sliced } from "../../kit/slices.ts";
import type {
  NetworkId,
  PnlWindow,
  RankingQuery,
  WireRankedTrader,
  WireRanking,
} from "../../protocol/protocol.ts";
import { settledAt } from "../world/blocks.ts";
import type { WorldTrader } from "../world/population.ts";
import { BUY, SELL } from "../world/state.ts";
import { traderWindow, tradingFigures } from "./books.ts";
import { fillKept } from "./fills.ts";
import { byProfit, everybodysProfits, figuresRow, profitOf, rowOf } from "./leaderboard.ts";
import { profitMoment, type TraderProfit, windowBegin } from "./pnl.ts";
import { closedSlots } from "./positions.ts";
import type { View } from "./view.ts";

const TRADERS_A_SLICE = 200;
const ROWS_A_SLICE = 5;
/** A few milliseconds: each trader's positions of a window on one network. */
const BOOKS_A_SLICE = 10;
/** A walk uses one of them; a few walks run at once. Each takes a few hundred bytes per trader. */
const ORDERS_KEPT = 4;

interface TraderOrder {
  traders: WorldTrader[];
  profits: TraderProfit[];
  rankOf: Map<WorldTrader, number>;
}

const ORDERS = new WeakMap<View, Lru<string, TraderOrder>>();

/** The world must stand still until it is done. */
export function* ranking(view: View, window: PnlWindow, query: RankingQuery): Sliced<WireRanking> {
  const moment = profitMoment(view, query.at);
  const within = { from: windowBegin(window, moment), asOf: moment, ...networkIn(query) };
  const { traders, profits, rankOf } = yield* orderOf(view, window, query, moment);
  const rows: WireRankedTrader[] = [];
  for (const trader of traders.slice(query.from, query.from + query.limit)) {
    if (rows.length % ROWS_A_SLICE === 0) yield;
    const row = rowOf(view, trader, rankOf.get(trader) ?? null, profitOf(profits, trader));
    const lastFillAt = lastFillBefore(view, trader, moment);
    // A directory shows hundreds of people, and each one's figures need a pass over all their positions.
    const figures = query.who === "all" ? {} : { figures: figuresRow(view, trader.index, within) };
    rows.push({ ...row, ...figures, lastFillAt, createdAt: trader.createdAt });
  }
  return { asOf: moment, total: traders.length, rows, ...networkIn(query) };
}

const networkIn = ({ networkId }: RankingQuery) => (networkId === undefined ? {} : { networkId });

/** Everybody's profit on one network, by the index of a trader. Their positions there are scanned one by one. */
function* profitsOn(
  view: View,
  window: PnlWindow,
  moment: number,
  networkId: NetworkId,
): Sliced<TraderProfit[]> {
  const within = { from: windowBegin(window, moment), asOf: moment, networkId };
  const profits: TraderProfit[] = [];
  for (const { index } of view.context.population.traders) {
    const { total, positions } = traderWindow(view, index, within);
    profits.push({ ...total, active: positions.length > 0 });
    if (profits.length % BOOKS_A_SLICE === 0) yield;
  }
  return profits;
}

function* orderOf(view: View, window: PnlWindow, query: RankingQuery, moment: number): Sliced<TraderOrder> {
  const kept = ORDERS.get(view) ?? createLru<string, TraderOrder>(ORDERS_KEPT);
  ORDERS.set(view, kept);
  const { sort, order, who, networkId } = query;
  const key = [window, sort, order, who, networkId ?? "", moment].join(" ");
  const known = kept.get(key);
  if (known) return known;
  const profits =
    networkId === undefined
      ? yield* everybodysProfits(view, window, moment)
      : yield* profitsOn(view, window, moment, networkId);
  const ranked = byProfit(view, profits);
  const rankOf = new Map(ranked.map((trader, index) => [trader, index + 1]));
  // Traders who joined later are in no order of this moment.
  const there = view.context.population.traders.filter(({ createdAt }) => createdAt < moment);
  const isRanked = (trader: WorldTrader) => rankOf.has(trader);
  const others = who === "all" ? there.filter((trader) => !isRanked(trader)) : [];
  const values = new Map<WorldTrader, number | string | null>();
  for (const trader of [...ranked, ...others]) {
    values.set(trader, sortValue(view, trader, { query, window, moment, profit: profitOf(profits, trader) }));
    if (values.size % (networkId === undefined ? TRADERS_A_SLICE : BOOKS_A_SLICE) === 0) yield;
  }
  const made = { traders: [...values.keys()], profits, rankOf };
  // A stable sort, so ties stay in the order of their profits.
  made.traders.sort((a, b) => knownFirst(values.get(a) ?? null, values.get(b) ?? null, order));
  kept.set(key, made);
  return made;
}

interface SortContext {
  query: RankingQuery;
  window: PnlWindow;
  moment: number;
  profit: TraderProfit;
}

function sortValue(
  view: View,
  trader: WorldTrader,
  { query, window, moment, profit }: SortContext,
): number | string | null {
  const from = windowBegin(window, moment);
  switch (query.sort) {
    case "pnl":
      return profit.net;
    case "roi":
      return roiOf(profit);
    case "winRate":
      return query.networkId === undefined
        ? winRateOf(view, trader, from, moment)
        : tradingFigures(traderWindow(view, trader.index, { from, asOf: moment, ...networkIn(query) }))
            .winRate;
    case "volume":
      return profit.volume;
    case "trades":
      return profit.fills;
    case "followers":
      return view.context.population.graph.followers(trader.index).length;
    case "lastFill":
      return lastFillBefore(view, trader, moment);
    case "handle":
      return trader.handle.toLowerCase();
  }
}

/** Computed like the books' own figures, without the moves of each position. */
function winRateOf(view: View, { index }: WorldTrader, from: number, moment: number): number | null {
  const { closedAt, lastFill, realized } = view.tables.positions.columns;
  let closed = 0;
  let won = 0;
  for (const slot of closedSlots(view, index)) {
    if (closedAt.get(slot) < from) continue;
    const number = lastFill.get(slot) - 1;
    const endedAt = fillKept(view, number) ? settledAt(view.context, number) : closedAt.get(slot);
    if (endedAt < from || endedAt >= moment) continue;
    closed += 1;
    if (realized.get(slot) > 0) won += 1;
  }
  return closed === 0 ? null : won / closed;
}

function lastFillBefore(view: View, { index }: WorldTrader, moment: number): number | null {
  const { kind, backOfTrader } = view.tables.fills.columns;
  let number = view.tables.traders.columns.lastFill.get(index) - 1;
  for (let back = 1; back > 0 && fillKept(view, number); number -= back) {
    const row = number % view.tables.fills.capacity;
    const at = settledAt(view.context, number);
    const isSwap = kind.get(row) === BUY || kind.get(row) === SELL;
    if (isSwap && at < moment) return at;
    back = backOfTrader.get(row);
  }
  return null;
}
