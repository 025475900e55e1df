// Rough, fat-tailed noise as a function of time: octaves whose amplitude grows with the square root of their period, as a
// random walk's does, and whose short ones are calm or wild by the hour. A day's change has a standard deviation of about 1.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";

const PERIODS = new Float64Array([
  15.7 * DAY_MS,
  4.1 * DAY_MS,
  1.03 * DAY_MS,
  6.2 * HOUR_MS,
  93 * MINUTE_MS,
  23 * MINUTE_MS,
  5.7 * MINUTE_MS,
]);
/** Octaves from this one on are scaled by the volatility regime of the day and of the hour: volatility clusters. */
const FIRST_SHORT = 3;
const TEMPER_PERIODS = [2.6 * DAY_MS, 7.3 * HOUR_MS] as const;
/** How much wilder the wildest times are, and how much calmer the calmest. */
const TEMPER = 2.2;
/** Determined empirically: brings the standard deviation of a day's change to 1. */
const SCALE = 0.95;
const AMPLITUDES = PERIODS.map((period) => SCALE * Math.sqrt(period / DAY_MS));
/** The market's factor omits octaves shorter than an hour: it is shared, so it need not be rough. */
const FACTOR_OCTAVES = 5;

export type Noise = (at: number) => number;

export function noiseAt(key: number, age: number): number {
  let slow = 0;
  let fast = 0;
  for (let octave = 0; octave < PERIODS.length; octave++) {
    const value = (AMPLITUDES[octave] as number) * swing(key + octave, age / (PERIODS[octave] as number));
    if (octave < FIRST_SHORT) slow += value;
    else fast += value;
  }
  return slow + fast * temperAt(key, age);
}

function temperAt(key: number, age: number): number {
  const temper = swing(key + 17, age / TEMPER_PERIODS[0]) + swing(key + 18, age / TEMPER_PERIODS[1]);
  return temper < 0 ? 1 / (1 - TEMPER * temper) : 1 + TEMPER * temper;
}

/** One factor shared by a whole market. */
export function commonNoise(key: number): Noise {
  return (at) => {
    let slow = 0;
    let fast = 0;
    for (let octave = 0; octave < FACTOR_OCTAVES; octave++) {
      const value = (AMPLITUDES[octave] as number) * swing(key + octave, at / (PERIODS[octave] as number));
      if (octave < FIRST_SHORT) slow += value;
      else fast += value;
    }
    return slow + fast * temperAt(key, at);
  };
}

/** Smooth interpolation between fixed values at whole steps. */
function swing(key: number, place: number): number {
  const whole = Math.floor(place);
  const part = place - whole;
  const before = lattice(key, whole);
  return before + (lattice(key, whole + 1) - before) * part * part * (3 - 2 * part);
}

/** A fixed value for each whole step, mostly small and now and then large. */
function lattice(key: number, step: number): number {
  let hash = Math.imul(key ^ Math.imul(step, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  const even = (hash ^ (hash >>> 16)) / 0x8000_0000;
  return even * (0.4 + 1.1 * even * even);
}
