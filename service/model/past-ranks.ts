// How a trader's rank moved: which earlier ranking a leaderboard is compared with, and the resulting moves. Rankings are
// stored hourly. A day's board is compared with that of an hour before, because the one of a day before shares none of its
// trades; the others with that of a day before.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";

/** A past ranking: each trader's rank, best first. */
export interface PastRanks {
  asOf: number;
  ranks: readonly (readonly [userId: string, rank: number])[];
}

export interface RankMove {
  since: number;
  /** Both null for a trader who was not on the board then. */
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

/** If the exact ranking is missing, one up to this much older is used. */
export const PAST_RANKS_SLACK_MS = 3 * HOUR_MS;

/** Longer than any board looks back. */
export const PAST_RANKS_KEPT_MS = 2 * DAY_MS;

export const hourBegin = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** The hour of the ranking that a board of this moment is compared with. */
export function comparedHour(window: PnlWindow, asOf: number): number {
  return hourBegin(asOf) - COMPARED_WITH_MS[window];
}

/** By user id; null if the ranking says nothing about the trader. */
export function rankMoves({ asOf, ranks }: PastRanks): (userId: string, rank: number) => RankMove | null {
  const before = new Map(ranks);
  const lowest = ranks.at(-1)?.[1] ?? 0;
  return (userId, rank) => {
    const previousRank = before.get(userId) ?? null;
    // Below the ranking's last rank, being absent from it says nothing.
    if (previousRank === null && rank > lowest) return null;
    return { since: asOf, previousRank, places: previousRank === null ? null : previousRank - rank };
  };
}
