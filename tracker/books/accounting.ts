// The accounting of positions, as a pure function of what happened, in order. Amounts are raw integers; gains use the moving
// average of what was bought and received, at the price it had when it came, so that a gift is no profit.
import { derivedUuid } from "../../kit/ids.ts";
import { amountOf } from "./amounts.ts";

/** What one transaction did to one trader's holding of one token, over all of the trader's wallets. */
export interface Change {
  chainId: number;
  token: string;
  txHash: string;
  height: number;
  txIndex: number;
  timeMs: number;
  /** The wallet that stands for it: the first that took part. */
  wallet: string;
  /** Above zero it came in. Never zero: moves between a trader's own wallets cancel out and are no change. */
  netRaw: bigint;
  isSwap: boolean;
  /** What the whole of it is worth; null when nothing could price it. */
  valueUsd: number | null;
  feeUsd: number;
  counterparty: string | null;
  isFinal: boolean;
}

export interface PositionState {
  tradeId: string;
  chainId: number;
  token: string;
  heldRaw: bigint;
  boughtRaw: bigint;
  soldRaw: bigint;
  inRaw: bigint;
  outRaw: bigint;
  /** What all that was bought cost, without network fees. */
  costBasisUsd: number;
  proceedsUsd: number;
  inValueUsd: number;
  outValueUsd: number;
  /** What is held cost this much, network fees included. */
  openCostUsd: number;
  realizedUsd: number;
  openedAt: number;
  lastActivityAt: number;
  closedAt: number | null;
}

/** One change with the position right after it. */
export interface Booked {
  change: Change;
  after: PositionState;
  realizedDeltaUsd: number;
}

/** Every position of one trader in one token, and each change in the light of the position it belongs to. */
export function book(userId: string, changes: readonly Change[], decimals: number): Booked[] {
  const booked: Booked[] = [];
  let position: PositionState | null = null;
  for (const change of changes) {
    const before: PositionState = position ?? opened(userId, change);
    const { after, realizedDeltaUsd } = apply(before, change, decimals);
    booked.push({ change, after, realizedDeltaUsd });
    position = after.closedAt === null ? after : null;
  }
  return booked;
}

/** The last state of each position, oldest first. */
export function positionsOf(booked: readonly Booked[]): PositionState[] {
  return [...new Map(booked.map(({ after }) => [after.tradeId, after])).values()];
}

function opened(userId: string, { chainId, token, txHash, timeMs }: Change): PositionState {
  return {
    tradeId: derivedUuid("position", userId, chainId, token, txHash),
    ...{ chainId, token, heldRaw: 0n, boughtRaw: 0n, soldRaw: 0n, inRaw: 0n, outRaw: 0n },
    ...{ costBasisUsd: 0, proceedsUsd: 0, inValueUsd: 0, outValueUsd: 0, openCostUsd: 0, realizedUsd: 0 },
    ...{ openedAt: timeMs, lastActivityAt: timeMs, closedAt: null },
  };
}

function apply(before: PositionState, change: Change, decimals: number) {
  const after = { ...before, lastActivityAt: change.timeMs };
  const size = change.netRaw < 0n ? -change.netRaw : change.netRaw;
  const valueUsd = change.valueUsd ?? 0;
  let realizedDeltaUsd = 0;
  if (change.netRaw > 0n) {
    // The fee counts for gains; what the tokens themselves cost is the sum of the fills, on every platform.
    after.heldRaw += size;
    after.openCostUsd += change.isSwap ? valueUsd + change.feeUsd : valueUsd;
    if (change.isSwap) {
      after.boughtRaw += size;
      after.costBasisUsd += valueUsd;
    } else {
      after.inRaw += size;
      after.inValueUsd += valueUsd;
    }
    return { after, realizedDeltaUsd };
  }
  const missing = size > after.heldRaw ? size - after.heldRaw : 0n;
  if (missing > 0n) receiveUnseen(after, missing, size, valueUsd);
  const costUsd = shareOf(after.openCostUsd, size, after.heldRaw, decimals);
  after.heldRaw -= size;
  after.openCostUsd = after.heldRaw === 0n ? 0 : after.openCostUsd - costUsd;
  if (change.isSwap) {
    // Without a price nothing is known to be gained or lost.
    const gotUsd = change.valueUsd ?? costUsd;
    realizedDeltaUsd = gotUsd - change.feeUsd - costUsd;
    after.soldRaw += size;
    after.proceedsUsd += gotUsd;
    after.realizedUsd += realizedDeltaUsd;
  } else {
    after.outRaw += size;
    after.outValueUsd += change.valueUsd ?? costUsd;
  }
  if (after.heldRaw === 0n) after.closedAt = change.timeMs;
  return { after, realizedDeltaUsd };
}

/** More went out than was ever seen to come: it was there before, and counts as received at today's price, for no gain. */
function receiveUnseen(after: PositionState, missing: bigint, size: bigint, valueUsd: number): void {
  const worthUsd = (valueUsd * Number(missing)) / Number(size);
  after.heldRaw += missing;
  after.inRaw += missing;
  after.inValueUsd += worthUsd;
  after.openCostUsd += worthUsd;
}

function shareOf(costUsd: number, part: bigint, whole: bigint, decimals: number): number {
  if (whole === 0n) return 0;
  return part === whole ? costUsd : costUsd * (amountOf(part, decimals) / amountOf(whole, decimals));
}
