// Things that can be asked for: they happen soon after, by the same rules as everything else, and a restart that lives
// the schedule again lives them again.
import { nextBlockTime } from "./blocks.ts";
import type { Context } from "./context.ts";
import { rush, WHALE_CLIP } from "./crowd.ts";
import { BUY_ORDER, later } from "./feeds.ts";
import { canTrade, network } from "./networks.ts";
import type { Trader } from "./population.ts";
import { priceAt } from "./prices.ts";
import type { Token } from "./tokens.ts";

export const SCENARIOS = ["launch", "rug", "whale", "outage", "quiet"] as const;
export type Scenario = (typeof SCENARIOS)[number];
/** Those that the world itself plays; the others are the schedule's and the server's. */
export type WorldScenario = "launch" | "rug" | "whale";

/** From the first seller to the empty pool. */
const WHALE_CLIPS = 6;
const WHALE_EVERY_MS = 25_000;
/** Tokens older than this are no launch any more: nobody would be surprised. */
const RUGGABLE_MS = 14 * 86_400_000;

/** The launched token that most people would lose by. */
export function rugPull(context: Context, at: number): Token | undefined {
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
  return token;
}

/** The richest of the well-known buys a launch in large clips, and those who follow them notice. */
export function whaleComes(context: Context, at: number): void {
  const { graph, traders } = context.population;
  const whale = best(traders, (trader: Trader) =>
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

/** Everybody has waited for it. */
export function loudLaunch(context: Context, token: Token, at: number): void {
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
