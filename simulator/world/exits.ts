// When positions are sold. Each has one planned exit from the moment it is opened, after a time that suits the style; the
// skilled let winners run, the unlucky hold losers, and many hope a loss recovers before they take it.
import { HOUR_MS } from "../../kit/units.ts";
import { blockTime, fillTime } from "./blocks.ts";
import { recordFill } from "./chain.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { follow } from "./crowd.ts";
import { later, SELL_ORDER } from "./feeds.ts";
import { popDue, pushDue } from "./heap.ts";
import { network } from "./networks.ts";
import { soldUsd, spotPrice } from "./pool.ts";
import type { WorldTrader } from "./population.ts";
import { priceAt } from "./prices.ts";
import { awake } from "./rhythm.ts";
import { EXIT_CAPACITY, OPEN, OPEN_MAX, SELL, TRANSFER_OUT } from "./state.ts";
import { type Style, style } from "./styles.ts";

const MICRO = 1_000_000;
const WORTHLESS_USD = 12;
const BURN_CHANCE = 0.5;
/** A position that bought this much is sold whole next time: keeps sums within exact doubles. */
const CHURN_MAX = 2 ** 51;
/** An exit is put off at most this often. */
const PUT_OFF_MAX = 3;
const GREAT_GAIN = 2.5;
const SLEEP_MS = 3 * HOUR_MS;
/** The code for all of it in an order. */
export const WHOLE = 255;

/** Plans the trader's exit: around the median of the style, mostly within a factor of four. */
export function planExit(
  context: WorldContext,
  trader: WorldTrader,
  slot: number,
  at: number,
  roll: number,
): void {
  const spread = (roll - 0.5) * 4.4;
  pushExit(context, slot, at + style(trader.style).holdMs * Math.exp(spread * Math.abs(spread) * 0.5), 0);
}

function pushExit(context: WorldContext, slot: number, at: number, putOff: number): void {
  const { counters, tables } = context.state;
  if (counters.exits === EXIT_CAPACITY) return;
  const number = tables.positions.columns.number.get(slot);
  const due = { at, kind: 0, code: putOff, number, slot };
  pushDue(tables.exits.columns, counters.exits++, counters.pendingOrder++, due);
}

/** Executes the first exit that is due. False when none is. */
export function takeExit(context: WorldContext, at: number): boolean {
  const { counters, tables } = context.state;
  while (counters.exits > 0 && tables.exits.columns.at.get(0) <= at) {
    const due = popDue(tables.exits.columns, counters.exits--);
    if (!isHeld(context, due.number, due.slot)) continue;
    const trader = context.population.get(tables.positions.columns.trader.get(due.slot));
    if (decide(context, trader, due.slot, due.code, at)) return true;
  }
  return false;
}

/** Whether the position still holds something, according to the chain. */
export function isHeld({ state }: WorldContext, number: number, slot: number): boolean {
  const positions = state.tables.positions.columns;
  return positions.number.get(slot) === number && positions.chainAmount.get(slot) > 0;
}

function decide(
  context: WorldContext,
  trader: WorldTrader,
  slot: number,
  putOff: number,
  at: number,
): boolean {
  const { random, tables } = context.state;
  const positions = tables.positions.columns;
  const habits = style(trader.style);
  const token = context.tokens.get(positions.token.get(slot));
  const wait = (ms: number) => {
    pushExit(context, slot, at + ms, putOff + 1);
    return false;
  };
  if (putOff < PUT_OFF_MAX) {
    if (habits.name !== "bot" && random.next() > awake(trader.zone, at) + 0.35)
      return wait(SLEEP_MS * (0.4 + random.next()));
    const price = spotPrice(context, token, at);
    const value = positions.chainAmount.get(slot) * price;
    const cost = positions.status.get(slot) === OPEN ? positions.openCost.get(slot) : value;
    // Few sit through a large gain: most of it is sold, whatever comes next.
    if (value > cost * GREAT_GAIN) return sellPart(context, trader, slot, habits, putOff, at);
    if (random.next() < Math.abs(trader.skill)) {
      const rises = priceAt(token.price, at + habits.horizonMs) / price;
      if (trader.skill > 0 ? rises > 1.12 : rises < 0.9) return wait(habits.holdMs * (0.3 + random.next()));
    }
    if (value < cost * 0.6 && random.next() < 0.4 - 0.5 * trader.skill)
      return wait(habits.holdMs * (1 + 2 * random.next()));
  }
  return sellPart(context, trader, slot, habits, putOff, at);
}

function sellPart(
  context: WorldContext,
  trader: WorldTrader,
  slot: number,
  habits: Style,
  putOff: number,
  at: number,
): boolean {
  const { random, tables } = context.state;
  const positions = tables.positions.columns;
  const token = context.tokens.get(positions.token.get(slot));
  const whole = putOff >= PUT_OFF_MAX || random.next() < habits.closing;
  const part = whole ? WHOLE : Math.floor(WHOLE * (0.2 + 0.55 * random.next()));
  if (!whole) pushExit(context, slot, at + habits.holdMs * (0.2 + random.next()), putOff);
  const due = fillTime(network(token.network), at);
  if (due > at) {
    later(context, due, SELL_ORDER, part, positions.number.get(slot), slot);
    return true;
  }
  return sell(context, trader, slot, part, due, false);
}

/**
 * Sells a part (in 255ths) at the time of a block, or of a later one. A honeypot cannot be sold: some people understand, and
 * burn it.
 */
export function sell(
  context: WorldContext,
  trader: WorldTrader,
  slot: number,
  part: number,
  at: number,
  isCopy: boolean,
): boolean {
  const { random, tables } = context.state;
  const positions = tables.positions.columns;
  const token = context.tokens.get(positions.token.get(slot));
  const settledAt = positions.settledAt.get(slot);
  if (settledAt > at) {
    // A re-org moved the position to a later block: the sale waits for it.
    later(context, settledAt, SELL_ORDER, part, positions.number.get(slot), slot);
    return true;
  }
  const all = positions.chainAmount.get(slot);
  const price = spotPrice(context, token, at);
  const common = { at, trader: trader.index, token: token.index, slot, price };
  if (token.honeypot) {
    if (random.next() >= BURN_CHANCE) return false;
    recordFill(context, { ...common, kind: TRANSFER_OUT, amount: all, usd: Math.floor(all * price) });
    return true;
  }
  const isLittle = !trader.copies && all * price < WORTHLESS_USD * MICRO;
  const rest = isLittle || positions.bought.get(slot) > CHURN_MAX;
  const amount = part === WHOLE || rest ? all : Math.max(1, Math.floor((all * part) / WHOLE));
  const usd = soldUsd(token, price, amount);
  recordFill(context, { ...common, kind: SELL, amount, usd });
  if (!isCopy) follow(context, trader, token, SELL, at);
  return true;
}

/** Makes room: looks at two positions and sells the one that style and skill would let go first. */
export function sellSomething(
  context: WorldContext,
  trader: WorldTrader,
  habits: Style,
  at: number,
): boolean {
  const { random, tables } = context.state;
  const held = tables.traders.columns.chainOpen.get(trader.index);
  if (held === 0) return false;
  const slotAt = (place: number) => tables.chainSlots.columns.slot.get(trader.index * OPEN_MAX + place);
  const tokenOf = (slot: number) => context.tokens.get(tables.positions.columns.token.get(slot));
  const outlook = (slot: number) => {
    const { price } = tokenOf(slot);
    return priceAt(price, at + habits.horizonMs) / priceAt(price, at);
  };
  let slot = slotAt(random.below(held));
  if (held > 1 && random.next() < Math.abs(trader.skill)) {
    const other = slotAt(random.below(held));
    if (outlook(other) < outlook(slot) === trader.skill > 0) slot = other;
  }
  if (slot === NONE) return false;
  const part = random.next() < habits.closing ? WHOLE : Math.floor(WHOLE * (0.2 + 0.55 * random.next()));
  const on = network(tokenOf(slot).network);
  const due = fillTime(on, at);
  if (due > at) {
    later(context, due, SELL_ORDER, part, tables.positions.columns.number.get(slot), slot);
    return true;
  }
  return sell(context, trader, slot, part, blockTime(on, at), false);
}
