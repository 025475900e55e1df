// A captured position's moves, from its fills and transfers, and from its own totals if some of those are missing: the
// unexplained rest counts as one buy, receipt, sale or send, and the position is then not whole.
import type { BookMove, MoveKind } from "../../accounting/lot.ts";
import type { Fill, Position, Transfer } from "../../protocol/shapes/position.ts";
import { tradedLeg } from "./fills-position.ts";

/** Relative difference below which two sums of amounts count as equal. */
const SAME_SHARE = 1e-6;

export function capturedMoves(
  position: Position,
  fills: readonly Fill[],
  transfers: readonly Transfer[],
): { moves: BookMove[]; isWhole: boolean } {
  const known = [...fills.map(moveOfFill), ...transfers.map(moveOfTransfer)];
  const sumOf = (kind: MoveKind) =>
    known.reduce(
      (sum, move) =>
        move.kind === kind ? { amount: sum.amount + move.amount, usd: sum.usd + (move.usd ?? 0) } : sum,
      { amount: 0, usd: 0 },
    );
  const lastAt = position.closedAt ?? position.lastActivityAt;
  /** The rest of a total after subtracting the known moves. */
  const rest = (kind: MoveKind, at: number, amount: number, usd: number | null): BookMove[] => {
    const sum = sumOf(kind);
    const left = amount - sum.amount;
    if (left <= amount * SAME_SHARE) return [];
    const leftUsd = usd === null ? null : Math.max(0, usd - sum.usd);
    return [{ at, kind, amount: left, usd: leftUsd, feeUsd: null, txHash: null }];
  };
  const times = (amount: number, price: number | null) => (price === null ? null : amount * price);
  const { boughtAmount, soldAmount, transferredInAmount: cameIn, transferredOutAmount: wentOut } = position;
  const unexplained = [
    ...rest("buy", position.openedAt, boughtAmount, position.costBasisUsd),
    ...rest("receive", position.openedAt, cameIn, times(cameIn, position.avgTransferInPrice)),
    ...rest("sell", lastAt, soldAmount, position.proceedsUsd),
    ...rest("send", lastAt, wentOut, times(wentOut, position.avgTransferOutPrice)),
  ];
  const order = { buy: 0, receive: 0, sell: 1, send: 1 };
  const moves = [...known, ...unexplained].sort((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
  return { moves, isWhole: unexplained.length === 0 };
}

function moveOfFill(fill: Fill): BookMove {
  const { side, at, feeUsd, txHash } = fill;
  const { amount, usd } = tradedLeg(fill);
  return { at, kind: side, amount, usd, feeUsd, txHash };
}

function moveOfTransfer({ direction, at, amount, priceUsd, valueUsd, txHash }: Transfer): BookMove {
  const usd = valueUsd ?? (priceUsd === null ? null : amount * priceUsd);
  return { at, kind: direction === "in" ? "receive" : "send", amount, usd, feeUsd: 0, txHash };
}
