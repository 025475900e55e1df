// The cost of a swap on top of its price: the app's fee, which differs by app and falls with the order's size, and the
// network's fee in dollars, which differs by chain, rises in busy hours and is higher for those in a hurry.
import { HOUR_MS } from "../../kit/units.ts";
import type { WorldContext } from "./context.ts";
import { COPY_APP_RATE } from "./copy-terms.ts";
import { unit } from "./hash.ts";
import { network } from "./networks.ts";
import type { WorldTrader } from "./population.ts";
import { BUY } from "./state.ts";
import { style } from "./styles.ts";

const MICRO = 1_000_000;

interface App {
  /** Of those who choose freely: bots use the API, and pros the terminal. */
  share: number;
  rate: number;
}

const PHONE: App = { share: 0.5, rate: 0.015 };
const WEB: App = { share: 0.35, rate: 0.011 };
const TERMINAL: App = { share: 0.15, rate: 0.0075 };
const API: App = { share: 0, rate: 0.003 };

/** Larger orders pay a smaller share of the fee. */
const SIZES = [
  { fromUsd: 10_000, part: 0.5 },
  { fromUsd: 1_000, part: 0.75 },
] as const;

/** The network's fee relative to its usual one: in the calmest hour, and how much more in the busiest. */
const CALM = 0.5;
const BUSY = 2.5;
/** Snipers and bots pay to be first. */
const HURRY = 4;

/** In millionths of a dollar, for the buy or sell in this row of the fills. */
export function feeOf(context: WorldContext, row: number): number {
  const { at, kind, token, trader, usd } = context.state.tables.fills.columns;
  const by = context.population.get(trader.get(row));
  const worth = usd.get(row);
  const gas = gasUsd(context, by, context.tokens.networkOf(token.get(row)), at.get(row));
  const rate = by.copies ? copyRate(kind.get(row)) : appRate(context, by, worth / MICRO);
  return Math.round(worth * rate + gas * MICRO);
}

/** The network's fee for one swap, in dollars. */
export function gasUsd(context: WorldContext, trader: WorldTrader, networkIndex: number, at: number): number {
  // A copier pays as much as its leader to get in.
  const payer = trader.copies ? context.population.get(trader.copies.leader) : trader;
  const { name } = style(payer.style);
  const busy = CALM + BUSY * unit(context.key ^ 0x6a5, networkIndex, Math.floor(at / HOUR_MS)) ** 3;
  return network(networkIndex).gasUsd * busy * (name === "sniper" || name === "bot" ? HURRY : 1);
}

/** Relative to the amount that reaches or leaves the pool: a buy is charged on the amount spent, so a little more. */
const copyRate = (kind: number): number =>
  kind === BUY ? COPY_APP_RATE / (1 - COPY_APP_RATE) : COPY_APP_RATE;

function appRate(context: WorldContext, trader: WorldTrader, usd: number): number {
  const size = SIZES.find(({ fromUsd }) => usd >= fromUsd);
  return appOf(context, trader).rate * (size?.part ?? 1);
}

function appOf(context: WorldContext, trader: WorldTrader): App {
  if (style(trader.style).name === "bot") return API;
  if (trader.pro) return TERMINAL;
  const roll = unit(context.key ^ 0xa99, trader.index, 1);
  return roll < PHONE.share ? PHONE : roll < PHONE.share + WEB.share ? WEB : TERMINAL;
}
