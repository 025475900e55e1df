// A trader's turn: buy more of something they hold, or something new, or make room first. Size comes from purse, style and
// pool; the skilled choose by the future price, the unlucky by its opposite.
import type { Attention } from "./attention.ts";
import { fillTime } from "./blocks.ts";
import { recordFill } from "./chain.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { COPY_APP_RATE, type CopyTerms } from "./copy-terms.ts";
import { follow } from "./crowd.ts";
import { planExit, sellSomething } from "./exits.ts";
import { BUY_ORDER, later } from "./feeds.ts";
import { gasUsd } from "./fees.ts";
import { setGoal } from "./goals.ts";
import { canTrade, NETWORKS, network } from "./networks.ts";
import { boughtAmount, depthUsd, spotPrice } from "./pool.ts";
import { isLed, type WorldTrader } from "./population.ts";
import { priceAt } from "./prices.ts";
import { awake } from "./rhythm.ts";
import { heldSlot, takeSlot } from "./slots.ts";
import { BUY, OPEN_MAX } from "./state.ts";
import { type Style, style } from "./styles.ts";
import type { WorldToken } from "./tokens.ts";

const MICRO = 1_000_000;
const BUY_MIN_USD = 6;
const GAS_MULTIPLE_MIN = 10;
/** At most this share of the purse goes into one buy. */
const STAKE_MAX = 0.4;
/** Traders shrink an order that would be a large part of the pool; none is larger than this share of it. */
const POOL_SHARE = 0.2;
/** For a launch's pool it is less: a loss there is likely, and the way out as narrow as the way in. */
const LAUNCH_SHARE = 0.07;
const PRO_LAUNCH_SHARE = 0.055;
/** Order sizes of pros relative to their usual ones: without a view, with a strong one, and token-sized to stay in touch. */
const UNSURE = 0.25;
const BOLD = 1.6;
const TOKEN_STAKE = 0.1;
const GREAT_RISE = 1.2;
/** Fees and slippage both ways eat up any smaller rise. */
const WORTHWHILE_RISE = 1.04;
/** All traders together hold at most this share of the supply; copiers buy whatever their leader buys. */
const HELD_SHARE_MAX = 0.7;
const BAIT_SHARE = 0.04;
const ADD_CHANCE = 0.3;
/** How many tokens the skilled (and the unlucky) compare. */
const LOOKS = 4;
const SNIPE_CHANCE = 0.5;
/** How many launches back a sniper looks. */
const SNIPE_REACH = 30;
/** How many draws to find somebody who is awake. */
const PICK_TRIES = 6;
/** Bots sleep little. */
const BOT_AWAKE = 0.62;

/** A trader who is awake; undefined while hardly anybody has joined. */
export function pickTrader(context: WorldContext, at: number): WorldTrader | undefined {
  const { random } = context.state;
  const { deck } = context.population;
  let found: WorldTrader | undefined;
  for (let tries = 0; tries < PICK_TRIES; tries++) {
    const trader = context.population.get(deck[random.below(deck.length)] as number);
    if (trader.createdAt > at) continue;
    found = trader;
    const likely = style(trader.style).name === "bot" ? BOT_AWAKE : awake(trader.zone, at);
    if (random.next() < likely) break;
  }
  return found;
}

export function takeTurn(context: WorldContext, attention: Attention, at: number): void {
  const { random, tables } = context.state;
  const trader = pickTrader(context, at);
  if (!trader) return;
  const habits = style(trader.style);
  const held = tables.traders.columns.chainOpen.get(trader.index);
  const crowded = held >= OPEN_MAX || (held > habits.target && random.next() < held / (4 * habits.target));
  if (crowded && sellSomething(context, trader, habits, at)) return;
  const token = chooseToken(context, attention, trader, habits, held, at);
  const due = fillTime(network(token.network), at);
  if (due > at) later(context, due, BUY_ORDER, 0, trader.index, token.index);
  else if (!buy(context, trader, token, due, false)) sellSomething(context, trader, habits, at);
}

/**
 * Buys at the time of a block. False when it can't: the whole supply on offer is held, the trader holds too many positions, or
 * a re-org moved the position ahead.
 */
export function buy(
  context: WorldContext,
  trader: WorldTrader,
  token: WorldToken,
  at: number,
  isCopy: boolean,
  part: number | null = null,
): boolean {
  const { random, tables } = context.state;
  const held = tables.traders.columns.chainOpen.get(trader.index);
  let slot = heldSlot(context, trader.index, token.index);
  const isNew = slot === NONE;
  if (isNew ? held >= OPEN_MAX : tables.positions.columns.settledAt.get(slot) > at) return false;
  const price = spotPrice(context, token, at);
  const usd = trader.copies
    ? copiedUsd(trader.copies)
    : trader.baits
      ? baitUsd(token, price)
      : sizeOf(context, trader, token, price, part, at);
  const amount = boughtAmount(token, price, usd);
  const heldMax = token.supply * MICRO * (isLed(trader) ? 1 : HELD_SHARE_MAX);
  const room = heldMax - tables.tokens.columns.chainHeld.get(token.index);
  if (amount > room || amount < 1) return false;
  if (isNew) {
    slot = takeSlot(context, trader.index, token.index, false);
    if (slot === NONE) return false;
    // Copiers exit when their leader does, baiters when they planned to.
    if (!isLed(trader)) planExit(context, trader, slot, at, random.next());
  }
  recordFill(context, { at, trader: trader.index, token: token.index, kind: BUY, slot, amount, usd, price });
  if (isNew && !isLed(trader)) setGoal(context, slot, at);
  if (!isCopy) follow(context, trader, token, BUY, at);
  return true;
}

/** The amount that reaches the pool after the copying app's share, in millionths. */
const copiedUsd = ({ usd }: CopyTerms): number => Math.floor(usd * (1 - COPY_APP_RATE) * MICRO);

/** A small share of the pool: the copiers are to bring more. */
const baitUsd = (token: WorldToken, price: number): number =>
  Math.floor(BAIT_SHARE * depthUsd(token, price) * MICRO);

/**
 * In millionths of a dollar. The purse grows and shrinks with profit and loss; the order is `part` of it, or what suits the
 * style.
 */
function sizeOf(
  context: WorldContext,
  trader: WorldTrader,
  token: WorldToken,
  price: number,
  part: number | null,
  at: number,
): number {
  const { random, tables } = context.state;
  const made = tables.traders.columns.realized.get(trader.index) / MICRO;
  const purse = Math.max(trader.purse * 0.25, Math.min(trader.purse + made, trader.purse * 12));
  const stake = part ?? Math.min(STAKE_MAX, style(trader.style).stake * Math.exp(0.8 * random.normal()));
  const wish =
    purse * stake * (part === null && trader.pro ? conviction(context, trader, token, price, at) : 1);
  const share =
    token.established || part !== null ? POOL_SHARE : trader.pro ? PRO_LAUNCH_SHARE : LAUNCH_SHARE;
  const fitting = wish / (1 + wish / (share * depthUsd(token, price)));
  // Where the network is expensive, small orders are not worth its fee.
  const min = BUY_MIN_USD + GAS_MULTIPLE_MIN * gasUsd(context, trader, token.network, at);
  return Math.floor(typed(fitting + min * Math.exp(-fitting / min), random.next()) * MICRO);
}

/** How pros size an order: more for tokens they know, little when they see no upside. */
function conviction(
  context: WorldContext,
  trader: WorldTrader,
  token: WorldToken,
  price: number,
  at: number,
): number {
  const { horizonMs, trust } = style(trader.style);
  const known = token.established ? trust : 1;
  if (context.state.random.next() >= trader.skill) return known * UNSURE;
  const seen = token.honeypot ? 0 : priceAt(token.price, at + horizonMs) / price;
  return known * (seen > GREAT_RISE ? BOLD : seen > WORTHWHILE_RISE ? 1 : TOKEN_STAKE);
}

/** People type round numbers half the time; the others sell a round amount of something else, or click a percentage. */
function typed(dollars: number, roll: number): number {
  if (roll > 0.5) return dollars;
  const step = dollars > 2_000 ? 250 : dollars > 400 ? 50 : dollars > 100 ? 25 : dollars > 30 ? 5 : 1;
  return Math.max(BUY_MIN_USD, Math.round(dollars / step) * step);
}

function chooseToken(
  context: WorldContext,
  attention: Attention,
  trader: WorldTrader,
  habits: Style,
  held: number,
  at: number,
): WorldToken {
  const { random, tables } = context.state;
  if (held >= OPEN_MAX || (held > 0 && random.next() < ADD_CHANCE)) {
    const slot = tables.chainSlots.columns.slot.get(trader.index * OPEN_MAX + random.below(held));
    return context.tokens.get(tables.positions.columns.token.get(slot));
  }
  const first = lookAround(context, attention, trader, habits, at);
  if (habits.name === "whale" && random.next() < 0.5)
    return deeper(first, lookAround(context, attention, trader, habits, at), at);
  if (random.next() >= Math.abs(trader.skill)) return first;
  let best = first;
  let bestOutlook = outlook(first, habits, at);
  for (let look = 1; look < LOOKS; look++) {
    const other = lookAround(context, attention, trader, habits, at);
    const otherOutlook = outlook(other, habits, at);
    if (otherOutlook > bestOutlook !== trader.skill > 0) continue;
    best = other;
    bestOutlook = otherOutlook;
  }
  return best;
}

function deeper(a: WorldToken, b: WorldToken, at: number): WorldToken {
  return priceAt(a.price, at) * a.supply > priceAt(b.price, at) * b.supply ? a : b;
}

/** The future price relative to the current one, as far as this style looks ahead; zero for tokens that cannot be sold. */
function outlook(token: WorldToken, habits: Style, at: number): number {
  if (token.honeypot) return 0;
  return priceAt(token.price, at + habits.horizonMs) / priceAt(token.price, at);
}

function lookAround(
  context: WorldContext,
  attention: Attention,
  trader: WorldTrader,
  habits: Style,
  at: number,
): WorldToken {
  const { random } = context.state;
  const tokens = context.tokens.list;
  if (habits.name === "sniper" && at >= context.genesis && random.next() < SNIPE_CHANCE) {
    const back = Math.floor(random.next() ** 2 * SNIPE_REACH);
    const token = tokens[tokens.length - 1 - back] as WorldToken;
    if (canTrade(trader, token.network)) return token;
  }
  const networkIndex = random.next() < 0.55 ? trader.home : anyNetwork(random.next(), trader);
  return context.tokens.get(attention.pick(networkIndex, random.next()));
}

function anyNetwork(roll: number, trader: WorldTrader): number {
  for (let index = 0; index < NETWORKS.length; index++) {
    roll -= network(index).share;
    if (roll < 0) return canTrade(trader, index) ? index : trader.home;
  }
  return trader.home;
}
