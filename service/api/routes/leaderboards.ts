// Ranked traders and the three token boards: live, or the last good one while upstream does not answer. Each is read once
// and `limit` cuts that same list. An empty or bad board never takes a good one's place.
import { readChain } from "../../../contract/parts.ts";
import type { CacheRule } from "../../../contract/route.ts";
import { ROUTES, type Routes } from "../../../contract/routes.ts";
import type { Board, BoardName } from "../../model/board.ts";
import type { PnlWindow } from "../../model/trader.ts";
import type { Leaderboard } from "../../store/captured/snapshots.ts";
import type { Outcome } from "../../upstream/port.ts";
import type { Call, Handler } from "../answer.ts";
import { leaderboardRows } from "../leaderboard-rows.ts";
import { didNotFinish } from "../live.ts";
import { iso } from "../present/common.ts";
import { presentBoardRow } from "../present/tokens.ts";
import type { Services } from "../services.ts";
import { createSharedLists, type Listed } from "../shared-lists.ts";

type Named = "getLeaderboard" | "getTrendingTokens" | "getMostHeldTokens" | "getGraduatedTokens";

/** How long one reading serves everybody: as long as the contract lets an answer be kept. */
const FRESH_MS = {
  leaderboard: freshMsOf(ROUTES.getLeaderboard.cache),
  board: freshMsOf(ROUTES.getTrendingTokens.cache),
};
const HOUR_MS = 3_600_000;

type BoardParts = Pick<Services, "upstream" | "store" | "keeper" | "chains" | "labels" | "clock">;

export function leaderboardRoutes(services: BoardParts): { [Id in Named]: Handler<Routes[Id]> } {
  const { upstream, store, keeper, chains, labels, clock } = services;

  const readBoard = async (name: BoardName, call: Call): Promise<Listed<Board>> => {
    const readAt = clock.now();
    const outcome = await upstream.board(name, call);
    const live = goodOf(outcome);
    if (live) void keeper.board(name, live, readAt);
    const kept = live ? { value: live, capturedAt: readAt } : await store.boards.find(name);
    if (!kept) throw didNotFinish(`the ${name} board`);
    return { ...kept, isLive: live !== null };
  };
  const boards = createSharedLists<BoardName, Board>(clock, FRESH_MS.board, readBoard);

  const board =
    (name: BoardName) =>
    async ({ query }: { query: { limit: number } }, call: Call) => {
      const { list, freshSeconds } = await boards.read(name, call);
      const rows = list.value.rows.slice(0, query.limit);
      return {
        freshSeconds,
        mayBeStale: list.isLive,
        body: {
          board: name,
          capturedAt: iso(list.capturedAt),
          count: rows.length,
          tokens: rows.map((row) => presentBoardRow(labels, row)),
          stale: !list.isLive,
          ageHours: list.isLive ? 0 : (clock.now() - list.capturedAt) / HOUR_MS,
          source: list.isLive ? ("live-upstream" as const) : ("captured" as const),
        },
      };
    };

  const readLeaderboard = async (window: PnlWindow, call: Call): Promise<Listed<Leaderboard>> => {
    const readAt = clock.now();
    const outcome = await upstream.leaderboard(window, call);
    const live = goodOf(outcome);
    if (live) void keeper.leaderboard(window, live, readAt);
    const kept = live ? { value: live, capturedAt: readAt } : await store.leaderboards.find(window);
    if (!kept) throw didNotFinish("the leaderboard");
    return { ...kept, isLive: live !== null };
  };
  const leaderboards = createSharedLists<PnlWindow, Leaderboard>(
    clock,
    FRESH_MS.leaderboard,
    readLeaderboard,
  );

  return {
    async getLeaderboard({ params, query }, call) {
      const { list, freshSeconds } = await leaderboards.read(params.window, call);
      const chain = query.chain === undefined ? null : readChain(query.chain, chains, "chain");
      // Another order, or another chain, is one of the whole ranking.
      const isCut = chain === null && query.sort === "pnl";
      const ranked = isCut ? list.value.rows.slice(0, query.limit) : list.value.rows;
      const all = await leaderboardRows(services, ranked, { window: params.window, chain, sort: query.sort });
      const rows = all.slice(0, query.limit);
      return {
        freshSeconds,
        mayBeStale: list.isLive,
        body: {
          window: params.window,
          asOf: iso(list.value.asOf),
          count: rows.length,
          traders: rows,
          sort: query.sort,
          chain: chain?.name ?? null,
          stale: !list.isLive,
          source: list.isLive ? ("live-upstream" as const) : ("captured" as const),
          note:
            chain === null
              ? null
              : "Traders of this window's ranking, by what their captured positions on this chain made.",
        },
      };
    },
    getTrendingTokens: board("trending"),
    getMostHeldTokens: board("most-held"),
    getGraduatedTokens: board("graduated"),
  };
}

function goodOf<T extends { rows: readonly unknown[] }>(outcome: Outcome<T>): T | null {
  return outcome.kind === "found" && outcome.value.rows.length > 0 ? outcome.value : null;
}

function freshMsOf(rule: CacheRule): number {
  return rule.kind === "shared" ? rule.freshSeconds * 1_000 : 0;
}
