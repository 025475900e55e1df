// Rough, fat-tailed noise as a function of time: octaves whose swing grows with the square root of their period, as a
// random walk's does, and whose short ones are calm or wild by the hour. A day's change has a deviation of about 1.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PERIODS = new Float64Array([
  15.7 * DAY,
  4.1 * DAY,
  1.03 * DAY,
  6.2 * HOUR,
  93 * MINUTE,
  23 * MINUTE,
  5.7 * MINUTE,
]);
/** Octaves from this one on follow the hour's temper. */
const FIRST_SHORT = 3;
const TEMPER_PERIOD = 7.3 * HOUR;
/** Found by measuring: brings the deviation of a day's change to 1. */
const SCALE = 0.95;
const AMPLITUDES = PERIODS.map((period) => SCALE * Math.sqrt(period / DAY));
/** The market's factor leaves out what is shorter than an hour: it is common, so it need not be rough. */
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
  const temper = swing(key + 17, age / TEMPER_PERIOD);
  return slow + fast * (temper < 0 ? 1 + 0.45 * temper : 1 + 1.1 * temper);
}

/** One factor for a whole market. */
export function commonNoise(key: number): Noise {
  return (at) => {
    let sum = 0;
    for (let octave = 0; octave < FACTOR_OCTAVES; octave++)
      sum += (AMPLITUDES[octave] as number) * swing(key + octave, at / (PERIODS[octave] as number));
    return sum;
  };
}

/** Between fixed values at whole steps, smoothly. */
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
