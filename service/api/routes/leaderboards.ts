// Ranked traders and the three token boards: live, or the last good one while upstream does not answer. An empty or
// bad board never takes a good one's place.
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { BoardName } from "../../model/board.ts";
import type { Answer, Call, Handler } from "../answer.ts";
import { leaderboardRows } from "../leaderboard-rows.ts";
import { didNotFinish } from "../live.ts";
import { iso } from "../present/common.ts";
import { presentBoardRow } from "../present/tokens.ts";
import type { Services } from "../services.ts";

type Named = "getLeaderboard" | "getTrendingTokens" | "getMostHeldTokens" | "getGraduatedTokens";

/** A stand-in is looked at again soon, so that a recovered upstream is noticed. */
const STAND_IN_SECONDS = 5;
const HOUR_MS = 3_600_000;

type BoardParts = Pick<Services, "upstream" | "store" | "keeper" | "chains" | "clock">;

export function leaderboardRoutes(services: BoardParts): { [Id in Named]: Handler<Routes[Id]> } {
  const { upstream, store, keeper, chains, clock } = services;

  const board =
    (name: BoardName) =>
    async ({ query }: { query: { limit: number } }, call: Call) => {
      const now = clock.now();
      const outcome = await upstream.board(name, call);
      const live = outcome.kind === "found" && outcome.value.rows.length > 0 ? outcome.value : null;
      if (live) void keeper.board(name, live, now);
      const kept = live ? { value: live, capturedAt: now } : await store.boards.find(name);
      if (!kept) throw didNotFinish(`the ${name} board`);
      const rows = kept.value.rows.slice(0, query.limit);
      return {
        ...standIn(live === null),
        body: {
          board: name,
          capturedAt: iso(kept.capturedAt),
          count: rows.length,
          tokens: rows.map((row) => presentBoardRow(chains, row)),
          stale: live === null,
          ageHours: live ? 0 : (now - kept.capturedAt) / HOUR_MS,
          source: live ? ("live-upstream" as const) : ("captured" as const),
        },
      };
    };

  return {
    async getLeaderboard({ params, query }, call) {
      const now = clock.now();
      const outcome = await upstream.leaderboard(params.window, call);
      const live = outcome.kind === "found" && outcome.value.rows.length > 0 ? outcome.value : null;
      if (live) void keeper.leaderboard(params.window, live, now);
      const kept = live ?? (await store.leaderboards.find(params.window))?.value;
      if (!kept) throw didNotFinish("the leaderboard");
      const chain = query.chain === undefined ? null : readChain(query.chain, chains, "chain");
      // Another order, or another chain, is one of the whole ranking.
      const isCut = chain === null && query.sort === "pnl";
      const ranked = isCut ? kept.rows.slice(0, query.limit) : kept.rows;
      const all = await leaderboardRows(services, ranked, { window: params.window, chain, sort: query.sort });
      const rows = all.slice(0, query.limit);
      return {
        ...standIn(live === null),
        body: {
          window: params.window,
          asOf: iso(kept.asOf),
          count: rows.length,
          traders: rows,
          sort: query.sort,
          chain: chain?.name ?? null,
          stale: live === null,
          source: live ? ("live-upstream" as const) : ("captured" as const),
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

function standIn(captured: boolean): Pick<Answer<never>, "freshSeconds"> {
  return captured ? { freshSeconds: STAND_IN_SECONDS } : {};
}
