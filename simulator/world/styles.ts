// The six ways of trading. A style sets the frequency, the purse, the number of positions, the holding time, and the
// foresight: skill is the chance of choosing by the future price, and a bad trader chooses the worse.
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";

export type StyleName = "sniper" | "swing" | "holder" | "whale" | "bot" | "bad";

export interface Style {
  name: StyleName;
  /** Among those who are not bad; luck decides how many are bad. */
  share: number;
  /** Among pros. */
  proShare: number;
  /** Events of such a trader relative to those of a holder. */
  pace: number;
  /** The purse, in dollars, at the median. */
  purseUsd: number;
  /** The share of the purse in one buy, at the median. */
  stake: number;
  /** Typical number of positions held at once. */
  target: number;
  /** The intended holding time, at the median. */
  holdMs: number;
  /** The rise at which part of a gain is taken, whatever the plan was. */
  goal: number;
  /** How much larger the orders of pros are in well-known tokens. */
  trust: number;
  /** And their purse, relative to that of the others. */
  proPurse: number;
  /** Chance that a sell closes the position. */
  closing: number;
  /** Of the worst and the best traders of this style. */
  skill: readonly [number, number];
  /** How far ahead a good choice looks. */
  horizonMs: number;
  thesisHabit: number;
}

const STYLES: readonly Style[] = [
  {
    name: "sniper",
    share: 0.19,
    proShare: 0.3,
    pace: 3.2,
    purseUsd: 3_600,
    stake: 0.045,
    target: 4,
    holdMs: 14 * MINUTE_MS,
    goal: 1.9,
    trust: 2,
    proPurse: 6,
    closing: 0.66,
    skill: [-1, 0.7],
    horizonMs: 40 * MINUTE_MS,
    thesisHabit: 0.5,
  },
  {
    name: "swing",
    share: 0.37,
    proShare: 0.45,
    pace: 1.5,
    purseUsd: 5_200,
    stake: 0.07,
    target: 5,
    holdMs: 16 * HOUR_MS,
    goal: 1.8,
    trust: 2.5,
    proPurse: 8,
    closing: 0.52,
    skill: [-1, 0.7],
    horizonMs: 20 * HOUR_MS,
    thesisHabit: 1.4,
  },
  {
    name: "holder",
    share: 0.33,
    proShare: 0,
    pace: 0.7,
    purseUsd: 4_400,
    stake: 0.05,
    target: 9,
    holdMs: 150 * HOUR_MS,
    goal: 2.6,
    trust: 2,
    proPurse: 4,
    closing: 0.45,
    skill: [-1, 0.65],
    horizonMs: 96 * HOUR_MS,
    thesisHabit: 1.8,
  },
  {
    name: "whale",
    share: 0.04,
    proShare: 0.25,
    pace: 1.4,
    purseUsd: 160_000,
    stake: 0.035,
    target: 8,
    holdMs: 44 * HOUR_MS,
    goal: 1.6,
    trust: 2,
    proPurse: 1.4,
    closing: 0.38,
    skill: [-0.9, 0.6],
    horizonMs: 24 * HOUR_MS,
    thesisHabit: 1.1,
  },
  {
    name: "bot",
    share: 0.07,
    proShare: 0,
    pace: 9,
    purseUsd: 9_000,
    stake: 0.02,
    target: 7,
    holdMs: 9 * MINUTE_MS,
    goal: 1.5,
    trust: 1,
    proPurse: 2,
    closing: 0.8,
    skill: [-0.9, 0.4],
    horizonMs: 20 * MINUTE_MS,
    thesisHabit: 0.02,
  },
  {
    name: "bad",
    share: 0,
    proShare: 0,
    pace: 1.2,
    purseUsd: 900,
    stake: 0.09,
    target: 5,
    holdMs: 7 * HOUR_MS,
    goal: 3.5,
    trust: 1,
    proPurse: 1,
    closing: 0.58,
    skill: [-0.6, 0],
    horizonMs: 10 * HOUR_MS,
    thesisHabit: 1.2,
  },
];

const BAD = STYLES.length - 1;

/** `quality` from 0 to 1: the worse are more often bad, the good never. */
export function styleOf(roll: number, quality: number): number {
  const bad = 0.5 * (1 - quality);
  return roll < bad ? BAD : drawn((roll - bad) / (1 - bad), ({ share }) => share);
}

/** The style of a pro. */
export function proStyleOf(roll: number): number {
  return drawn(roll, ({ proShare }) => proShare);
}

function drawn(roll: number, shareOf: (style: Style) => number): number {
  let left = roll;
  for (const [index, each] of STYLES.entries()) {
    if (left < shareOf(each)) return index;
    left -= shareOf(each);
  }
  return 1;
}

export const styleNamed = (name: StyleName): number => STYLES.findIndex((each) => each.name === name);

export function style(index: number): Style {
  const found = STYLES[index];
  if (!found) throw new RangeError(`no style ${index}`);
  return found;
}
