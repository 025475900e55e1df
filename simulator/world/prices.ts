// A price is a function of a token's fixed character and the time, so the past costs nothing to keep and a
// restart nothing to bring back. Log price = where it started + its life (pump, dump, bleed) + noise.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface PriceCharacter {
  key: number;
  launchAt: number;
  launchLogPrice: number;
  /** The log price never falls below this. */
  floorLogPrice: number;
  volatility: number;
  /** Ages and log multiples of the launch price, rising in age; the first is (0, 0). */
  ages: readonly number[];
  heights: readonly number[];
  /** After the last knot, log per day. */
  bleedPerDay: number;
}

// From the swing of days to the jitter of a minute; amplitudes are in log price at volatility 1.
const PERIODS = new Float64Array([4.1 * DAY, 17 * HOUR, 3.3 * HOUR, 37 * MINUTE, 6.7 * MINUTE, 61_000]);
const AMPLITUDES = new Float64Array([0.34, 0.2, 0.11, 0.055, 0.026, 0.01]);

export function priceAt(of: PriceCharacter, at: number): number {
  const age = at > of.launchAt ? at - of.launchAt : 0;
  let noise = 0;
  for (let octave = 0; octave < PERIODS.length; octave++) {
    const place = age / (PERIODS[octave] as number);
    const whole = Math.floor(place);
    const part = place - whole;
    const before = lattice(of.key + octave, whole);
    const after = lattice(of.key + octave, whole + 1);
    noise += (AMPLITUDES[octave] as number) * (before + (after - before) * part * part * (3 - 2 * part));
  }
  // A launch starts at its launch price: the noise grows in over the first minutes.
  const settled = age < 10 * MINUTE ? age / (10 * MINUTE) : 1;
  const log = of.launchLogPrice + lifeAt(of, age) + noise * settled * of.volatility;
  return Math.exp(log < of.floorLogPrice ? of.floorLogPrice + noise * 0.05 : log);
}

/** A fixed value in [-1, 1) for each whole step; `mix` for numbers known to be small, as most of the time goes here. */
function lattice(key: number, step: number): number {
  let hash = Math.imul(key ^ Math.imul(step, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) / 0x8000_0000;
}

function lifeAt(of: PriceCharacter, age: number): number {
  const { ages, heights } = of;
  const last = ages.length - 1;
  if (age >= (ages[last] as number)) {
    return (heights[last] as number) + of.bleedPerDay * ((age - (ages[last] as number)) / DAY);
  }
  let next = 1;
  while (age >= (ages[next] as number)) next++;
  const from = ages[next - 1] as number;
  const part = (age - from) / ((ages[next] as number) - from);
  const low = heights[next - 1] as number;
  return low + ((heights[next] as number) - low) * part * (2 - part);
}
