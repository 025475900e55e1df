// How launched tokens live. Most never take off or are rugged; some die slowly, some run twice, a few are hits that stay. A
// honeypot only rises, because it cannot be sold. Shares are of launches and add up to 1.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { unit } from "./hash.ts";
import { noiseAt } from "./noise.ts";
import type { PriceCharacter, Wick } from "./prices.ts";

/** No market cap falls below this: somebody always holds a bag. */
const FLOOR_USD = 140;

export type LifeName = "dud" | "rug" | "slow death" | "second run" | "sideways" | "hit" | "honeypot";

const SHARES: readonly (readonly [LifeName, number])[] = [
  ["dud", 0.34],
  ["rug", 0.2],
  ["slow death", 0.22],
  ["second run", 0.11],
  ["sideways", 0.09],
  ["hit", 0.04],
];

type LifeShape = Pick<PriceCharacter, "dailyVolatility" | "ages" | "heights" | "bleedPerDay">;
type Between = (place: number, low: number, high: number) => number;

export interface TokenLife {
  name: LifeName;
  price: Omit<PriceCharacter, "market">;
}

export function lifeOf(key: number, launchAt: number, supply: number, wanted: LifeName | null): TokenLife {
  const roll = (place: number) => unit(key, 100, place);
  // Uniform on a log scale.
  const between: Between = (place, low, high) => low * (high / low) ** roll(place);
  const name = wanted ?? nameOf(roll(2));
  const shape = shapeOf(name, between);
  return {
    name,
    price: {
      key,
      launchAt,
      launchLogPrice: Math.log(between(1, 4_200, 14_000) / supply),
      floorLogPrice: Math.log(FLOOR_USD / supply),
      noiseAtLaunch: noiseAt(key, 0),
      beta: 0,
      wicks: name === "honeypot" ? [] : wicksOf(key, shape),
      rugAt: Number.POSITIVE_INFINITY,
      ...shape,
    },
  };
}

function nameOf(roll: number): LifeName {
  let left = roll;
  for (const [name, share] of SHARES) {
    if (left < share) return name;
    left -= share;
  }
  return "dud";
}

function shapeOf(name: LifeName, between: Between): LifeShape {
  switch (name) {
    case "honeypot": {
      const ages = [0, between(3, 6 * HOUR_MS, 2 * DAY_MS), between(4, 4 * DAY_MS, 9 * DAY_MS)];
      const heights = [0, Math.log(between(5, 1.6, 4)), Math.log(between(6, 4, 9))];
      return { dailyVolatility: 0.12, ages, heights, bleedPerDay: -0.02 };
    }
    case "dud": {
      const top = between(4, 4 * MINUTE_MS, 50 * MINUTE_MS);
      const peak = Math.log(between(3, 1.05, 3.2));
      const flat = top + between(5, 1 * HOUR_MS, 20 * HOUR_MS);
      const heights = [0, peak, peak - Math.log(between(6, 2.5, 12))];
      return { dailyVolatility: 0.42, ages: [0, top, flat], heights, bleedPerDay: -between(7, 0.1, 0.6) };
    }
    case "rug": {
      const top = between(4, 12 * MINUTE_MS, 30 * HOUR_MS);
      const peak = Math.log(between(3, 1.8, 12));
      // The liquidity goes within a minute or two; any trading afterwards is for its own sake.
      const gone = top + between(5, 25_000, 2.5 * MINUTE_MS);
      const left = peak - Math.log(between(6, 25, 220));
      const heights = [0, peak, left, left - 0.7];
      return { dailyVolatility: 0.42, ages: [0, top, gone, gone + 6 * HOUR_MS], heights, bleedPerDay: -0.12 };
    }
    case "slow death": {
      const top = between(4, 3 * HOUR_MS, 2.5 * DAY_MS);
      const peak = Math.log(between(3, 2, 14));
      const low = top + between(5, 3 * DAY_MS, 12 * DAY_MS);
      const heights = [0, peak, peak - Math.log(between(6, 20, 160))];
      return { dailyVolatility: 0.36, ages: [0, top, low], heights, bleedPerDay: -between(7, 0.05, 0.2) };
    }
    case "second run": {
      const top = between(4, 2 * HOUR_MS, 1.6 * DAY_MS);
      const peak = Math.log(between(3, 3, 16));
      const low = top + between(5, 12 * HOUR_MS, 4 * DAY_MS);
      const bottom = peak - Math.log(between(6, 5, 18));
      const again = low + between(7, 8 * HOUR_MS, 3 * DAY_MS);
      const second = bottom + Math.log(between(8, 3, 14));
      const end = again + between(9, 2 * DAY_MS, 9 * DAY_MS);
      const heights = [0, peak, bottom, second, second - Math.log(between(10, 4, 30))];
      return { dailyVolatility: 0.38, ages: [0, top, low, again, end], heights, bleedPerDay: -0.06 };
    }
    case "hit": {
      const top = between(4, 2 * DAY_MS, 9 * DAY_MS);
      const peak = Math.log(between(3, 18, 150));
      const rest = top + between(5, 2 * DAY_MS, 7 * DAY_MS);
      const heights = [0, peak * 0.7, peak, peak - Math.log(between(6, 1.6, 4))];
      const ages = [0, top * 0.35, top, rest];
      return { dailyVolatility: 0.3, ages, heights, bleedPerDay: -between(7, 0.002, 0.02) };
    }
    case "sideways": {
      const drift = Math.log(between(3, 0.6, 3));
      return { dailyVolatility: 0.22, ages: [0, 2 * DAY_MS], heights: [0, drift], bleedPerDay: -0.025 };
    }
  }
}

const WICKS_MAX = 3;

/** A few sudden moves that revert, in the first days, more of them down than up. */
function wicksOf(key: number, { ages }: LifeShape): Wick[] {
  const span = Math.max(8 * HOUR_MS, (ages.at(-1) as number) * 1.2);
  const wicks: Wick[] = [];
  for (let place = 0; place < WICKS_MAX; place++) {
    if (unit(key, 101, place) > 0.45) continue;
    const size = 0.15 + 0.75 * unit(key, 102, place) ** 2;
    wicks.push({
      age: 10 * MINUTE_MS + unit(key, 103, place) * span,
      log: unit(key, 104, place) < 0.62 ? -size : size,
      halfMs: 2 * MINUTE_MS + unit(key, 105, place) * 6 * MINUTE_MS,
    });
  }
  return wicks;
}
