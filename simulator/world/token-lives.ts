// The lives of launched tokens, as small caps live them: most pump and die within a day, some run for days, a few
// stay. A honeypot only rises, because nobody can sell it.
import { unit } from "./hash.ts";
import type { PriceCharacter } from "./prices.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No market cap falls below this: somebody always holds a bag. */
const FLOOR_USD = 1_800;

export function lifeOf(key: number, launchAt: number, supply: number, honeypot: boolean): PriceCharacter {
  const roll = (place: number) => unit(key, 100, place);
  const between = (place: number, low: number, high: number) => low * (high / low) ** roll(place);
  const capital = between(1, 4_500, 22_000);
  const shared = {
    key,
    launchAt,
    launchLogPrice: Math.log(capital / supply),
    floorLogPrice: Math.log(FLOOR_USD / supply),
  };
  const kind = roll(2);
  if (honeypot) {
    const ages = [0, between(3, 6 * HOUR, 2 * DAY), between(4, 4 * DAY, 9 * DAY)];
    return {
      ...shared,
      volatility: 0.5,
      ages,
      heights: [0, Math.log(between(5, 6, 30)), Math.log(between(6, 30, 60))],
      bleedPerDay: -0.02,
    };
  }
  if (kind < 0.5) {
    const peak = Math.log(between(3, 1.6, 11));
    const top = between(4, 8 * MINUTE, 2 * HOUR);
    const dumped = top + between(5, 20 * MINUTE, 9 * HOUR);
    const heights = [0, peak, peak - Math.log(between(6, 4, 18))];
    return {
      ...shared,
      volatility: 1.1,
      ages: [0, top, dumped],
      heights,
      bleedPerDay: -between(7, 0.04, 0.25),
    };
  }
  if (kind < 0.83) {
    const peak = Math.log(between(3, 6, 60));
    const top = between(4, 2 * HOUR, 2.5 * DAY);
    const low = top + between(5, 10 * HOUR, 4 * DAY);
    const back = low + between(6, 1 * DAY, 6 * DAY);
    const bottom = peak - Math.log(between(7, 2.2, 9));
    const heights = [0, peak, bottom, bottom + Math.log(between(8, 0.6, 2.6))];
    return {
      ...shared,
      volatility: 1,
      ages: [0, top, low, back],
      heights,
      bleedPerDay: -between(9, 0.015, 0.09),
    };
  }
  if (kind < 0.9) {
    const peak = Math.log(between(3, 80, 900));
    const top = between(4, 1.5 * DAY, 8 * DAY);
    const rest = top + between(5, 2 * DAY, 6 * DAY);
    const heights = [0, peak, peak - Math.log(between(6, 1.5, 4))];
    return {
      ...shared,
      volatility: 0.85,
      ages: [0, top, rest],
      heights,
      bleedPerDay: -between(7, 0.004, 0.03),
    };
  }
  const drift = Math.log(between(3, 0.5, 2.5));
  return { ...shared, volatility: 0.9, ages: [0, 2 * DAY], heights: [0, drift], bleedPerDay: -0.04 };
}
