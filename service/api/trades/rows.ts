// What a walk and a fan-out have in common: which rows to show, in which order, and keeping what was read.
import type { Chains } from "../../../contract/chains.ts";
import type * as wire from "../../../contract/shapes/types.ts";
import type { Position } from "../../model/position.ts";
import { presentPosition } from "../present/trades.ts";
import type { Services } from "../services.ts";

export type StatusFilter = "open" | "closed" | "all";

export interface TradesBody {
  count: number;
  trades: wire.TradeRow[];
  openCount: number;
  closedCount: number;
  available: boolean;
  nextCursor: string | null;
  truncated: boolean;
  complete: boolean;
  note: string | null;
}

export function ofStatus(positions: readonly Position[], status: StatusFilter): Position[] {
  return positions.filter((position) => status === "all" || position.status === status);
}

export function tradesBody(
  chains: Chains,
  positions: readonly Position[],
  feed: readonly wire.FeedTrade[],
  rest: Pick<TradesBody, "available" | "nextCursor" | "truncated" | "complete" | "note">,
): TradesBody {
  const open = positions.filter((position) => position.status === "open").length;
  const trades = [...feed, ...positions.map((position) => presentPosition(chains, position))];
  return {
    count: trades.length,
    trades,
    openCount: open,
    closedCount: positions.length - open,
    ...rest,
  };
}

/**
 * Puts down what a live read told, so that it can stand in later. The answer does not wait for it. What was captured
 * since upstream was asked is newer and stays.
 */
export function keep(
  services: Pick<Services, "store" | "log">,
  positions: readonly Position[],
  askedAt: number,
): void {
  if (positions.length === 0) return;
  services.store.positions
    .save(positions, askedAt)
    .catch((problem) => services.log.warn("positions that were read could not be kept", { problem }));
}
