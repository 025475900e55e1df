// The effect of one move on a holding. Cost is the moving average of buys and receipts; tokens sold or sent
// take their share of it along. Received tokens cost what they were worth on arrival, so a gift is no profit, and
// sending realizes nothing. An unknown cost stays unknown until the position is closed.
import { type Micro, toMicro } from "./money.ts";

export type MoveKind = "buy" | "sell" | "receive" | "send";

export interface BookMove {
  at: number;
  kind: MoveKind;
  /** Tokens, above zero. */
  amount: number;
  /** Paid, received, or worth at that moment, without fees; null when unknown. */
  usd: number | null;
  /** App and network fees; null when unknown. */
  feeUsd: number | null;
  txHash: string | null;
}

export interface Lot {
  amount: number;
  /** The largest holding so far, to tell a remainder from a rounding error. */
  largest: number;
  /** The cost of the holding; null when unknown. */
  cost: Micro | null;
}

export interface BookedMove {
  move: BookMove;
  usd: Micro | null;
  fee: Micro;
  /** The cost of the tokens that left. */
  costTaken: Micro | null;
  /** Of a sell, before fees. */
  gain: Micro | null;
  after: Lot;
}

/** Less than this share of the largest holding is a rounding error, not a holding. */
const DUST_SHARE = 1e-9;

export const NOTHING_HELD: Lot = { amount: 0, largest: 0, cost: 0 };

export function isIncoming(kind: MoveKind): boolean {
  return kind === "buy" || kind === "receive";
}

/** The share of a cost that belongs to a share of the tokens. */
export function costShare(cost: Micro, part: number, whole: number): Micro {
  return part >= whole ? cost : Math.min(cost, Math.round(cost * (part / whole)));
}

export function book(held: Lot, move: BookMove): BookedMove {
  const usd = move.usd === null ? null : toMicro(move.usd);
  const fee = move.feeUsd === null ? 0 : toMicro(move.feeUsd);
  if (isIncoming(move.kind)) {
    const amount = held.amount + move.amount;
    const cost = held.cost === null || usd === null ? null : held.cost + usd;
    const after = { amount, largest: Math.max(held.largest, amount), cost };
    return { move, usd, fee, costTaken: 0, gain: 0, after };
  }
  const costTaken = costOfOutgoing(held, move.amount, usd);
  const gain = move.kind === "send" ? 0 : usd === null || costTaken === null ? null : usd - costTaken;
  return { move, usd, fee, costTaken, gain, after: afterOutgoing(held, move.amount) };
}

/** The holding at a window's start, and the moves within it. `moves` are oldest first. */
export function splitAt<Move extends BookMove>(
  held: Lot,
  moves: readonly Move[],
  from: number,
): { opening: Lot; later: readonly Move[] } {
  let opening = held;
  let next = 0;
  for (let move = moves[0]; move && move.at < from; move = moves[++next]) opening = book(opening, move).after;
  return { opening, later: next === 0 ? moves : moves.slice(next) };
}

function costOfOutgoing(held: Lot, amount: number, usd: Micro | null): Micro | null {
  const missing = amount - held.amount;
  if (missing <= held.largest * DUST_SHARE)
    return held.cost === null
      ? null
      : isRest(held, amount)
        ? held.cost
        : costShare(held.cost, amount, held.amount);
  // Tokens beyond what was ever seen to arrive were there before: they count as received now, at this price, for no gain.
  if (held.cost === null || usd === null) return null;
  return held.cost + Math.round(usd * (missing / amount));
}

function afterOutgoing(held: Lot, amount: number): Lot {
  if (isRest(held, amount)) return NOTHING_HELD;
  const cost = held.cost === null ? null : held.cost - costShare(held.cost, amount, held.amount);
  return { amount: held.amount - amount, largest: held.largest, cost };
}

const isRest = (held: Lot, amount: number) => held.amount - amount <= held.largest * DUST_SHARE;
