// The answers that pages read, by the contract's own types. Only types: no schema reaches a browser.
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";

export type LeaderboardAnswer = AnswerOf<Routes["getLeaderboard"]>;
export type LeaderboardRow = LeaderboardAnswer["traders"][number];
export type BoardAnswer = AnswerOf<Routes["getTrendingTokens"]>;
export type AlertsAnswer = AnswerOf<Routes["listAlerts"]>;
export type TraderAnswer = AnswerOf<Routes["getTrader"]>;
export type PnlAnswer = AnswerOf<Routes["getPnl"]>;
export type PositionsAnswer = AnswerOf<Routes["listPositions"]>;
export type Position = PositionsAnswer["positions"][number];
export type SwapsAnswer = AnswerOf<Routes["listSwaps"]>;
export type BalancesAnswer = AnswerOf<Routes["getBalances"]>;
export type ThesesAnswer = AnswerOf<Routes["listTheses"]>;
export type Thesis = ThesesAnswer["theses"][number];
export type TokenThesesAnswer = AnswerOf<Routes["listTokenTheses"]>;
export type TokenAnswer = AnswerOf<Routes["getToken"]>;
export type CandlesAnswer = AnswerOf<Routes["listCandles"]>;
export type StatsAnswer = AnswerOf<Routes["getTokenStats"]>;
export type HoldersAnswer = AnswerOf<Routes["listHolders"]>;
export type DevsAnswer = AnswerOf<Routes["listDevs"]>;
export type SearchAnswer = AnswerOf<Routes["search"]>;

export const WINDOWS = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["all", "All time"],
] as const;
export type Window = (typeof WINDOWS)[number][0];

export const BOARDS = [
  ["trending", "Trending"],
  ["most-held", "Most held"],
  ["graduated", "Graduated"],
] as const;
export type BoardName = (typeof BOARDS)[number][0];

/** Path and query of a call; what is empty is left out. */
export function pathOf(path: string, query: Record<string, string | number | null | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

export const traderPath = (handle: string) => `/v2/users/${encodeURIComponent(handle)}`;
export const pnlPath = (handle: string, window: string, interval = "") =>
  pathOf(`${traderPath(handle)}/pnl`, { window, interval });
