// How ranks on a leaderboard moved since the stored ranking that it is compared with. Without a stored ranking the move is
// unknown.
import type { ServedLeaderboardRow } from "../../contract/shapes/types.ts";
import { createLru } from "../../kit/lru.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";
import { comparedHour, rankMoves } from "../model/past-ranks.ts";
import type { Store } from "../store/store.ts";
import { iso } from "./present/common.ts";

export type RankMoves = (row: { userId: string; rank: number }) => ServedLeaderboardRow["rankChange"];

export const UNKNOWN_MOVES: RankMoves = () => null;

/** The four windows, and those of the previous hour while boards of both are requested. */
const RANKINGS_KEPT = 8;

export function createRankMoves(store: Pick<Store, "pastRanks">) {
  const known = createLru<string, RankMoves>(RANKINGS_KEPT);
  /** The moves up to a board as of this moment. */
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
    // An older ranking used as a fallback may be followed by the right one.
    if (past.hour === hour) known.set(key, moves);
    return moves;
  };
}
