// What a ranked trader's captured positions say of a window: how often they win, what a dollar brought, and their best
// trade; over all chains, or on one.
import type { Position } from "./position.ts";

export interface TraderFigures {
  /** Taken and open, over positions that were open in the window. */
  pnlUsd: number;
  /** From 0 to 1; null when nothing was closed in the window. */
  winRate: number | null;
  /** Profit for each dollar of cost; null when nothing was paid. */
  roi: number | null;
  best: Position | null;
  positions: number;
}

/** `positions` are one trader's that were open at some time since `from`. */
export function figuresOf(
  positions: readonly Position[],
  from: number,
  networkId: number | null,
): TraderFigures {
  const wanted =
    networkId === null ? positions : positions.filter((each) => each.token.networkId === networkId);
  const closed = wanted.filter(({ closedAt }) => closedAt !== null && closedAt >= from);
  const costUsd = wanted.reduce((sum, each) => sum + costOf(each), 0);
  const pnlUsd = wanted.reduce((sum, each) => sum + gainOf(each), 0);
  const best = wanted.reduce<Position | null>(
    (most, each) => (most === null || gainOf(each) > gainOf(most) ? each : most),
    null,
  );
  return {
    pnlUsd,
    winRate: closed.length === 0 ? null : closed.filter((each) => gainOf(each) > 0).length / closed.length,
    roi: costUsd > 0 ? pnlUsd / costUsd : null,
    best,
    positions: wanted.length,
  };
}

export function gainOf(position: Position): number {
  return position.realizedPnlUsd + position.unrealizedPnlUsd;
}

/** What went in: what was paid, and what was received at its price then. */
export function costOf(position: Position): number {
  return position.costBasisUsd + position.transferredInAmount * (position.avgTransferInPrice ?? 0);
}
