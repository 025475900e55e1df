// Ranked traders and the three token boards: live, or the last good one while upstream does not answer. Each is read once
// and `limit` slices that list. An empty or bad board never replaces a good one.

import type { Chain } from "../../../contract/chains.ts";
import { readChain } from "../../../contract/parts.ts";
import type { CacheRule } from "../../../contract/route.ts";
import { ROUTES, type Routes } from "../../../contract/routes.ts";
import type { SortOrder } from "../../../kit/known-first.ts";
import { createLru } from "../../../kit/lru.ts";
import { createSingleFlight } from "../../../kit/single-flight.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import type { Board, BoardName } from "../../../protocol/shapes/board.ts";
import type { PnlWindow } from "../../../protocol/shapes/trader.ts";
import type { Leaderboard } from "../../store/captured/snapshots.ts";
import type { Call, Outcome } from "../../upstream/port.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { type LeaderboardSort, leaderboardRows, ordered } from "../leaderboard-rows.ts";
import { didNotFinish } from "../live.ts";
import { iso } from "../present/common.ts";
import { presentBoardRow } from "../present/tokens.ts";
import { secondsLeft } from "../profit/moment.ts";
import { createRankMoves, UNKNOWN_MOVES } from "../rank-moves.ts";
import type { Services } from "../services.ts";
import { createSharedLists, type SharedList } from "../shared-lists.ts";
import { orUnsupported } from "../unsupported.ts";

type LeaderboardRouteId = "getLeaderboard" | "getTrendingTokens" | "getMostHeldTokens" | "getGraduatedTokens";

/** How long one read is shared: as long as the contract lets an answer be cached. */
const FRESH_MS = {
  board: freshMsOf(ROUTES.getTrendingTokens.cache),
};

/** Four windows of this moment and of earlier ones that slower callers still request. */
const LEADERBOARDS_KEPT = 16;
/** A captured board is rechecked soon, so that a recovered upstream is noticed. */
const STAND_IN_SECONDS = 5;

type BoardParts = Pick<
  Services,
  "upstream" | "store" | "profits" | "keeper" | "moderation" | "chains" | "labels" | "clock"
>;

export function leaderboardRoutes(services: BoardParts): { [Id in LeaderboardRouteId]: Handler<Routes[Id]> } {
  const { upstream, store, keeper, chains, labels, clock } = services;

  const readBoard = async (name: BoardName, call: Call): Promise<SharedList<Board>> => {
    const readAt = clock.now();
    const outcome = await upstream.board(name, call);
    const live = goodOf(outcome);
    if (live) void keeper.board(name, live, readAt);
    if (live) return { value: live, capturedAt: readAt, isLive: true };
    const kept = await store.boards.find(name);
    if (kept) return { ...kept, isLive: false };
    // No trades yet.
    if (outcome.kind === "found") return { value: outcome.value, capturedAt: readAt, isLive: true };
    throw didNotFinish(`the ${name} board`);
  };
  const boards = createSharedLists<BoardName, Board>(clock, FRESH_MS.board, readBoard);

  const board =
    (name: BoardName) =>
    async ({ query }: { query: { limit: number } }, call: RouteCall) => {
      const { list, freshSeconds } = await boards.read(name, call);
      const rows = list.value.rows
        .filter(({ token }) => !services.moderation.isSpam(token))
        .slice(0, query.limit);
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

  const leaderboards = createLru<string, SharedList<Leaderboard>>(LEADERBOARDS_KEPT);
  const flights = createSingleFlight();
  const rankMovesTo = createRankMoves(store);

  /** The leaderboard as of one moment, read once for all callers. */
  const readLeaderboard = (window: PnlWindow, call: RouteCall): Promise<SharedList<Leaderboard>> => {
    const key = `${window}@${call.asOf}`;
    const known = leaderboards.get(key);
    if (known) return Promise.resolve(known);
    const read = async (signal: AbortSignal): Promise<SharedList<Leaderboard>> => {
      const readAt = clock.now();
      const outcome = await upstream.leaderboard(window, call.asOf, { deadlineMs: call.deadlineMs, signal });
      const live = goodOf(outcome);
      if (live) {
        void keeper.leaderboard(window, live, readAt);
        const list = { value: live, capturedAt: readAt, isLive: true };
        // A platform that has not reached the moment yet is asked again.
        if (live.asOf === call.asOf) leaderboards.set(key, list);
        return list;
      }
      const kept = await store.leaderboards.find(window);
      if (kept) return { ...kept, isLive: false };
      // No trades by that moment, and no ranking yet.
      if (outcome.kind === "found") return { value: outcome.value, capturedAt: readAt, isLive: true };
      throw didNotFinish("the leaderboard");
    };
    return flights.run(key, read, call.signal);
  };

  /** The top traders in this order; null if the platform has no such order, or does not answer. */
  const readOrder = async (
    window: PnlWindow,
    { sort, order, limit }: { sort: LeaderboardSort; order: SortOrder; limit: number },
    chain: Chain | null,
    call: RouteCall,
  ): Promise<SharedList<Leaderboard> | null> => {
    const only = chain === null ? {} : { networkId: chain.id };
    const query = { at: call.asOf, sort, order, who: "active", from: 0, limit, ...only } as const;
    const readAt = clock.now();
    const outcome = await orUnsupported(upstream.ranking(window, query, call));
    if (outcome?.kind !== "found") return null;
    const { asOf, rows, networkId } = outcome.value;
    // A platform that can't answer for one chain answers for all of them.
    if ((networkId ?? null) !== (chain?.id ?? null)) return null;
    const ranked = rows.flatMap((row) => (row.rank === null ? [] : [{ ...row, rank: row.rank }]));
    return { value: { asOf, rows: ranked }, capturedAt: readAt, isLive: true };
  };

  return {
    async getLeaderboard({ params, query }, call) {
      const chain = query.chain === undefined ? null : readChain(query.chain, chains, "chain");
      const { sort, order } = query;
      const isByProfit = sort === "pnl" && order === "desc";
      const inOrder =
        chain !== null || !isByProfit ? await readOrder(params.window, query, chain, call) : null;
      const list = inOrder ?? (await readLeaderboard(params.window, call));
      // A chain or an order that the platform does not support is computed from the traders that it ranks.
      const isCut = inOrder !== null || (chain === null && isByProfit);
      const ranked = isCut ? list.value.rows.slice(0, query.limit) : list.value.rows;
      const { asOf } = list.value;
      const moves = chain === null ? await rankMovesTo(params.window, asOf) : UNKNOWN_MOVES;
      const asked = { window: params.window, chain: inOrder ? null : chain, asOf, moves };
      const all = await leaderboardRows(services, ranked, asked, call);
      const rows = (isCut ? all : ordered(all, sort, order)).slice(0, query.limit);
      return {
        freshSeconds: list.isLive ? secondsLeft(list.value.asOf, clock.now()) : STAND_IN_SECONDS,
        mayBeStale: list.isLive,
        body: {
          window: params.window,
          asOf: iso(list.value.asOf),
          count: rows.length,
          traders: rows,
          sort,
          order,
          chain: chain?.name ?? null,
          stale: !list.isLive,
          source: list.isLive ? ("live-upstream" as const) : ("captured" as const),
          note: isCut ? null : chain === null ? RANKED_NOTE : CHAIN_NOTE,
        },
      };
    },
    getTrendingTokens: board("trending"),
    getMostHeldTokens: board("most-held"),
    getGraduatedTokens: board("graduated"),
  };
}

const CHAIN_NOTE =
  "Ranked among the traders that the platform ranks by profit on all chains, not among everybody who traded on this one.";
const RANKED_NOTE = "Ordered among the traders that the platform ranks by profit, not among everybody.";

function goodOf<T extends { rows: readonly unknown[] }>(outcome: Outcome<T>): T | null {
  return outcome.kind === "found" && outcome.value.rows.length > 0 ? outcome.value : null;
}

function freshMsOf(rule: CacheRule): number {
  return rule.kind === "shared" ? rule.freshSeconds * 1_000 : 0;
}
