// The stored tape: the ticks of one token within one hour, and the stretches of that hour for which the platform
// guarantees that there were no others.
import { HOUR_MS } from "../../kit/units.ts";

/** The state of a token's pool right after a swap. */
export interface TapeTick {
  at: number;
  priceUsd: number;
  depthUsd: number | null;
  feeBps: number;
}

/** A tick with its pool; null if a token has only one pool. */
export interface NamedTick extends TapeTick {
  pool: string | null;
}

/** Orders go to the deepest pool, or to one with at least this share of its depth. */
const DEEP_SHARE = 0.5;
/** The most pools per token that are distinguished; any others are ignored. */
const POOLS_MAX = 16;

/**
 * From the ticks of a token's pools in time order, those of pools that an order would go to. A pool's depth is the one last
 * seen, never a later one.
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
  /** Within the hour, ascending, disjoint and not adjacent. */
  covered: readonly Stretch[];
  /** When it was read from the platform. */
  readAt: number;
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** Ascending, with adjacent ones merged. */
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

/** The parts of them within a span. */
export function clipStretches(stretches: readonly Stretch[], span: Stretch): Stretch[] {
  return stretches
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);
}
