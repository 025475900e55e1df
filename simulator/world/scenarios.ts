// Requested scenarios: they happen soon after, by the same rules as everything else, and a restart that replays the schedule
// replays them.
import { DAY_MS } from "../../kit/units.ts";
import { nextBlockTime } from "./blocks.ts";
import { NONE } from "./columns.ts";
import type { WorldContext } from "./context.ts";
import { COPIED, rush, WHALE_CLIP } from "./crowd.ts";
import { WHOLE } from "./exits.ts";
import { BUY_ORDER, later, SELL_ORDER } from "./feeds.ts";
import { canTrade, network } from "./networks.ts";
import { isLed, type WorldTrader } from "./population.ts";
import { priceAt } from "./prices.ts";
import { EXTRA_RENAMES_MAX } from "./state.ts";
import type { WorldToken } from "./tokens.ts";

/** Fast sellers get out while there is something left: insiders at once, others within minutes. */
const PANIC_SELLERS_MAX = 16;
const INSIDER_MS = 4_000;
const PANIC_MEAN_MS = 40_000;
/** This many of the next trades are moved to a later block. */
const REORGS = 3;
/** The renamed trader trades this much later, so that streams carry the new name. */
const RENAMED_TRADES_AFTER_MS = [6_000, 36_000] as const;
const WHALE_CLIPS = 6;
const WHALE_EVERY_MS = 25_000;
/** Tokens older than this are no longer a launch: their rug would surprise no one. */
const RUGGABLE_MS = 14 * DAY_MS;

/** The launched token whose rug would hit the most people. */
export function rugPull(context: WorldContext, at: number): WorldToken | undefined {
  const { holders } = context.state.tables.tokens.columns;
  const token = best(context.tokens.list, (candidate) =>
    candidate.established ||
    candidate.honeypot ||
    at - candidate.launchAt > RUGGABLE_MS ||
    candidate.price.rugAt < at
      ? -1
      : holders.get(candidate.index),
  );
  if (!token) return undefined;
  token.price.rugAt = at;
  context.state.tables.tokens.columns.rugAt.set(token.index, at);
  panic(context, token, at);
  return token;
}

function panic(context: WorldContext, token: WorldToken, at: number): void {
  const { random, tables } = context.state;
  const { isDev, nextOfToken, number, trader } = tables.positions.columns;
  let slot = tables.tokens.columns.openHead.get(token.index);
  for (let sellers = 0; slot !== NONE && sellers < PANIC_SELLERS_MAX; slot = nextOfToken.get(slot)) {
    // Copiers wait for their leader.
    if (isLed(context.population.get(trader.get(slot)))) continue;
    const isInsider = isDev.get(slot) === 1;
    const delay = isInsider ? INSIDER_MS * random.next() : -Math.log(1 - random.next()) * PANIC_MEAN_MS;
    const due = nextBlockTime(network(token.network), at + delay);
    later(context, due, SELL_ORDER, WHOLE, number.get(slot), slot);
    if (!isInsider) sellers++;
  }
}

/** The next trades are undone and recorded again. */
export function reorganise({ state }: WorldContext): void {
  state.counters.reorgsAsked += REORGS;
}

/** The trader of the last fill takes a new handle and continues trading. */
export function renameSomebody(context: WorldContext, at: number): void {
  const { counters, tables } = context.state;
  if (counters.applied === 0 || counters.extraRenames === EXTRA_RENAMES_MAX) return;
  let row = (counters.applied - 1) % tables.fills.capacity;
  const traderOf = () => context.population.get(tables.fills.columns.trader.get(row));
  // A copier never trades on its own.
  while (isLed(traderOf()) && row > 0) row--;
  if (isLed(traderOf())) return;
  const trader = traderOf().index;
  const token = context.tokens.get(tables.fills.columns.token.get(row));
  const { extraRenames } = tables;
  extraRenames.columns.at.set(counters.extraRenames, at);
  extraRenames.columns.trader.set(counters.extraRenames++, trader);
  context.population.renameExtra(trader);
  for (const after of RENAMED_TRADES_AFTER_MS)
    later(context, nextBlockTime(network(token.network), at + after), BUY_ORDER, COPIED, trader, token.index);
}

/** The richest of the well-known traders buys a launch in large clips, and the followers notice. */
export function whaleComes(context: WorldContext, at: number): void {
  const { graph, traders } = context.population;
  const whale = best(traders, (trader: WorldTrader) =>
    trader.createdAt > at ? -1 : trader.purse * Math.sqrt(graph.followers(trader.index).length),
  );
  if (!whale) return;
  const token = best(context.tokens.list, (candidate) => {
    const fits = !candidate.established && !candidate.honeypot && canTrade(whale, candidate.network);
    const isYoung = at - candidate.launchAt < RUGGABLE_MS && candidate.launchAt <= at;
    return fits && isYoung ? priceAt(candidate.price, at) * candidate.supply : -1;
  });
  if (!token) return;
  for (let clip = 0; clip < WHALE_CLIPS; clip++) {
    const due = nextBlockTime(network(token.network), at + clip * WHALE_EVERY_MS);
    later(context, due, BUY_ORDER, WHALE_CLIP, whale.index, token.index);
  }
}

/** A launch that everybody has waited for. */
export function loudLaunch(context: WorldContext, token: WorldToken, at: number): void {
  rush(context, token, at, 1);
}

function best<Item>(items: readonly Item[], score: (item: Item) => number): Item | undefined {
  let found: Item | undefined;
  let most = 0;
  for (const item of items) {
    const value = score(item);
    if (value > most) {
      most = value;
      found = item;
    }
  }
  return found;
}
