// The state of books at a moment, and the profit between two moments. This is the only place where profit is
// computed: for a position, a trader, a window or a bucket, in the simulator, the tracker and the service alike.
import type { Micro } from "./money.ts";

/** Totals since some start, and current holdings. All money is before fees, which are counted separately. */
export interface BookTotals {
  /** Realized by sells. */
  gains: Micro;
  fees: Micro;
  /** The cost of the holding, */
  openCost: Micro;
  /** and its value. */
  openValue: Micro;
  /** Bought and received. */
  invested: Micro;
  /** Bought and sold. */
  volume: Micro;
  fills: number;
}

export interface Profit {
  /** gross - fees, and realized + unrealizedChange. */
  net: Micro;
  gross: Micro;
  fees: Micro;
  /** Realized, net of fees. */
  realized: Micro;
  unrealizedChange: Micro;
  /** The capital behind the profit: value at the start, plus what was bought and received since. */
  invested: Micro;
  volume: Micro;
  fills: number;
}

/** A move whose figures are known. */
export interface KnownMove {
  kind: "buy" | "sell" | "receive" | "send";
  usd: Micro;
  fee: Micro;
  costTaken: Micro;
}

export const newTotals = (): BookTotals => ({
  gains: 0,
  fees: 0,
  openCost: 0,
  openValue: 0,
  invested: 0,
  volume: 0,
  fills: 0,
});

export const noProfit = (): Profit => ({
  net: 0,
  gross: 0,
  fees: 0,
  realized: 0,
  unrealizedChange: 0,
  invested: 0,
  volume: 0,
  fills: 0,
});

/** Adds an entry, or (-1) removes it. */
export function enter(totals: BookTotals, { kind, usd, fee, costTaken }: KnownMove, sign: 1 | -1 = 1): void {
  totals.fees += sign * fee;
  if (kind === "buy" || kind === "receive") {
    totals.openCost += sign * usd;
    totals.invested += sign * usd;
  } else totals.openCost -= sign * costTaken;
  if (kind === "sell") totals.gains += sign * (usd - costTaken);
  if (kind === "buy" || kind === "sell") {
    totals.volume += sign * usd;
    totals.fills += sign;
  }
}

export function earned(before: BookTotals, after: BookTotals): Profit {
  const fees = after.fees - before.fees;
  const taken = after.gains - before.gains;
  const unrealizedChange = after.openValue - after.openCost - (before.openValue - before.openCost);
  return {
    net: taken + unrealizedChange - fees,
    gross: taken + unrealizedChange,
    fees,
    realized: taken - fees,
    unrealizedChange,
    invested: before.openValue + after.invested - before.invested,
    volume: after.volume - before.volume,
    fills: after.fills - before.fills,
  };
}

export function addProfit(sum: Profit, part: Profit): void {
  sum.net += part.net;
  sum.gross += part.gross;
  sum.fees += part.fees;
  sum.realized += part.realized;
  sum.unrealizedChange += part.unrealizedChange;
  sum.invested += part.invested;
  sum.volume += part.volume;
  sum.fills += part.fills;
}
