// The large coins that perps trade on. They are older than the world, move with the market and otherwise only fluctuate.

import { hash32 } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import { commonNoise } from "./noise.ts";
import { type PriceCharacter, priceAt } from "./prices.ts";

const AGE_AT_GENESIS_MS = 900 * DAY_MS;

/** Symbol, name, price in dollars, beta, own daily volatility. All invented. */
const MARKETS = [
  ["KESTREX", "Kestrex", 61_400, 1, 0.01],
  ["OLMARA", "Olmara", 2_870, 1.2, 0.014],
  ["TUNDRIX", "Tundrix", 143, 1.4, 0.02],
  ["PALVO", "Palvo", 618, 0.9, 0.014],
  ["VINDRA", "Vindra", 27.4, 1.5, 0.03],
  ["SORRELIA", "Sorrelia", 1.92, 1.1, 0.022],
  ["BRAMBEX", "Brambex", 0.164, 1.3, 0.026],
  ["LUMETTO", "Lumetto", 3.31, 1.5, 0.028],
] as const;

export interface PerpMarket {
  symbol: string;
  name: string;
  price: PriceCharacter;
}

export function marketNoise(seed: string) {
  return commonNoise(hash32(seed, "market factor"));
}

export function createMarkets(seed: string, genesis: number): PerpMarket[] {
  return MARKETS.map(([symbol, name, price, beta, dailyVolatility]) => ({
    symbol,
    name,
    price: {
      key: hash32(seed, "market", symbol),
      launchAt: genesis - AGE_AT_GENESIS_MS,
      launchLogPrice: Math.log(price),
      floorLogPrice: Math.log(price / 6),
      dailyVolatility,
      noiseAtLaunch: 0,
      beta,
      market: marketNoise(seed),
      ages: [0, 1],
      heights: [0, 0],
      bleedPerDay: 0,
      wicks: [],
      rugAt: Number.POSITIVE_INFINITY,
    },
  }));
}

export function marketPrice(markets: readonly PerpMarket[], index: number, at: number): number {
  const market = markets[index];
  if (!market) throw new RangeError(`no market ${index}`);
  return priceAt(market.price, at);
}

export const MARKET_COUNT = MARKETS.length;
