// When people are awake. Traders live in four time zones, trade most in their evenings and less at the weekend; the world's
// pace is the sum over all of them, with a weekly mean of 1.
import { HOUR_MS } from "../../kit/units.ts";

const WEEK_HOURS = 168;

interface Zone {
  share: number;
  offsetHours: number;
}

const ZONES: readonly Zone[] = [
  { share: 0.06, offsetHours: 8 },
  { share: 0.2, offsetHours: 1 },
  { share: 0.46, offsetHours: -5 },
  { share: 0.28, offsetHours: -8 },
];

/** By local hour, relative to the busiest. */
const DAY_CURVE = [
  0.46, 0.27, 0.14, 0.07, 0.04, 0.04, 0.07, 0.16, 0.3, 0.42, 0.5, 0.55, 0.58, 0.58, 0.57, 0.6, 0.66, 0.72,
  0.79, 0.89, 0.98, 1, 0.9, 0.68,
];
/** Monday first. */
const WEEK_CURVE = [0.98, 1, 1, 0.99, 0.95, 0.74, 0.78];

/** The likelihood that someone in that zone is up and trading, from 0 to 1. */
export function awake(zone: number, at: number): number {
  const { offsetHours } = ZONES[zone] as Zone;
  const hours = Math.floor(at / HOUR_MS) + offsetHours;
  // The epoch was a Thursday.
  const day = (Math.floor(hours / 24) + 3) % 7;
  return (DAY_CURVE[hours % 24] as number) * (WEEK_CURVE[day] as number);
}

export function zoneOf(roll: number): number {
  let left = roll;
  for (const [index, { share }] of ZONES.entries()) {
    if (left < share) return index;
    left -= share;
  }
  return ZONES.length - 1;
}

function crowdAwake(hour: number): number {
  return ZONES.reduce((sum, { share }, zone) => sum + share * awake(zone, hour * HOUR_MS), 0);
}

// Shifted by a week, because zones west of Greenwich would otherwise begin before the epoch.
const WEEK = Float64Array.from({ length: WEEK_HOURS }, (_, hour) => crowdAwake(WEEK_HOURS + hour));
const MEAN = WEEK.reduce((sum, part) => sum + part, 0) / WEEK_HOURS;

/** The world's pace in the hour of the given time: 1 on average over a week. */
export function rhythm(at: number): number {
  return (WEEK[Math.floor(at / HOUR_MS) % WEEK_HOURS] as number) / MEAN;
}
