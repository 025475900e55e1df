// The leader's moves, prepared for copying: the moves of all positions in time order, each with the share of
// its position that a sell sold. This is the same for every delay and size.
import type { MoveKind } from "../accounting/lot.ts";
import type { Sliced } from "../kit/slices.ts";
import { EMPTY_TAPE, lastAt, type TokenTape } from "./tape.ts";

export interface LeaderMove {
  at: number;
  kind: MoveKind;
  amount: number;
  /** Paid or received without fees; null when that is not known. */
  usd: number | null;
  /** Its network fee; null when unknown. */
  networkFeeUsd: number | null;
  txHash: string | null;
}

export interface LeaderPosition {
  /** Names the token over all chains. */
  token: string;
  networkId: number;
  tape: TokenTape | null;
  /** Held at the window's start. */
  openingAmount: number;
  /** Within the window, oldest first. */
  moves: readonly LeaderMove[];
  /** Which of several leaders it is of; left out where there is one. */
  leader?: number;
  /** When that leader's buys are copied; left out: always. What was copied is sold as the leader sells, whenever that is. */
  chosen?: readonly ChosenStretch[];
}

/** From a moment, up to another one. */
export interface ChosenStretch {
  from: number;
  to: number;
}

/** A buy or sell that may be copied. */
export interface CopyableMove {
  position: number;
  at: number;
  isBuy: boolean;
  amount: number;
  usd: number | null;
  priceUsd: number | null;
  /** For a sell: the share of the leader's holding that was sold, from 0 to 1. */
  share: number;
  /** For a buy: whether the leader held nothing before. */
  isFirst: boolean;
  /** It is the leader's holding at the window's start. */
  isOpening: boolean;
  /** Where the tape stood as the leader moved. */
  tick: number;
  txHash: string | null;
  /** It is not copied before this moment, because it arrived late; omitted in a replay, where nothing is late. */
  heardAt?: number;
}

export interface LeaderPlan {
  positions: readonly PlannedPosition[];
  moves: readonly CopyableMove[];
  /** Times that the leader sent tokens away, which a follower keeps. */
  sends: number;
}

export interface PlannedPosition {
  token: string;
  networkId: number;
  tape: TokenTape;
  /** The leader's median on this chain. */
  observedFeeUsd: number;
  blockMs: number;
  /** The leader's last known price, for what no tape covers. */
  lastPriceUsd: number | null;
}

/** A rounding remainder is not a holding. */
const DUST_SHARE = 1e-9;

/** How far apart blocks are, by network id; anything else is taken to have one a second. */
const BLOCK_MS: Record<number, number> = {
  1399811149: 400,
  1: 12_000,
  8453: 2_000,
  56: 750,
  4663: 250,
};
const OTHER_BLOCK_MS = 1_000;

export const blockMsOf = (networkId: number): number => BLOCK_MS[networkId] ?? OTHER_BLOCK_MS;

/** When a move is copied. The leader's block is full by the time it is seen: a follower is in the next one at the earliest. */
export function copiedAt(
  { at, isOpening, heardAt }: Pick<CopyableMove, "at" | "isOpening" | "heardAt">,
  delayMs: number,
  blockMs: number,
): number {
  const moment = isOpening ? at : at + Math.max(delayMs, blockMs);
  return heardAt === undefined ? moment : Math.max(moment, heardAt);
}

/** Moves between two looks at the time: well under a millisecond. */
const SLICE_MOVES = 512;

export function* planOf(
  positions: readonly LeaderPosition[],
  window: { from: number; copyOpen: boolean },
): Sliced<LeaderPlan> {
  const fees = feesByLeader(positions);
  // For a leader with unknown fees, those of the other leaders.
  const allFees = medianFees(positions);
  const moves: CopyableMove[] = [];
  const planned: PlannedPosition[] = [];
  let sends = 0;
  let sliced = 0;
  for (const [position, from] of positions.entries()) {
    const { token, networkId, openingAmount } = from;
    const tape = from.tape ?? EMPTY_TAPE;
    const opens = openingAmount > 0 && window.copyOpen && isChosen(from, window.from);
    if (opens) moves.push(openingBuy(position, window.from, openingAmount));
    const lastPriceUsd = addMoves(moves, position, from, tape, opens);
    sends += from.moves.reduce((sum, { kind }) => sum + (kind === "send" ? 1 : 0), 0);
    planned.push({
      token,
      networkId,
      tape,
      observedFeeUsd: fees.get(from.leader ?? 0)?.get(networkId) ?? allFees.get(networkId) ?? 0,
      blockMs: blockMsOf(networkId),
      lastPriceUsd,
    });
    sliced += from.moves.length + 1;
    if (sliced < SLICE_MOVES) continue;
    sliced = 0;
    yield;
  }
  const tokenOf = ({ position }: CopyableMove) => planned[position]?.token ?? "";
  const compare = (a: CopyableMove, b: CopyableMove) =>
    byMoment({ at: a.at, token: tokenOf(a) }, { at: b.at, token: tokenOf(b) });
  return { positions: planned, moves: yield* inOrder(moves, compare), sends };
}

/** Adds what may be copied of one position; returns the leader's last price in it. */
function addMoves(
  moves: CopyableMove[],
  position: number,
  from: LeaderPosition,
  tape: TokenTape,
  opens: boolean,
): number | null {
  let held = from.openingAmount;
  // Sells of what was never copied are nothing to a follower who chooses among leaders.
  let isCopied = opens || from.chosen === undefined;
  let lastPriceUsd: number | null = null;
  let tick = -1;
  for (const { at, kind, amount, usd, txHash } of from.moves) {
    const priceUsd = usd !== null && amount > 0 ? usd / amount : null;
    if (priceUsd !== null) lastPriceUsd = priceUsd;
    if (kind === "buy" && isChosen(from, at)) isCopied = true;
    if ((kind === "buy" && isChosen(from, at)) || (kind === "sell" && isCopied)) {
      const isBuy = kind === "buy";
      tick = lastAt(tape.at, at, tick);
      const share = isBuy ? 0 : soldShare(amount, held);
      const isFirst = isBuy && held === 0;
      moves.push({
        position,
        at,
        isBuy,
        amount,
        usd,
        priceUsd,
        share,
        isFirst,
        isOpening: false,
        tick,
        txHash,
      });
    }
    held = kind === "buy" || kind === "receive" ? held + amount : leftOf(held, amount);
  }
  return lastPriceUsd;
}

/** How many are sorted at once: a millisecond. */
const SORTED_RUN = 1_024;

/**
 * By time; of one moment by token, so that moves learned in another order are copied in the same one. Moves of one
 * token at one moment stay in the order they were given.
 */
export function byMoment(a: { at: number; token: string }, b: { at: number; token: string }): number {
  if (a.at !== b.at || a.token === b.token) return a.at - b.at;
  return a.token < b.token ? -1 : 1;
}

type CompareMoves = (a: CopyableMove, b: CopyableMove) => number;

function* inOrder(moves: readonly CopyableMove[], compare: CompareMoves): Sliced<CopyableMove[]> {
  let runs: CopyableMove[][] = [];
  for (let start = 0; start < moves.length; start += SORTED_RUN) {
    runs.push(moves.slice(start, start + SORTED_RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: CopyableMove[][] = [];
    for (let run = 0; run < runs.length; run += 2)
      merged.push(yield* merge(runs[run] as CopyableMove[], runs[run + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(
  left: readonly CopyableMove[],
  right: readonly CopyableMove[],
  compare: CompareMoves,
): Sliced<CopyableMove[]> {
  const merged: CopyableMove[] = [];
  let next = 0;
  for (const [place, move] of left.entries()) {
    for (let other = right[next]; other && compare(other, move) < 0; other = right[++next])
      merged.push(other);
    merged.push(move);
    if (place % SORTED_RUN === 0) yield;
  }
  for (; next < right.length; next++) merged.push(right[next] as CopyableMove);
  return merged;
}

function openingBuy(position: number, at: number, amount: number): CopyableMove {
  return {
    position,
    at,
    isBuy: true,
    amount,
    usd: null,
    priceUsd: null,
    share: 0,
    isFirst: true,
    isOpening: true,
    tick: -1,
    txHash: null,
  };
}

/** More than was ever seen to arrive sells all of it. */
export const soldShare = (amount: number, held: number): number =>
  amount >= held * (1 - DUST_SHARE) ? 1 : amount / held;

export const leftOf = (held: number, amount: number): number =>
  soldShare(amount, held) === 1 ? 0 : held - amount;

const isChosen = ({ chosen }: LeaderPosition, at: number): boolean =>
  chosen === undefined || chosen.some(({ from, to }) => at >= from && at < to);

/** Each leader pays fees of their own. */
function feesByLeader(positions: readonly LeaderPosition[]): Map<number, Map<number, number>> {
  const byLeader = Map.groupBy(positions, ({ leader }) => leader ?? 0);
  return new Map([...byLeader].map(([leader, own]) => [leader, medianFees(own)]));
}

/** The network fee of a leader's order on each chain. */
export function medianFees(positions: readonly LeaderPosition[]): Map<number, number> {
  const seen = new Map<number, number[]>();
  for (const { networkId, moves } of positions)
    for (const { kind, networkFeeUsd } of moves) {
      if (networkFeeUsd === null || (kind !== "buy" && kind !== "sell")) continue;
      const fees = seen.get(networkId);
      if (fees) fees.push(networkFeeUsd);
      else seen.set(networkId, [networkFeeUsd]);
    }
  return new Map([...seen].map(([networkId, fees]) => [networkId, medianOf(fees) ?? 0]));
}

export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
