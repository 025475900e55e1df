// What a trader does when their turn comes: sell something they hold, or buy more of it, or buy something new.
// Styles set the mix; the skilled choose by what the price will be, the unlucky by the opposite.
import type { Attention } from "./attention.ts";
import { recordFill } from "./chain.ts";
import { NONE } from "./columns.ts";
import type { Context } from "./context.ts";
import { NETWORKS, network } from "./networks.ts";
import type { Trader } from "./population.ts";
import { priceAt } from "./prices.ts";
import { heldSlot, takeSlot } from "./slots.ts";
import { BUY, OPEN_LIMIT, SELL, TRANSFER_OUT } from "./state.ts";
import { type Style, style } from "./styles.ts";
import type { Token } from "./tokens.ts";

const MICRO = 1_000_000;
const SMALLEST_USD = 8;
/** A buy is at most this part of the market cap; nobody could fill more. */
const LARGEST_SHARE = 0.012;
/** And all traders together hold at most this part of the supply. */
const MOST_HELD = 0.7;
const ADD_CHANCE = 0.34;
const SNIPE_CHANCE = 0.45;
const BURN_CHANCE = 0.5;
/** How many launches back a sniper looks. */
const SNIPE_REACH = 40;
/** A position that bought this much is sold whole next time: keeps sums within exact doubles. */
const CHURN_LIMIT = 2 ** 51;

export function takeTurn(context: Context, attention: Attention, at: number): void {
  const { random, tables } = context.state;
  const { deck } = context.population;
  const trader = context.population.get(deck[random.below(deck.length)] as number);
  const habits = style(trader.style);
  const held = tables.traders.columns.chainOpen.get(trader.index);
  const sells = held >= OPEN_LIMIT || random.next() < held / (2 * habits.target);
  if (sells && sell(context, trader, habits, at)) return;
  buy(context, attention, trader, habits, at);
}

function sell(context: Context, trader: Trader, habits: Style, at: number): boolean {
  const { random, tables } = context.state;
  const slot = chooseHeld(context, trader, habits, at);
  if (slot === NONE) return false;
  const positions = tables.positions.columns;
  const token = context.tokens.get(positions.token.get(slot));
  const amount = positions.chainAmount.get(slot);
  const price = priceAt(token.price, at);
  if (token.honeypot) {
    // It cannot be sold. Whoever has understood that sends it to a burn address and is rid of it.
    if (random.next() >= BURN_CHANCE) return false;
    const value = Math.floor(amount * price);
    recordFill(context, {
      at,
      trader: trader.index,
      token: token.index,
      kind: TRANSFER_OUT,
      slot,
      amount,
      usd: value,
    });
    return true;
  }
  const worthless = amount * price < 40 * MICRO;
  const churned = positions.bought.get(slot) > CHURN_LIMIT;
  const whole = worthless || churned || random.next() < habits.closing;
  let sold = whole ? amount : Math.floor(amount * (0.2 + 0.55 * random.next()));
  if (sold <= 0) sold = amount;
  const usd = Math.floor(sold * price * (1 - impact(sold * price, token, price)));
  recordFill(context, { at, trader: trader.index, token: token.index, kind: SELL, slot, amount: sold, usd });
  return true;
}

/** One of the trader's positions; of two, the one that style and skill would let go first. */
function chooseHeld(context: Context, trader: Trader, habits: Style, at: number): number {
  const { random, tables } = context.state;
  const held = tables.traders.columns.chainOpen.get(trader.index);
  if (held === 0) return NONE;
  const slotAt = (place: number) => tables.chainSlots.columns.slot.get(trader.index * OPEN_LIMIT + place);
  const tokenOf = (slot: number) => context.tokens.get(tables.positions.columns.token.get(slot));
  let slot = slotAt(random.below(held));
  if (held > 1 && random.next() < Math.abs(habits.skill)) {
    const other = slotAt(random.below(held));
    const better = outlook(tokenOf(other), habits, at) < outlook(tokenOf(slot), habits, at);
    if (better === habits.skill > 0) slot = other;
  }
  return slot;
}

function outlook(token: Token, habits: Style, at: number): number {
  return priceAt(token.price, at + habits.horizonMs) / priceAt(token.price, at);
}

function buy(context: Context, attention: Attention, trader: Trader, habits: Style, at: number): void {
  const { random, tables } = context.state;
  const held = tables.traders.columns.chainOpen.get(trader.index);
  const token = chooseToken(context, attention, trader, habits, held, at);
  const price = priceAt(token.price, at);
  const room = token.supply * MICRO * MOST_HELD - tables.tokens.columns.chainHeld.get(token.index);
  const wish = habits.medianUsd * trader.size * Math.exp(0.85 * random.normal());
  const dollars = Math.max(SMALLEST_USD, Math.min(wish, price * token.supply * LARGEST_SHARE));
  const usd = Math.floor(roundish(dollars, random.next()) * MICRO);
  const amount = Math.floor(usd / (price * (1 + impact(usd, token, price))));
  if (amount > room || amount < 1) {
    // Everything on offer is held: whoever has something sells some of it instead.
    sell(context, trader, habits, at);
    return;
  }
  let slot = heldSlot(context, trader.index, token.index);
  if (slot === NONE) {
    if (held >= OPEN_LIMIT) return;
    slot = takeSlot(context, trader.index, token.index, false);
    if (slot === NONE) return;
  }
  recordFill(context, { at, trader: trader.index, token: token.index, kind: BUY, slot, amount, usd });
}

/** People type round numbers half the time. */
function roundish(dollars: number, roll: number): number {
  if (roll > 0.5) return dollars;
  const step = dollars > 2_000 ? 250 : dollars > 200 ? 50 : dollars > 50 ? 10 : 5;
  return Math.max(5, Math.round(dollars / step) * step);
}

function chooseToken(
  context: Context,
  attention: Attention,
  trader: Trader,
  habits: Style,
  held: number,
  at: number,
): Token {
  const { random, tables } = context.state;
  if (held >= OPEN_LIMIT || (held > 0 && random.next() < ADD_CHANCE)) {
    const slot = tables.chainSlots.columns.slot.get(trader.index * OPEN_LIMIT + random.below(held));
    return context.tokens.get(tables.positions.columns.token.get(slot));
  }
  const first = lookAround(context, attention, trader, habits);
  if (random.next() >= Math.abs(habits.skill)) return first;
  const second = lookAround(context, attention, trader, habits);
  const better = outlook(second, habits, at) > outlook(first, habits, at);
  return better === habits.skill > 0 ? second : first;
}

function lookAround(context: Context, attention: Attention, trader: Trader, habits: Style): Token {
  const { random } = context.state;
  const tokens = context.tokens.list;
  if (habits.name === "sniper" && random.next() < SNIPE_CHANCE) {
    const back = Math.floor(random.next() ** 2 * SNIPE_REACH);
    const token = tokens[tokens.length - 1 - back] as Token;
    if (canTrade(trader, token.network)) return token;
  }
  const networkIndex = random.next() < 0.55 ? trader.home : anyNetwork(random.next(), trader);
  return context.tokens.get(attention.pick(networkIndex, random.next()));
}

function anyNetwork(roll: number, trader: Trader): number {
  for (let index = 0; index < NETWORKS.length; index++) {
    roll -= network(index).share;
    if (roll < 0) return canTrade(trader, index) ? index : trader.home;
  }
  return trader.home;
}

export function canTrade(trader: Trader, networkIndex: number): boolean {
  return (trader.wallets & (network(networkIndex).solana ? 1 : 2)) !== 0;
}

/** What a fill moves the price it gets, with the spread: thin tokens are dear to trade. */
function impact(usdMicro: number, token: Token, price: number): number {
  const depth = token.supply * MICRO * price * 0.12;
  return 0.0015 + Math.min(0.05, usdMicro / depth);
}
