// The large coins: they price what swaps are paid in, and perps trade on them. They are older than the world and
// only sway.
import { hash32 } from "../../kit/random.ts";
import { type PriceCharacter, priceAt } from "./prices.ts";

const AGE_AT_GENESIS_MS = 900 * 86_400_000;

const MARKETS = [
  ["BTC", "Bitcoin", 104_000, 0.16],
  ["ETH", "Ethereum", 3_450, 0.24],
  ["SOL", "Solana", 172, 0.3],
  ["BNB", "BNB", 905, 0.2],
  ["HYPE", "Hyperliquid", 38.5, 0.42],
  ["XRP", "XRP", 2.36, 0.3],
  ["DOGE", "Dogecoin", 0.188, 0.36],
  ["SUI", "Sui", 2.12, 0.4],
] as const;

export interface Market {
  symbol: string;
  name: string;
  price: PriceCharacter;
}

export function createMarkets(seed: string, genesis: number): Market[] {
  return MARKETS.map(([symbol, name, price, volatility]) => ({
    symbol,
    name,
    price: {
      key: hash32(seed, "market", symbol),
      launchAt: genesis - AGE_AT_GENESIS_MS,
      launchLogPrice: Math.log(price),
      floorLogPrice: Math.log(price / 4),
      volatility,
      ages: [0, 1],
      heights: [0, 0],
      bleedPerDay: 0,
    },
  }));
}

export function marketPrice(markets: readonly Market[], index: number, at: number): number {
  const market = markets[index];
  if (!market) throw new RangeError(`no market ${index}`);
  return priceAt(market.price, at);
}

export const MARKET_COUNT = MARKETS.length;
