// Shared by a walk and a fan-out: which rows to show, and in which order.
import type { ServedFeedTrade, ServedTradeRow } from "../../../contract/shapes/types.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { AnswerLabels } from "../present/labels.ts";
import { presentPosition } from "../present/trades.ts";

export type StatusFilter = "open" | "closed" | "all";

export interface TradesBody {
  count: number;
  trades: ServedTradeRow[];
  openCount: number;
  closedCount: number;
  available: boolean;
  nextCursor: string | null;
  truncated: boolean;
  complete: boolean;
  /** When prices were read; null for captured ones. */
  asOf: string | null;
  note: string | null;
}

export function ofStatus(positions: readonly Position[], status: StatusFilter): Position[] {
  return positions.filter((position) => status === "all" || position.status === status);
}

export function tradesBody(
  labels: AnswerLabels,
  positions: readonly Position[],
  feed: readonly ServedFeedTrade[],
  rest: Pick<TradesBody, "available" | "nextCursor" | "truncated" | "complete" | "asOf" | "note">,
): TradesBody {
  const open = positions.filter((position) => position.status === "open").length;
  const trades = [...feed, ...positions.map((position) => presentPosition(labels, position))];
  return {
    count: trades.length,
    trades,
    openCount: open,
    closedCount: positions.length - open,
    ...rest,
  };
}
