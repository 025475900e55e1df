// Statistics of a trader's closed positions: how often they gain, by how much, and how long they hold. Only positions whose
// profit is known count; a received token has no cost, so it has no return.
import type { Position } from "../../client/src/generated.ts";

export type ClosedPosition = Pick<
  Position,
  "tradeId" | "token" | "chainId" | "pnlUsd" | "costBasisUsd" | "createdAt" | "closedAt"
>;

export interface Bin {
  label: string;
  count: number;
  isGain: boolean;
}

/** Upper ends, in per cent, excluded; the last has none. */
const RETURN_BINS = [
  ["under −50%", -50],
  ["−50 to −20%", -20],
  ["−20 to 0%", 0],
  ["0 to 20%", 20],
  ["20 to 50%", 50],
  ["50 to 100%", 100],
  ["100 to 300%", 300],
  ["over 300%", Number.POSITIVE_INFINITY],
] as const;
const MINUTE = 60_000;
const HOLD_BINS = [
  ["under 5 min", 5 * MINUTE],
  ["5 to 60 min", 60 * MINUTE],
  ["1 to 6 h", 360 * MINUTE],
  ["6 to 24 h", 1_440 * MINUTE],
  ["1 to 7 d", 10_080 * MINUTE],
  ["over 7 d", Number.POSITIVE_INFINITY],
] as const;

export const returnPct = ({
  pnlUsd,
  costBasisUsd,
}: Pick<Position, "pnlUsd" | "costBasisUsd">): number | null =>
  pnlUsd === null || costBasisUsd === null || costBasisUsd <= 0 ? null : (pnlUsd / costBasisUsd) * 100;

const holdMs = ({ createdAt, closedAt }: ClosedPosition): number | null =>
  closedAt === null ? null : Date.parse(closedAt) - Date.parse(createdAt);

export function trackRecordOf(positions: readonly ClosedPosition[]) {
  const known = positions.filter(({ pnlUsd }) => pnlUsd !== null);
  const gains = known.map(({ pnlUsd }) => pnlUsd ?? 0);
  const returns = known.map(returnPct).filter((value) => value !== null);
  const holds = known.map(holdMs).filter((value) => value !== null);
  const lost = -sum(gains.filter((value) => value < 0));
  const ranked = [...known].sort((a, b) => (b.pnlUsd ?? 0) - (a.pnlUsd ?? 0));
  return {
    /** Closed positions whose profit is known. */
    count: known.length,
    winRate: known.length === 0 ? null : gains.filter((value) => value > 0).length / known.length,
    /** Gains divided by losses; null without a loss. */
    profitFactor: lost > 0 ? sum(gains.filter((value) => value > 0)) / lost : null,
    medianReturnPct: median(returns),
    medianHoldMs: median(holds),
    returns: binned(returns, RETURN_BINS).map((bin, index) => ({ ...bin, isGain: index >= 3 })),
    holds: binned(holds, HOLD_BINS),
    best: ranked[0] ?? null,
    worst: ranked.length > 1 ? (ranked.at(-1) ?? null) : null,
  };
}

export type TrackRecord = ReturnType<typeof trackRecordOf>;

/** The largest fall from a high along a curve of profit that begins at 0. */
export function drawdownOf(curve: readonly number[]): number {
  let [high, fall] = [0, 0];
  for (const value of curve) {
    high = Math.max(high, value);
    fall = Math.max(fall, high - value);
  }
  return fall;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function binned(values: readonly number[], bins: readonly (readonly [string, number])[]) {
  const counted = bins.map(([label]) => ({ label, count: 0 }));
  for (const value of values) {
    const bin = counted[bins.findIndex(([, end]) => value < end)];
    if (bin) bin.count += 1;
  }
  return counted;
}
