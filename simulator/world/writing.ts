// Decides who writes a thesis and which phones buzz. Both follow from fills that the app has just shown; the texts follow from
// the record's number when somebody reads them.
import type { WorldContext } from "./context.ts";
import { APP_THESIS, appendApp, appendPush, later, THESIS } from "./feeds.ts";
import { mix, unit } from "./hash.ts";
import type { Due } from "./heap.ts";
import { network } from "./networks.ts";
import { spotPrice } from "./pool.ts";
import { BUY, OPEN, SELL } from "./state.ts";
import { style } from "./styles.ts";

export const PUSH_LARGE_BUY = 0;
export const PUSH_LARGE_SELL = 1;
export const PUSH_FOLLOWED_TRADE = 2;
export const PUSH_SINCE_LISTED = 3;
export const PUSH_THESIS = 4;
export const PUSH_GRADUATED = 5;
/** No type: a message from the platform to everybody. */
const PUSH_PLAIN = 6;

const LARGE_USD = 4_000_000_000;
const LEAST_THESIS_USD = 25_000_000;
const POPULAR_FOLLOWERS = 120;
/** Writing takes seconds to minutes, and at high rates no longer than this many events. */
const WRITING_MS = 420_000;
const WRITING_EVENTS = 20_000;
/** An author remembers this many of their own theses. */
const EARLIER_LOOKS = 12;

export function afterFill(context: WorldContext, number: number, at: number): void {
  const { fills: table } = context.state.tables;
  const fills = table.columns;
  const row = number % table.capacity;
  const kind = fills.kind.get(row);
  if (kind !== BUY && kind !== SELL) return;
  const trader = context.population.get(fills.trader.get(row));
  const usd = fills.usd.get(row);
  const roll = mix(context.key ^ 0x7e57, number);
  if (kind === BUY) maybeWrite(context, row, usd, roll, trader.style, trader.index, at);
  if (usd >= LARGE_USD && unit(roll, 2) < 0.5) {
    appendPush(context, kind === BUY ? PUSH_LARGE_BUY : PUSH_LARGE_SELL, number, at);
  } else if (
    unit(roll, 3) < 0.05 &&
    context.population.graph.followers(trader.index).length > POPULAR_FOLLOWERS
  ) {
    appendPush(context, PUSH_FOLLOWED_TRADE, number, at);
  } else if (unit(roll, 4) < 0.008) {
    const token = context.tokens.get(fills.token.get(row));
    if (!token.established && spotPrice(context, token, at) > 2 * Math.exp(token.price.launchLogPrice)) {
      appendPush(context, PUSH_SINCE_LISTED, number, at);
    } else appendPush(context, PUSH_PLAIN, number, at);
  }
}

function maybeWrite(
  context: WorldContext,
  row: number,
  usd: number,
  roll: number,
  styleIndex: number,
  trader: number,
  at: number,
): void {
  const { fills, positions } = context.state.tables;
  const slot = fills.columns.slot.get(row);
  if (usd < LEAST_THESIS_USD || positions.columns.thesis.get(slot) !== 0) return;
  const token = context.tokens.get(fills.columns.token.get(row));
  // Some write about everything, most about nothing.
  const habit = style(styleIndex).thesisHabit * 5 * unit(context.key, trader, 41) ** 2;
  if (unit(roll, 5) >= network(token.network).thesisChance * habit) return;
  const longest = Math.min(WRITING_MS, (WRITING_EVENTS / Math.max(0.01, context.schedule.rateAt(at))) * 1000);
  later(context, at + 4_000 + unit(roll, 6) ** 2 * longest, THESIS, 0, fills.columns.position.get(row), slot);
}

/** Posts the thesis, if its position still exists and has none. */
export function postThesis(context: WorldContext, due: Due): void {
  const { counters, tables } = context.state;
  const positions = tables.positions.columns;
  const { slot } = due;
  if (positions.number.get(slot) !== due.number || positions.status.get(slot) !== OPEN) return;
  if (positions.thesis.get(slot) !== 0) return;
  const number = counters.theses++;
  const theses = tables.theses.columns;
  const row = number % tables.theses.capacity;
  const trader = positions.trader.get(slot);
  const token = positions.token.get(slot);
  const at = Math.floor(due.at);
  theses.at.set(row, at);
  theses.trader.set(row, trader);
  theses.token.set(row, token);
  theses.slot.set(row, slot);
  theses.position.set(row, due.number);
  theses.usd.set(row, positions.cost.get(slot));
  const bought = positions.bought.get(slot);
  theses.price.set(row, spotPrice(context, context.tokens.get(token), at));
  theses.entry.set(row, bought === 0 ? 0 : positions.cost.get(slot) / bought);
  theses.buys.set(row, positions.buys.get(slot));
  theses.sells.set(row, positions.sells.get(slot));
  theses.earlier.set(row, earlierOf(context, trader, token));
  const { lastThesis: ofTrader } = tables.traders.columns;
  const { lastThesis: ofToken } = tables.tokens.columns;
  theses.backOfTrader.set(row, ofTrader.get(trader) === 0 ? 0 : number + 1 - ofTrader.get(trader));
  theses.backOfToken.set(row, ofToken.get(token) === 0 ? 0 : number + 1 - ofToken.get(token));
  ofTrader.set(trader, number + 1);
  ofToken.set(token, number + 1);
  positions.thesis.set(slot, number + 1);
  appendApp(context, APP_THESIS, number, at);
  if (unit(context.key, number, 42) < 0.08) appendPush(context, PUSH_THESIS, number, at);
}

/** How many of the author's last theses were about the token. */
function earlierOf({ state }: WorldContext, trader: number, token: number): number {
  const { theses, traders } = state.tables;
  const oldest = Math.max(0, state.counters.theses - theses.capacity);
  let found = 0;
  let number = traders.columns.lastThesis.get(trader) - 1;
  for (let look = 0; look < EARLIER_LOOKS && number >= oldest; look++) {
    const row = number % theses.capacity;
    if (theses.columns.token.get(row) === token) found++;
    const back = theses.columns.backOfTrader.get(row);
    if (back === 0) break;
    number -= back;
  }
  return found;
}
