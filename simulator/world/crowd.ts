// Trades that trigger trades: people rush into a launch that was talked about, and some followers of a well-known trader copy
// a trade seconds to minutes later. Such orders come on top of the planned rate and are made up for afterwards.
import { MINUTE_MS } from "../../kit/units.ts";
import { nextBlockTime } from "./blocks.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { BUY_ORDER, later, SELL_ORDER } from "./feeds.ts";
import { unit } from "./hash.ts";
import { canTrade, network } from "./networks.ts";
import { isLed, type WorldTrader } from "./population.ts";
import { heldSlot } from "./slots.ts";
import { BUY } from "./state.ts";
import { style } from "./styles.ts";
import type { WorldToken } from "./tokens.ts";

/** With fewer followers than this, a trader is not followed into trades. */
const KNOWN_FOLLOWERS = 60;
/** Share of followers who copy at all. */
const COPIER_SHARE = 0.4;
const COPIES_MAX = 7;
const COPY_MEDIAN_MS = 75_000;
const BOT_COPY_MS = 5_000;
const RUSH_MAX = 42;
/** The crowd size at which the most hyped launch draws `RUSH_MAX` traders. */
const RUSH_TRADERS = 3_000;
const RUSH_MEAN_MS = 5 * MINUTE_MS;
/** Flag in an order's code: it was copied, so it is not copied again. */
export const COPIED = 1;
/** A large part of the purse at once, visible to the followers. */
export const WHALE_CLIP = 2;

function isCopier(context: WorldContext, trader: number): boolean {
  return unit(context.key, trader, 91) < COPIER_SHARE;
}

/** Lets some of the trader's followers do the same a little later. */
export function follow(
  context: WorldContext,
  trader: WorldTrader,
  token: WorldToken,
  kind: number,
  at: number,
): void {
  if (at < context.genesis) return;
  const { random, tables } = context.state;
  const followers = context.population.graph.followers(trader.index);
  if (followers.length < KNOWN_FOLLOWERS) return;
  const drawn = Math.min(COPIES_MAX, Math.floor(followers.length / 170 + random.next()));
  for (let place = 0; place < drawn; place++) {
    const copier = context.population.get(followers[random.below(followers.length)] as number);
    if (isLed(copier) || !isCopier(context, copier.index) || !canTrade(copier, token.network)) continue;
    const isBot = style(copier.style).name === "bot";
    const delay = isBot ? BOT_COPY_MS * (0.3 + random.next()) : COPY_MEDIAN_MS * Math.exp(random.normal());
    const due = nextBlockTime(network(token.network), at + delay);
    if (kind === BUY) {
      later(context, due, BUY_ORDER, COPIED, copier.index, token.index);
      continue;
    }
    const slot = heldSlot(context, copier.index, token.index);
    if (slot === NONE) continue;
    later(context, due, SELL_ORDER, 255, tables.positions.columns.number.get(slot), slot);
  }
}

/** Traders who wait for launches: mostly snipers, bots and the hopeful. */
export function rush(context: WorldContext, token: WorldToken, at: number, strength = token.hype): void {
  const { random } = context.state;
  const { deck, traders } = context.population;
  const scale = Math.min(1, Math.sqrt(traders.length / RUSH_TRADERS));
  const drawn = Math.floor((1 + RUSH_MAX * strength ** 1.6) * scale + random.next());
  for (let place = 0; place < drawn; place++) {
    let trader = context.population.get(deck[random.below(deck.length)] as number);
    if (style(trader.style).name === "holder")
      trader = context.population.get(deck[random.below(deck.length)] as number);
    if (!canTrade(trader, token.network) || trader.createdAt > at) continue;
    const delay = -Math.log(1 - random.next()) * RUSH_MEAN_MS;
    later(
      context,
      nextBlockTime(network(token.network), at + delay),
      BUY_ORDER,
      COPIED,
      trader.index,
      token.index,
    );
  }
}
