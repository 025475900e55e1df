// How places on a leaderboard moved since the ranking that it is compared with, as that one was kept. What was not kept is
// not known.
import type { ServedLeaderboardRow } from "../../contract/shapes/types.ts";
import { createLru } from "../../kit/lru.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";
import { comparedHour, rankMoves } from "../model/past-ranks.ts";
import type { Store } from "../store/store.ts";
import { iso } from "./present/common.ts";

export type RankMoves = (row: { userId: string; rank: number }) => ServedLeaderboardRow["rankChange"];

export const UNKNOWN_MOVES: RankMoves = () => null;

/** The four windows, and the hour before while boards of both are asked for. */
const RANKINGS_KEPT = 8;

export function createRankMoves(store: Pick<Store, "pastRanks">) {
  const known = createLru<string, RankMoves>(RANKINGS_KEPT);
  /** To a board of this moment. */
  return async (window: PnlWindow, asOf: number): Promise<RankMoves> => {
    const hour = comparedHour(window, asOf);
    const key = `${window}@${hour}`;
    const held = known.get(key);
    if (held) return held;
    const past = await store.pastRanks.find(window, hour);
    if (!past) return UNKNOWN_MOVES;
    const moveOf = rankMoves(past);
    const moves: RankMoves = ({ userId, rank }) => {
      const move = moveOf(userId, rank);
      return move && { ...move, since: iso(move.since) };
    };
    // One that only stands in may be followed by the right one.
    if (past.hour === hour) known.set(key, moves);
    return moves;
  };
}
