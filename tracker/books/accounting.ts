// Positions from on-chain events, in order. Amounts are exact raw integers; money is booked by `accounting/`. A missing price
// does not mean worthless: the position's cost, and so its gain, is unknown.
import {
  type BookedMove,
  type BookMove,
  book as bookMove,
  type Lot,
  NOTHING_HELD,
} from "../../accounting/lot.ts";
import { toUsd } from "../../accounting/money.ts";
import { addMove, type BookSums, NO_SUMS } from "../../accounting/span.ts";
import { derivedUuid } from "../../kit/ids.ts";
import { amountOf } from "./amounts.ts";

/** The effect of one transaction on one trader's holding of one token, over all of the trader's wallets. */
export interface Change {
  chainId: number;
  token: string;
  txHash: string;
  height: number;
  txIndex: number;
  timeMs: number;
  /** The wallet shown for it: the first that took part. */
  wallet: string;
  /** Positive if it came in. Never zero: moves between a trader's own wallets cancel out and are not a change. */
  netRaw: bigint;
  isSwap: boolean;
  /** The total value; null when nothing could price it. */
  valueUsd: number | null;
  /** The network fee; null when the chain's coin has no price. */
  feeUsd: number | null;
  counterparty: string | null;
  /** The source of its value; null when unknown. */
  pricedBy: "stable" | "native" | "pool" | null;
  depthUsd: number | null;
  asOf: number | null;
  /** Whether every amount in it is exact. */
  isExact: boolean;
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
  /** Total cost of everything bought, without fees; like all sums here, null when part of it has no price. */
  costBasisUsd: number | null;
  proceedsUsd: number | null;
  inValueUsd: number | null;
  outValueUsd: number | null;
  /** Net of fees. */
  realizedUsd: number | null;
  feesUsd: number | null;
  /** Every amount in it is exact, and no opening balance is unknown. */
  isExact: boolean;
  /** The holding, at cost. */
  lot: Lot;
  /** The totals of its moves. */
  sums: BookSums;
  openedAt: number;
  lastActivityAt: number;
  /** The last buy or sell. */
  lastFillAt: number | null;
  closedAt: number | null;
}

/** One change with the position right after it. */
export interface Booked {
  change: Change;
  move: BookMove;
  after: PositionState;
  /** Net of this change's fee; null when unknown. */
  realizedDeltaUsd: number | null;
}

/** Every position of one trader in one token: each change with the state of its position. */
export function book(
  userId: string,
  changes: readonly Change[],
  decimals: number,
  isOpeningKnown = true,
): Booked[] {
  const booked: Booked[] = [];
  let position: PositionState | null = null;
  for (const change of changes) {
    const next: Booked = apply(position ?? opened(userId, change, isOpeningKnown), change, decimals);
    booked.push(next);
    position = next.after.closedAt === null ? next.after : null;
  }
  return booked;
}

/** The last state of each position, oldest first. */
export function positionsOf(booked: readonly Booked[]): PositionState[] {
  return [...new Map(booked.map(({ after }) => [after.tradeId, after])).values()];
}

function opened(userId: string, { chainId, token, txHash, timeMs }: Change, isExact: boolean): PositionState {
  return {
    tradeId: derivedUuid("position", userId, chainId, token, txHash),
    chainId,
    token,
    heldRaw: 0n,
    boughtRaw: 0n,
    soldRaw: 0n,
    inRaw: 0n,
    outRaw: 0n,
    costBasisUsd: 0,
    proceedsUsd: 0,
    inValueUsd: 0,
    outValueUsd: 0,
    realizedUsd: 0,
    feesUsd: 0,
    isExact,
    lot: NOTHING_HELD,
    sums: NO_SUMS,
    openedAt: timeMs,
    lastActivityAt: timeMs,
    lastFillAt: null,
    closedAt: null,
  };
}

function moveOf(change: Change, decimals: number): BookMove {
  const { netRaw, isSwap, timeMs, valueUsd, feeUsd, txHash } = change;
  const cameIn = netRaw > 0n;
  return {
    at: timeMs,
    kind: isSwap ? (cameIn ? "buy" : "sell") : cameIn ? "receive" : "send",
    amount: Math.abs(amountOf(netRaw, decimals)),
    usd: valueUsd,
    feeUsd: isSwap ? feeUsd : 0,
    txHash,
  };
}

function apply(before: PositionState, change: Change, decimals: number): Booked {
  const move = moveOf(change, decimals);
  const booked = bookMove(before.lot, move);
  const realizedDeltaUsd = gainOf(booked);
  const size = change.netRaw < 0n ? -change.netRaw : change.netRaw;
  const after: PositionState = {
    ...before,
    lot: booked.after,
    sums: addMove(before.sums, booked),
    realizedUsd: plus(before.realizedUsd, realizedDeltaUsd),
    feesUsd: plus(before.feesUsd, move.feeUsd),
    isExact: before.isExact && change.isExact,
    lastActivityAt: change.timeMs,
    lastFillAt: change.isSwap ? change.timeMs : before.lastFillAt,
  };
  if (change.netRaw > 0n) comeIn(after, move, size);
  else goOut(after, move, size);
  if (after.heldRaw === 0n) {
    after.closedAt = change.timeMs;
    after.lot = NOTHING_HELD;
  }
  return { change, move, after, realizedDeltaUsd };
}

function comeIn(after: PositionState, { kind, usd }: BookMove, size: bigint): void {
  after.heldRaw += size;
  if (kind === "buy") {
    after.boughtRaw += size;
    after.costBasisUsd = plus(after.costBasisUsd, usd);
  } else {
    after.inRaw += size;
    after.inValueUsd = plus(after.inValueUsd, usd);
  }
}

function goOut(after: PositionState, { kind, usd }: BookMove, size: bigint): void {
  const missing = size > after.heldRaw ? size - after.heldRaw : 0n;
  if (missing > 0n) {
    after.isExact = false;
    // More went out than was ever seen to come in: the rest was there before, and counts as received at today's price.
    after.heldRaw += missing;
    after.inRaw += missing;
    after.inValueUsd = plus(after.inValueUsd, usd === null ? null : (usd * Number(missing)) / Number(size));
  }
  after.heldRaw -= size;
  if (kind === "sell") {
    after.soldRaw += size;
    after.proceedsUsd = plus(after.proceedsUsd, usd);
  } else {
    after.outRaw += size;
    after.outValueUsd = plus(after.outValueUsd, usd);
  }
}

/** An unknown fee counts as zero; `feesUsd` shows that it is unknown. */
function gainOf({ gain, fee }: BookedMove): number | null {
  return gain === null ? null : toUsd(gain - fee);
}

const plus = (sum: number | null, part: number | null): number | null =>
  sum === null || part === null ? null : sum + part;
