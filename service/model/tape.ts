// The tape as it is kept: the ticks of one token within one hour, and the stretches of that hour in which the platform
// vouches that there were no others.
import { HOUR_MS } from "../../kit/units.ts";

/** The state of a token's pool right after a swap. */
export interface TapeTick {
  at: number;
  priceUsd: number;
  depthUsd: number | null;
  feeBps: number;
}

/** Of a pool that is named; null where a token has one pool only. */
export interface NamedTick extends TapeTick {
  pool: string | null;
}

/** Orders go to the deepest pool, or to one that holds at least so much of what that does. */
const DEEP_SHARE = 0.5;
/** Pools of a token that are told apart; the rest of more prices nothing. */
const POOLS_MAX = 16;

/**
 * Of a token's pools in the order of time, the ticks of those that an order would go to. What a pool held when it was last seen
 * counts, and never what it held later.
 */
export function ticksOfDeepPools(ticks: readonly NamedTick[]): readonly TapeTick[] {
  const [first] = ticks;
  // Most tokens have one pool.
  if (ticks.every(({ pool }) => pool === first?.pool)) return ticks;
  const depths = new Map<string | null, number>();
  return ticks.filter(({ pool, depthUsd }) => {
    if (depthUsd !== null && (depths.has(pool) || depths.size < POOLS_MAX)) depths.set(pool, depthUsd);
    if (depths.size < 2) return true;
    return (depths.get(pool) ?? 0) >= DEEP_SHARE * Math.max(...depths.values());
  });
}

/** From inclusive, to exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

export interface TapeHour {
  /** Hours since 1970. */
  hour: number;
  ticks: readonly TapeTick[];
  /** Within the hour, ascending, apart from each other. */
  covered: readonly Stretch[];
  /** The moment at which the platform was asked. */
  readAt: number;
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** Ascending, with those that touch made one. */
export function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (to <= from) continue;
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** What of them lies within a span. */
export function clipStretches(stretches: readonly Stretch[], span: Stretch): Stretch[] {
  return stretches
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);
}
