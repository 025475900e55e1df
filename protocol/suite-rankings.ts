// Invariants of every platform's rankings: its own leaderboard, in any order, page by page.
import { expect } from "bun:test";
import type { AnswerTo, CallName } from "./questions.ts";
import { RANKING_SORTS, type RankedTrader, type RankingSort } from "./shapes/trader.ts";

type Ask = <Name extends CallName>(
  question: Name,
  given?: Record<string, string | number>,
) => Promise<AnswerTo<Name>>;

const RANKED_BY: Record<RankingSort, (row: RankedTrader) => number | string | null> = {
  pnl: ({ pnlUsd }) => pnlUsd,
  roi: ({ figures }) => figures?.roi ?? null,
  winRate: ({ figures }) => figures?.winRate ?? null,
  volume: ({ volumeUsd }) => volumeUsd,
  trades: ({ trades }) => trades,
  followers: ({ followers }) => followers,
  lastFill: ({ lastFillAt }) => lastFillAt,
  handle: ({ handle }) => handle.toLowerCase(),
};

/** Pages of an order at one moment form that order, in either direction, and contain every trader once. */
export async function checkRankings(answer: Ask, traders: number): Promise<void> {
  const { asOf, rows: best } = await answer("ranking", { window: "all" });
  const ranked = await answer("leaderboard", { window: "all", at: asOf });
  const shown = ({ userId, pnlUsd, rank }: { userId: string; pnlUsd: number; rank: number | null }) => [
    userId,
    pnlUsd,
    rank,
  ];
  expect(best.map(shown)).toEqual(ranked.rows.slice(0, best.length).map(shown));
  for (const sort of RANKING_SORTS)
    for (const order of ["asc", "desc"] as const) {
      const given = { window: "7d", at: asOf, sort, order, limit: 40 };
      const first = await answer("ranking", given);
      const second = await answer("ranking", { ...given, from: 40 });
      const rows = [...first.rows, ...second.rows];
      expect(new Set(rows.map(({ userId }) => userId)).size).toBe(rows.length);
      const figures = rows.map(RANKED_BY[sort]);
      const known = figures.filter((figure) => figure !== null);
      // Unknown figures come last.
      expect(figures.slice(0, known.length)).toEqual(known);
      const sign = order === "asc" ? 1 : -1;
      const isOrdered = known.every((figure, n) => n === 0 || sign * compare(known[n - 1], figure) <= 0);
      expect({ sort, order, isOrdered }).toEqual({ sort, order, isOrdered: true });
    }
  const everybody = await answer("ranking", { window: "24h", at: asOf, who: "all", sort: "handle" });
  expect(everybody.total).toBeGreaterThanOrEqual(Math.min(traders, 1));
  const active = await answer("ranking", { window: "24h", at: asOf, sort: "handle" });
  expect(active.total).toBeLessThanOrEqual(everybody.total);
}

function compare(a: number | string | undefined, b: number | string): number {
  return typeof a === "string" ? (a < b ? -1 : Number(a > b)) : Number(a) - Number(b);
}
