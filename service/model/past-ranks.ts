// How a trader's place moved: which earlier ranking a leaderboard is compared with, and what the two say together. Rankings
// are kept by the hour. A day's board is compared with that of an hour before, for a day before it had none of the same
// trades; the others with that of a day before.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";

/** A ranking as it was: who had which place, best first. */
export interface PastRanks {
  asOf: number;
  ranks: readonly (readonly [userId: string, rank: number])[];
}

export interface RankMove {
  since: number;
  /** Both null for one who was not on the board then. */
  previousRank: number | null;
  /** Gained; negative when lost. */
  places: number | null;
}

const COMPARED_WITH_MS: Record<PnlWindow, number> = {
  "24h": HOUR_MS,
  "7d": DAY_MS,
  "30d": DAY_MS,
  all: DAY_MS,
};

/** After a stretch in which none was kept, one that is up to this much older stands in. */
export const PAST_RANKS_SLACK_MS = 3 * HOUR_MS;

/** Longer than any board looks back. */
export const PAST_RANKS_KEPT_MS = 2 * DAY_MS;

export const hourBegin = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** The hour of the ranking that a board of this moment is compared with. */
export function comparedHour(window: PnlWindow, asOf: number): number {
  return hourBegin(asOf) - COMPARED_WITH_MS[window];
}

/** By user id; null where the ranking says nothing about them. */
export function rankMoves({ asOf, ranks }: PastRanks): (userId: string, rank: number) => RankMove | null {
  const before = new Map(ranks);
  const lowest = ranks.at(-1)?.[1] ?? 0;
  return (userId, rank) => {
    const previousRank = before.get(userId) ?? null;
    // Further down than the ranking goes, nobody's absence from it says anything.
    if (previousRank === null && rank > lowest) return null;
    return { since: asOf, previousRank, places: previousRank === null ? null : previousRank - rank };
  };
}
