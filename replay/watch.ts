// The follower's own rules, checked on every tick of what is held: the first tick that meets one, before a moment. A stop
// goes before a target, the pessimistic choice.
import type { RuleCause } from "./due-exits.ts";
import type { TokenTape } from "./tape.ts";
import type { ExitRules } from "./terms.ts";

/** The state that rules use, by position. */
export interface WatchedHoldings {
  openedAt: Float64Array;
  /** A token's average cost, without fees. */
  entryUsd: Float64Array;
  /** The highest price since it was opened. */
  highUsd: Float64Array;
  /** The tick to look at next. */
  nextTick: Int32Array;
}

export interface MetRule {
  at: number;
  cause: RuleCause;
  basisUsd: number;
}

/** Looks at the ticks up to and including `until`; moves the holding's place and its high along. */
export function firstMet(
  rules: ExitRules,
  tape: TokenTape,
  { openedAt, entryUsd, highUsd, nextTick }: WatchedHoldings,
  position: number,
  until: number,
): MetRule | null {
  const entry = entryUsd[position] as number;
  let high = highUsd[position] as number;
  let tick = nextTick[position] as number;
  const { stopLossPct, takeProfitPct, trailingPct, maxHoldMs } = rules;
  const stop = stopLossPct === null ? 0 : entry * (1 - stopLossPct / 100);
  const goal = takeProfitPct === null ? Number.POSITIVE_INFINITY : entry * (1 + takeProfitPct / 100);
  const kept = trailingPct === null ? 0 : 1 - trailingPct / 100;
  const holdEnds = maxHoldMs === null ? Number.POSITIVE_INFINITY : (openedAt[position] as number) + maxHoldMs;
  const last = Math.min(until, holdEnds);
  let met: MetRule | null = null;
  for (; met === null && tick < tape.at.length; tick++) {
    const at = tape.at[tick] as number;
    if (at > last) break;
    const price = tape.price[tick] as number;
    if (price > high) high = price;
    const cause =
      price <= stop
        ? "stopLoss"
        : trailingPct !== null && price <= high * kept
          ? "trailing"
          : price >= goal
            ? "takeProfit"
            : null;
    if (cause) met = { at, cause, basisUsd: price };
  }
  highUsd[position] = high;
  nextTick[position] = tick;
  if (met) return met;
  return holdEnds <= until ? { at: holdEnds, cause: "maxHold", basisUsd: Number.NaN } : null;
}
