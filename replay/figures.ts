// How the follower did: returns, drawdown, win rate and the rest, from round trips and the curve of the account.
import { type Micro, toMicro, toUsd } from "../accounting/money.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../kit/units.ts";
import { type FoldResult, roiOfFold } from "./fold.ts";
import { medianOf } from "./leader.ts";
import type { ReplayTerms } from "./terms.ts";

export interface CurvePoint {
  at: number;
  pnlUsd: number;
}

/** Up to this long a curve has a point each hour, then each day. */
const HOURLY_UP_TO_MS = 2 * DAY_MS;
const RATIO_DAYS_MIN = 20;
const DAYS_A_YEAR = 365;

/** Whole hours or days within the window, and its end. */
export function curveEnds({ from, to }: { from: number; to: number }): number[] {
  const step = to - from <= HOURLY_UP_TO_MS ? HOUR_MS : DAY_MS;
  const ends: number[] = [];
  for (let at = (Math.floor(from / step) + 1) * step; at < to; at += step) ends.push(at);
  return [...ends, to];
}

export function followerFigures(result: FoldResult, terms: ReplayTerms) {
  const { trips, exposedMs, curve } = result;
  const wins = trips.filter(({ net }) => net > 0);
  const gained = wins.reduce((sum, { net }) => sum + net, 0);
  const lost = trips.reduce((sum, { net }) => sum - Math.min(0, net), 0);
  const equities = [0, ...curve.map(({ net }) => net)].map((net) => toMicro(terms.capitalUsd) + net);
  const isDaily = terms.to - terms.from > HOURLY_UP_TO_MS;
  const returns = isDaily ? returnsOf(equities) : [];
  const held = medianOf(trips.map(({ openedAt, closedAt }) => closedAt - openedAt));
  return {
    pnlUsd: cents(result.net),
    /** Relative to the most cash ever invested. */
    roi: roiOfFold(result),
    maxDrawdownPct: drawdown(equities),
    winRate: trips.length === 0 ? null : wins.length / trips.length,
    /** Null without a loss. */
    profitFactor: lost === 0 ? null : gained / lost,
    sharpe: ratio(returns, deviation(returns)),
    sortino: ratio(returns, downside(returns)),
    /** How much of the window's time something was held. */
    exposurePct: terms.to > terms.from ? (100 * exposedMs) / (terms.to - terms.from) : 0,
    orders: result.filled,
    roundTrips: trips.length,
    medianHoldSeconds: held === null ? null : held / SECOND_MS,
  };
}

export type FollowerFigures = ReturnType<typeof followerFigures>;

/** Never a negative zero. */
export const cents = (micro: Micro): number => Math.round(toUsd(micro) * 100) / 100 + 0;

function drawdown(equities: readonly number[]): number {
  let high = 0;
  let worst = 0;
  for (const equity of equities) {
    high = Math.max(high, equity);
    if (high > 0) worst = Math.max(worst, (high - equity) / high);
  }
  return 100 * worst;
}

/** One per whole day; a partial last day is left out. */
function returnsOf(equities: readonly number[]): number[] {
  return equities.slice(1, -1).map((equity, day) => {
    const before = equities[day] as number;
    return before > 0 ? equity / before - 1 : 0;
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviation(returns: readonly number[]): number {
  const middle = mean(returns);
  return Math.sqrt(mean(returns.map((value) => (value - middle) ** 2)));
}

const downside = (returns: readonly number[]) =>
  Math.sqrt(mean(returns.map((value) => Math.min(0, value) ** 2)));

/** By year; null when it would rest on too few days, or nothing moved. */
function ratio(returns: readonly number[], spread: number): number | null {
  if (returns.length < RATIO_DAYS_MIN || !(spread > 0)) return null;
  return (mean(returns) / spread) * Math.sqrt(DAYS_A_YEAR);
}
