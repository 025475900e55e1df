// Invariants of every position, on any platform.
import type { Position } from "./shapes/position.ts";
import type { Trader } from "./shapes/trader.ts";

/** Platforms round what they show. */
const CLOSE_SHARE = 1e-6;

/** The violated invariant of a position; null when none is. */
export function faultOf(position: Position, trader: Trader): string | null {
  const { boughtAmount, soldAmount, transferredInAmount, transferredOutAmount } = position;
  const cameIn = boughtAmount + transferredInAmount;
  const held = cameIn - soldAmount - transferredOutAmount;
  if (position.userId !== trader.userId) return `${position.tradeId} is another trader's`;
  if (held < -cameIn * CLOSE_SHARE) return `${position.tradeId} holds less than nothing`;
  if (position.status === "closed" && !isClose(held, 0, cameIn))
    return `${position.tradeId} is closed and holds some`;
  if ((position.status === "closed") !== (position.closedAt !== null))
    return `${position.tradeId} has a wrong end`;
  return position.openedAt <= position.lastActivityAt ? null : `${position.tradeId} ends before it begins`;
}

export function isClose(a: number, b: number, scale: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(scale), 1e-9) * CLOSE_SHARE;
}
