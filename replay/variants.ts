// The same question at other delays and sizes: the ladder, the delay at which nothing is left, and how large orders may
// grow. Each rung is a whole run under the same terms but for that one.
import type { Sliced } from "../kit/slices.ts";
import { SECOND_MS } from "../kit/units.ts";
import { cents } from "./figures.ts";
import { type FoldResult, fold, roiOfFold } from "./fold.ts";
import type { LeaderPlan } from "./leader.ts";
import { type CopySchedule, scheduleOf } from "./schedule.ts";
import type { ReplayTerms } from "./terms.ts";

const LADDER_SECONDS = [0, 2, 5, 15, 60, 300] as const;
const CAPACITY_FIRST_USD = 100;
/** 100 × 2^13 = $819,200: no pool that a trader of ours would use takes more. */
const CAPACITY_DOUBLINGS_MAX = 13;
const CAPACITY_ROI_SHARE = 0.5;

export interface LadderRung {
  delaySeconds: number;
  pnlUsd: number;
  roi: number | null;
  /** How much of it was priced by the tape, from 0 to 1; null without orders. */
  tape: number | null;
}

export interface Variants {
  ladder: LadderRung[];
  /** The first delay, in whole seconds, at which nothing is earned; null when something still is at the longest one. */
  breakEvenDelaySeconds: number | null;
  capacityUsd: number | null;
}

export function* variantsOf(
  plan: LeaderPlan,
  terms: ReplayTerms,
  base: { schedule: CopySchedule; result: FoldResult },
): Sliced<Variants> {
  const atDelay = function* (delayMs: number): Sliced<FoldResult> {
    if (delayMs === terms.delayMs) return base.result;
    const schedule = yield* scheduleOf(plan, delayMs);
    return yield* fold(plan, schedule, { ...terms, delayMs });
  };
  const ladder: LadderRung[] = [];
  for (const delaySeconds of LADDER_SECONDS)
    ladder.push(rungOf(delaySeconds, yield* atDelay(delaySeconds * SECOND_MS)));
  return {
    ladder,
    breakEvenDelaySeconds: yield* breakEven(ladder, atDelay),
    capacityUsd: yield* capacity(plan, terms, base.schedule),
  };
}

function rungOf(delaySeconds: number, result: FoldResult): LadderRung {
  return {
    delaySeconds,
    pnlUsd: cents(result.net),
    roi: roiOfFold(result),
    tape: result.filled === 0 ? null : result.sources.tape / result.filled,
  };
}

/** Between the first rung that earns nothing and the one before, halved down to a second. */
function* breakEven(
  ladder: readonly LadderRung[],
  atDelay: (delayMs: number) => Sliced<FoldResult>,
): Sliced<number | null> {
  const first = ladder.findIndex(({ pnlUsd }) => pnlUsd <= 0);
  if (first <= 0) return first === 0 ? 0 : null;
  let earns = ladder[first - 1]?.delaySeconds ?? 0;
  let loses = ladder[first]?.delaySeconds ?? 0;
  while (loses - earns > 1) {
    const middle = (earns + loses) >> 1;
    const { net } = yield* atDelay(middle * SECOND_MS);
    if (net > 0) earns = middle;
    else loses = middle;
  }
  return loses;
}

/** Capital grows with the order, so that the same orders are made. */
function* capacity(plan: LeaderPlan, terms: ReplayTerms, schedule: CopySchedule): Sliced<number | null> {
  let least: number | null = null;
  let largest: number | null = null;
  for (let doubling = 0; doubling <= CAPACITY_DOUBLINGS_MAX; doubling++) {
    const value = CAPACITY_FIRST_USD * 2 ** doubling;
    const result = yield* fold(plan, schedule, {
      ...terms,
      capitalUsd: terms.capitalUsd * 2 ** doubling,
      size: { mode: "fixed", value, minUsd: null, maxUsd: null },
    });
    const roi = roiOfFold(result);
    if (roi === null || roi <= 0) return largest;
    least ??= roi * CAPACITY_ROI_SHARE;
    if (roi < least) return largest;
    largest = value;
  }
  return largest;
}
