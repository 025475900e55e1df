// What one move does to what is held. Cost is the moving average of what was bought and received; what is sold or sent
// takes its share of it along. Received tokens cost what they were worth when they came, so a gift is no profit, and
// sending realizes nothing. A cost that is not known stays unknown until the position is closed.
import { type Micro, toMicro } from "./money.ts";

export type MoveKind = "buy" | "sell" | "receive" | "send";

export interface BookMove {
  at: number;
  kind: MoveKind;
  /** Tokens, above zero. */
  amount: number;
  /** Paid, received, or worth at that moment, without fees; null when that is not known. */
  usd: number | null;
  /** What the app and the network took; null when that is not known. */
  feeUsd: number | null;
  txHash: string | null;
}

export interface Lot {
  amount: number;
  /** The most that was held at once, which tells a rest from a rounding error. */
  largest: number;
  /** What is held cost this much; null when that is not known. */
  cost: Micro | null;
}

export interface BookedMove {
  move: BookMove;
  usd: Micro | null;
  fee: Micro;
  /** What the tokens that left had cost. */
  costTaken: Micro | null;
  /** Of a sell, before fees. */
  gain: Micro | null;
  after: Lot;
}

/** Less than this share of the most that was held is a rounding error, not a holding. */
const DUST_SHARE = 1e-9;

export const NOTHING_HELD: Lot = { amount: 0, largest: 0, cost: 0 };

export function isIncoming(kind: MoveKind): boolean {
  return kind === "buy" || kind === "receive";
}

/** The part of a cost that goes along with a part of the tokens. */
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

/** What is held when a window begins, and the moves within it. `moves` are oldest first. */
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
  // More than was ever seen to arrive was there before: it counts as received now, at this price, for no gain.
  if (held.cost === null || usd === null) return null;
  return held.cost + Math.round(usd * (missing / amount));
}

function afterOutgoing(held: Lot, amount: number): Lot {
  if (isRest(held, amount)) return NOTHING_HELD;
  const cost = held.cost === null ? null : held.cost - costShare(held.cost, amount, held.amount);
  return { amount: held.amount - amount, largest: held.largest, cost };
}

const isRest = (held: Lot, amount: number) => held.amount - amount <= held.largest * DUST_SHARE;
