// A profit curve: what positions earned from one moment to another, marked to market at the end of each bucket. It is
// pure accounting: realized gains by the moving average of what was bought and received, net of fees, plus the change
// of what is open. The last bucket's sum is the window's profit, and tokens and chains add up to it.
import type { Position, Transfer } from "./position.ts";
import type { Token } from "./token.ts";

/** Tokens that came into a position or left it. */
export interface Move {
  at: number;
  kind: "buy" | "sell" | "in" | "out";
  amount: number;
  /** Paid, received, or worth at that moment. */
  usd: number;
  feeUsd: number;
}

export interface Book {
  tradeId: string;
  token: Token;
  /** Oldest first. */
  moves: readonly Move[];
  /** The token's price at a moment; null when none is known. */
  priceAt(at: number): number | null;
}

export interface CurveBucket {
  opensAt: number;
  pnlUsd: number;
  equityUsd: number;
  realizedUsd: number;
  unrealizedUsd: number;
  volumeUsd: number;
  fills: number;
}

export interface TokenShare {
  token: Token;
  pnlUsd: number;
  volumeUsd: number;
  fills: number;
}

export interface Curve {
  buckets: CurveBucket[];
  shares: TokenShare[];
  pnlUsd: number;
  realizedUsd: number;
  unrealizedChangeUsd: number;
  volumeUsd: number;
  fills: number;
}

interface Holding {
  amount: number;
  costUsd: number;
}

export function pnlCurve(
  books: readonly Book[],
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): Curve {
  const ends = bucketEnds(from, to, stepMs);
  const buckets = ends.map(({ opensAt }) => emptyBucket(opensAt));
  const shares = new Map<string, TokenShare>();
  let openAtStart = 0;
  for (const book of books) {
    const { startUsd, pnlUsd, volumeUsd, fills } = walkBook(book, from, ends, buckets);
    openAtStart += startUsd;
    const key = `${book.token.networkId}:${book.token.address}`;
    const share = shares.get(key) ?? { token: book.token, pnlUsd: 0, volumeUsd: 0, fills: 0 };
    share.pnlUsd += pnlUsd;
    share.volumeUsd += volumeUsd;
    share.fills += fills;
    shares.set(key, share);
  }
  let realizedUsd = 0;
  for (const bucket of buckets) {
    realizedUsd += bucket.realizedUsd;
    bucket.pnlUsd = realizedUsd + bucket.unrealizedUsd - openAtStart;
  }
  const last = buckets.at(-1);
  return {
    buckets,
    shares: [...shares.values()].sort((a, b) => b.pnlUsd - a.pnlUsd),
    pnlUsd: last?.pnlUsd ?? 0,
    realizedUsd,
    unrealizedChangeUsd: (last?.unrealizedUsd ?? 0) - openAtStart,
    volumeUsd: buckets.reduce((sum, bucket) => sum + bucket.volumeUsd, 0),
    fills: buckets.reduce((sum, bucket) => sum + bucket.fills, 0),
  };
}

function bucketEnds(from: number, to: number, stepMs: number): { opensAt: number; end: number }[] {
  const ends: { opensAt: number; end: number }[] = [];
  for (let opensAt = Math.floor(from / stepMs) * stepMs; opensAt < to; opensAt += stepMs)
    ends.push({ opensAt, end: Math.min(opensAt + stepMs, to) });
  return ends;
}

const emptyBucket = (opensAt: number): CurveBucket => ({
  ...{ opensAt, pnlUsd: 0, equityUsd: 0, realizedUsd: 0, unrealizedUsd: 0, volumeUsd: 0, fills: 0 },
});

/** Adds one position to the buckets; returns what it contributed on its own. */
function walkBook(
  book: Book,
  from: number,
  ends: readonly { end: number }[],
  buckets: readonly CurveBucket[],
): { startUsd: number; pnlUsd: number; volumeUsd: number; fills: number } {
  const held: Holding = { amount: 0, costUsd: 0 };
  let next = 0;
  for (; next < book.moves.length && (book.moves[next] as Move).at < from; next++)
    apply(held, book.moves[next] as Move);
  const startUsd = openGain(held, book.priceAt(from));
  let realized = 0;
  let volumeUsd = 0;
  let fills = 0;
  let lastOpen = startUsd;
  for (const [index, { end }] of ends.entries()) {
    const bucket = buckets[index] as CurveBucket;
    for (; next < book.moves.length; next++) {
      const move = book.moves[next] as Move;
      if (move.at >= end) break;
      const gain = apply(held, move);
      bucket.realizedUsd += gain;
      realized += gain;
      if (move.kind === "buy" || move.kind === "sell") {
        bucket.volumeUsd += move.usd;
        bucket.fills += 1;
        volumeUsd += move.usd;
        fills += 1;
      }
    }
    if (held.amount > 0) {
      const price = book.priceAt(end);
      lastOpen = openGain(held, price);
      bucket.unrealizedUsd += lastOpen;
      bucket.equityUsd += price === null ? held.costUsd : held.amount * price;
    } else lastOpen = 0;
  }
  return { startUsd, pnlUsd: realized + lastOpen - startUsd, volumeUsd, fills };
}

/** Less than this share of what was ever held is a rounding error, not a holding. */
const DUST_SHARE = 1e-9;

/** Takes one move into account; returns what it realized. */
function apply(held: Holding, move: Move): number {
  if (move.kind === "buy" || move.kind === "in") {
    held.amount += move.amount;
    held.costUsd += move.usd;
    return -move.feeUsd;
  }
  const before = held.amount;
  const taken = Math.min(move.amount, before);
  const costUsd = before > 0 ? held.costUsd * (taken / before) : 0;
  held.amount = before - taken;
  held.costUsd -= costUsd;
  if (held.amount <= before * DUST_SHARE) {
    held.amount = 0;
    held.costUsd = 0;
  }
  // What is sent away leaves at its cost: it is neither a gain nor a loss.
  return move.kind === "sell" ? move.usd - costUsd - move.feeUsd : 0;
}

function openGain(held: Holding, price: number | null): number {
  return price === null ? 0 : held.amount * price - held.costUsd;
}

/** Relative difference below which two sums of amounts are the same. */
const SAME_SHARE = 1e-6;

/**
 * A position's moves from its fills, and from its own totals where fills are missing: what they do not explain counts as
 * bought, received, sold or sent once. `whole` is false when something was missing.
 */
export function movesOf(
  position: Position,
  fills: readonly { side: "buy" | "sell"; at: number; amount: number; usd: number; feeUsd: number | null }[],
  transfers: readonly Transfer[] = [],
): { moves: Move[]; whole: boolean } {
  const sum = (side: "buy" | "sell", of: "amount" | "usd") =>
    fills.reduce((total, fill) => total + (fill.side === side ? fill[of] : 0), 0);
  const moves: Move[] = [
    ...fills.map(({ side, at, amount, usd, feeUsd }) => ({
      ...{ kind: side, at, amount, usd, feeUsd: feeUsd ?? 0 },
    })),
    ...transfers.map(({ direction, at, amount, priceUsd, valueUsd }) => ({
      ...{ kind: direction, at, amount, usd: valueUsd ?? amount * (priceUsd ?? 0), feeUsd: 0 },
    })),
  ];
  const moved = (direction: "in" | "out") =>
    transfers.reduce((total, one) => total + (one.direction === direction ? one.amount : 0), 0);
  const rest = (total: number, known: number) => (total - known > total * SAME_SHARE ? total - known : 0);
  const bought = rest(position.boughtAmount, sum("buy", "amount"));
  const sold = rest(position.soldAmount, sum("sell", "amount"));
  const lastAt = position.closedAt ?? position.lastActivityAt;
  const add = (kind: Move["kind"], at: number, amount: number, usd: number) =>
    amount > 0 && moves.push({ kind, at, amount, usd: Math.max(0, usd), feeUsd: 0 });
  add("buy", position.openedAt, bought, position.costBasisUsd - sum("buy", "usd"));
  const received = rest(position.transferredInAmount, moved("in"));
  add("in", position.openedAt, received, received * (position.avgTransferInPrice ?? 0));
  add("sell", lastAt, sold, position.proceedsUsd - sum("sell", "usd"));
  const sent = rest(position.transferredOutAmount, moved("out"));
  add("out", lastAt, sent, sent * (position.avgTransferOutPrice ?? 0));
  const order = { buy: 0, in: 0, sell: 1, out: 1 };
  moves.sort((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
  return { moves, whole: bought + received + sold + sent === 0 };
}

/** The last known price at or before a moment; before the first one, that one. Points in any order. */
export function priceBook(points: readonly { at: number; price: number }[]): Book["priceAt"] {
  const sorted = [...points].sort((a, b) => a.at - b.at);
  return (at) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as { at: number }).at <= at) low = middle + 1;
      else high = middle;
    }
    return (sorted[low - 1] ?? sorted[0])?.price ?? null;
  };
}
