// The six ways of trading. A style says how often, how large, how many at once, how long, and how well one sees
// what comes next: skill is the chance of choosing by tomorrow's price, and a bad trader chooses the worse.

export type StyleName = "sniper" | "swing" | "holder" | "whale" | "bot" | "bad";

export interface Style {
  name: StyleName;
  share: number;
  /** Events of such a trader against those of a holder. */
  pace: number;
  medianUsd: number;
  /** Positions held at once, about. */
  target: number;
  /** Chance that a sell closes the position. */
  closing: number;
  skill: number;
  /** How far ahead a good choice looks. */
  horizonMs: number;
  thesisHabit: number;
}

const HOUR = 3_600_000;

export const STYLES: readonly Style[] = [
  {
    name: "sniper",
    share: 0.14,
    pace: 3.2,
    medianUsd: 240,
    target: 4,
    closing: 0.62,
    skill: 0.34,
    horizonMs: HOUR,
    thesisHabit: 0.5,
  },
  {
    name: "swing",
    share: 0.27,
    pace: 1.5,
    medianUsd: 520,
    target: 5,
    closing: 0.5,
    skill: 0.26,
    horizonMs: 20 * HOUR,
    thesisHabit: 1.4,
  },
  {
    name: "holder",
    share: 0.25,
    pace: 0.7,
    medianUsd: 380,
    target: 9,
    closing: 0.4,
    skill: 0.18,
    horizonMs: 96 * HOUR,
    thesisHabit: 1.8,
  },
  {
    name: "whale",
    share: 0.03,
    pace: 1.6,
    medianUsd: 9_000,
    target: 8,
    closing: 0.35,
    skill: 0.38,
    horizonMs: 24 * HOUR,
    thesisHabit: 1.1,
  },
  {
    name: "bot",
    share: 0.05,
    pace: 11,
    medianUsd: 130,
    target: 7,
    closing: 0.75,
    skill: 0.12,
    horizonMs: HOUR,
    thesisHabit: 0.02,
  },
  {
    name: "bad",
    share: 0.26,
    pace: 1.2,
    medianUsd: 160,
    target: 5,
    closing: 0.55,
    skill: -0.3,
    horizonMs: 10 * HOUR,
    thesisHabit: 1.2,
  },
];

export function styleOf(roll: number): number {
  let index = 0;
  for (const { share } of STYLES) {
    if (roll < share) return index;
    roll -= share;
    index++;
  }
  return STYLES.length - 1;
}

export function style(index: number): Style {
  const found = STYLES[index];
  if (!found) throw new RangeError(`no style ${index}`);
  return found;
}
