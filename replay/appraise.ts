// The figures of a replay by which traders are ranked, without the rest of the answer: two lives instead of thirty. They
// are the same as those of the whole replay under the same terms.
import type { Sliced } from "../kit/slices.ts";
import { cents } from "./figures.ts";
import { fold, roiOfFold } from "./fold.ts";
import { planOf } from "./leader.ts";
import type { ReplayInput } from "./replay.ts";
import { scheduleOf } from "./schedule.ts";
import { type Judgement, judge } from "./verdict.ts";

export interface Appraisal extends Judgement {
  pnlUsd: number;
  roi: number | null;
  orders: number;
  roundTrips: number;
  /** Of the filled orders, priced by the tape; null without any. */
  covered: number | null;
}

export function* appraise({ positions, terms, random }: ReplayInput): Sliced<Appraisal> {
  const plan = yield* planOf(positions, terms);
  const result = yield* fold(plan, yield* scheduleOf(plan, terms.delayMs), terms);
  const atOnce =
    terms.delayMs === 0 ? result : yield* fold(plan, yield* scheduleOf(plan, 0), { ...terms, delayMs: 0 });
  return {
    ...(yield* judge(plan, result, cents(atOnce.net), random)),
    pnlUsd: cents(result.net),
    roi: roiOfFold(result),
    orders: result.filled,
    roundTrips: result.trips.length,
    covered: result.filled === 0 ? null : result.sources.tape / result.filled,
  };
}
