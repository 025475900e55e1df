// Tokens that move without a swap: gifts, airdrops, a wallet emptied into another, and the deployers' and insiders' shares at
// a launch. A position may consist of nothing else and was then never bought.
import type { Attention } from "./attention.ts";
import { blockTime, fillTime } from "./blocks.ts";
import { recordFill } from "./chain.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { isHeld, planExit } from "./exits.ts";
import { HAND_OUT, INCOMING, later, OUTGOING } from "./feeds.ts";
import { setGoal } from "./goals.ts";
import { mix, unit } from "./hash.ts";
import type { Due } from "./heap.ts";
import { canTrade, network } from "./networks.ts";
import { spotPrice } from "./pool.ts";
import type { WorldTrader } from "./population.ts";
import { heldSlot, takeSlot } from "./slots.ts";
import { OPEN_MAX, TRANSFER_IN, TRANSFER_OUT } from "./state.ts";
import type { WorldToken } from "./tokens.ts";
import { pickTrader } from "./trading.ts";

const MICRO = 1_000_000;
const IN_CHANCE = 0.6;
/** Of a launch's supply. Small, or holders who were handed a lucky token would crowd traders off the leaderboards. */
const DEV_SHARE = 0.006;
const INSIDER_SHARE = 0.0015;
const INSIDERS_MAX = 4;

/**
 * On networks with slow blocks a transfer waits for the next block, as orders do: in the current one it would change settled
 * books.
 */
export function transferSomething(context: WorldContext, attention: Attention, at: number): void {
  const trader = pickTrader(context, at);
  if (!trader) return;
  if (context.state.random.next() < IN_CHANCE) planIncoming(context, attention, trader, at);
  else planOutgoing(context, trader, at);
}

function planIncoming(context: WorldContext, attention: Attention, trader: WorldTrader, at: number): void {
  const token = context.tokens.get(attention.pick(trader.home, context.state.random.next()));
  const due = fillTime(network(token.network), at);
  if (due > at) later(context, due, INCOMING, 0, trader.index, token.index);
  else receive(context, trader, token, at);
}

export function receiveDue(context: WorldContext, due: Due, at: number): void {
  receive(context, context.population.get(due.number), context.tokens.get(due.slot), at);
}

function receive(context: WorldContext, trader: WorldTrader, token: WorldToken, at: number): void {
  const { random } = context.state;
  const price = spotPrice(context, token, at);
  const dollars = Math.min(15 * Math.exp(1.6 * Math.abs(random.normal())), price * token.supply * 0.004);
  give(context, trader, token, Math.floor((dollars * MICRO) / price), false, at);
}

function planOutgoing(context: WorldContext, trader: WorldTrader, at: number): void {
  const { random, tables } = context.state;
  const held = tables.traders.columns.chainOpen.get(trader.index);
  if (held === 0) return;
  const slot = tables.chainSlots.columns.slot.get(trader.index * OPEN_MAX + random.below(held));
  const { number, token } = tables.positions.columns;
  const due = fillTime(network(context.tokens.get(token.get(slot)).network), at);
  if (due > at) later(context, due, OUTGOING, 0, number.get(slot), slot);
  else send(context, slot, at);
}

export function sendDue(context: WorldContext, due: Due, at: number): void {
  if (isHeld(context, due.number, due.slot)) send(context, due.slot, at);
}

function send(context: WorldContext, slot: number, at: number): void {
  const { random, tables } = context.state;
  const { positions } = tables;
  const token = context.tokens.get(positions.columns.token.get(slot));
  const amount = positions.columns.chainAmount.get(slot);
  const part = random.next() < 0.3 ? amount : Math.max(1, Math.floor(amount * (0.1 + 0.6 * random.next())));
  const price = spotPrice(context, token, at);
  const block = blockTime(network(token.network), at);
  if (positions.columns.settledAt.get(slot) > block) return;
  recordFill(context, {
    at: block,
    trader: positions.columns.trader.get(slot),
    token: token.index,
    kind: TRANSFER_OUT,
    slot,
    amount: part,
    usd: Math.floor(part * price),
    price,
  });
}

function give(
  context: WorldContext,
  trader: WorldTrader,
  token: WorldToken,
  amount: number,
  isDev: boolean,
  at: number,
): void {
  if (amount < 1) return;
  const { positions, traders, tokens } = context.state.tables;
  const block = blockTime(network(token.network), at);
  if (tokens.columns.chainHeld.get(token.index) + amount > token.supply * MICRO * 0.8) return;
  let slot = heldSlot(context, trader.index, token.index);
  const isNew = slot === NONE;
  if (isNew) {
    if (traders.columns.chainOpen.get(trader.index) >= OPEN_MAX - 2) return;
    slot = takeSlot(context, trader.index, token.index, isDev);
    if (slot === NONE) return;
  } else if (positions.columns.settledAt.get(slot) > block) return;
  const price = spotPrice(context, token, at);
  recordFill(context, {
    at: block,
    trader: trader.index,
    token: token.index,
    kind: TRANSFER_IN,
    slot,
    amount,
    usd: Math.floor(amount * price),
    price,
  });
  if (!isNew) return;
  // A gift is sold like anything else.
  planExit(context, trader, slot, at, context.state.random.next());
  setGoal(context, slot, at);
}

/** The deployer first, then the insiders; all can trade on the token's network. */
export function devsOf(context: WorldContext, token: WorldToken): WorldTrader[] {
  if (token.established) return [];
  const key = mix(context.key, token.index, 31);
  const count = 1 + Math.floor(unit(key, 1) ** 2 * (INSIDERS_MAX + 1));
  const devs: WorldTrader[] = [];
  for (let place = 0; devs.length < count && place < count * 4; place++) {
    // Only people who were there from the start, so that the answer never changes.
    const trader = context.population.get(mix(key, place, 2) % context.firstTraders);
    if (trader.createdAt < token.launchAt && canTrade(trader, token.network) && !devs.includes(trader))
      devs.push(trader);
  }
  return devs;
}

export function planHandOut(context: WorldContext, token: WorldToken, at: number): void {
  const due = fillTime(network(token.network), at);
  if (due > at) later(context, due, HAND_OUT, 0, token.index, 0);
  else handOut(context, token, at);
}

/** Hands out a launch: two in three deployers keep a part; the others hold no known tokens. */
export function handOut(context: WorldContext, token: WorldToken, at: number): void {
  const key = mix(context.key, token.index, 32);
  if (unit(key, 1) < 0.34) return;
  devsOf(context, token).forEach((trader, place) => {
    const share = (place === 0 ? DEV_SHARE : INSIDER_SHARE) * (0.3 + unit(key, 2, place));
    give(context, trader, token, Math.floor(token.supply * share * MICRO), true, at);
  });
}
