// A token's price outside the platform: a function of its fixed character and the time, so the past takes no storage. Log
// price = launch + life (runs, rugs, bleeding) + rough noise + the market's common factor + wicks.
import { DAY_MS } from "../../kit/units.ts";
import { type Noise, noiseAt } from "./noise.ts";

/** A spike or a flush that reverts: out and back within `halfMs` on either side. */
export interface Wick {
  age: number;
  log: number;
  halfMs: number;
}

export interface PriceCharacter {
  key: number;
  launchAt: number;
  launchLogPrice: number;
  /** The log price never falls below this, and approaches it more and more slowly. */
  floorLogPrice: number;
  /** Standard deviation of a day's log change, excluding the life and the market. */
  dailyVolatility: number;
  /** The noise's value at launch: a launch starts at its launch price and moves away from it, however large the noise is. */
  noiseAtLaunch: number;
  /** How much of the market's common move it shares; 0 costs nothing. */
  beta: number;
  market: Noise;
  /** Ages and log multiples of the launch price, ascending by age; the first is (0, 0). */
  ages: readonly number[];
  heights: readonly number[];
  /** After the last knot, log per day. */
  bleedPerDay: number;
  wicks: readonly Wick[];
  /** When the rug was pulled on request; infinite otherwise. */
  rugAt: number;
}

/** The log change of a pulled rug, and its duration. */
const RUG_LOG = -4.1;
const RUG_MS = 80_000;
/** This far above its floor, in log price, the floor has no effect. */
const SOFT_FLOOR = 8;

/** The market moves by about this much a day at beta 1. */
const MARKET_DAILY_VOLATILITY = 0.026;

export function priceAt(of: PriceCharacter, at: number): number {
  const age = at > of.launchAt ? at - of.launchAt : 0;
  const walked = noiseAt(of.key, age) - of.noiseAtLaunch;
  let log = of.launchLogPrice + lifeAt(of, age) + walked * of.dailyVolatility;
  if (of.beta !== 0) log += of.beta * MARKET_DAILY_VOLATILITY * of.market(at);
  for (let place = 0; place < of.wicks.length; place++) {
    const wick = of.wicks[place] as Wick;
    const distance = Math.abs(age - wick.age) / wick.halfMs;
    if (distance < 1) log += wick.log * (1 - distance) * (1 - distance);
  }
  if (at > of.rugAt) log += RUG_LOG * Math.min(1, (at - of.rugAt) / RUG_MS);
  // Near the floor the price sinks more and more slowly, but still moves.
  const above = log - of.floorLogPrice;
  return Math.exp(above > SOFT_FLOOR ? log : of.floorLogPrice + Math.log1p(Math.exp(above)));
}

/** When the life, without its noise, is first `log` above its value at `at`; infinite if it never is. */
export function risenAt(of: PriceCharacter, at: number, log: number): number {
  const age = at > of.launchAt ? at - of.launchAt : 0;
  const { ages, heights } = of;
  let next = 1;
  while (next < ages.length && age >= (ages[next] as number)) next++;
  if (next === ages.length) return Number.POSITIVE_INFINITY;
  const goal = lifeAt(of, age) + log;
  while (next < ages.length && (heights[next] as number) < goal) next++;
  if (next === ages.length) return Number.POSITIVE_INFINITY;
  const from = ages[next - 1] as number;
  const low = heights[next - 1] as number;
  // The rise between two knots slows down toward its end; this is its inverse.
  const part = 1 - Math.sqrt(1 - (goal - low) / ((heights[next] as number) - low));
  return of.launchAt + from + ((ages[next] as number) - from) * part;
}

function lifeAt(of: PriceCharacter, age: number): number {
  const { ages, heights } = of;
  const last = ages.length - 1;
  if (age >= (ages[last] as number)) {
    return (heights[last] as number) + of.bleedPerDay * ((age - (ages[last] as number)) / DAY_MS);
  }
  let next = 1;
  while (age >= (ages[next] as number)) next++;
  const from = ages[next - 1] as number;
  const part = (age - from) / ((ages[next] as number) - from);
  const low = heights[next - 1] as number;
  return low + ((heights[next] as number) - low) * part * (2 - part);
}
