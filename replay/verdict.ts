// Whether the result says anything. What was earned by token is drawn again and again with replacement: if nine draws of ten
// don't agree on the sign, one lucky token may have made it all.
import { type Micro, toUsd } from "../accounting/money.ts";
import type { Random } from "../kit/random.ts";
import type { Sliced } from "../kit/slices.ts";
import type { FoldResult } from "./fold.ts";
import type { LeaderPlan } from "./leader.ts";

export type Verdict = "copyable" | "fades" | "not_copyable" | "too_few";
export type Doubt = "roundTrips" | "coverage" | "chance";

export interface Judgement {
  verdict: Verdict;
  /** Why it is too few; empty otherwise. */
  doubts: Doubt[];
  /** The follower's profit is in this range in nine draws of ten; null when nothing was copied. */
  low90Usd: number | null;
  high90Usd: number | null;
}

const ROUND_TRIPS_MIN = 30;
const COVERED_MIN = 0.8;
const DRAWS = 1_000;
/** Of the draws, at either end. */
const TAIL = 0.05;
/** Drawn values between two looks at the time. */
const SLICE_VALUES = 50_000;

export function* judge(
  plan: LeaderPlan,
  result: FoldResult,
  atOnceUsd: number,
  random: Random,
): Sliced<Judgement> {
  const interval = yield* bootstrap(netByToken(plan, result), random);
  const doubts: Doubt[] = [];
  if (result.trips.length < ROUND_TRIPS_MIN) doubts.push("roundTrips");
  if (result.filled === 0 || result.sources.tape / result.filled < COVERED_MIN) doubts.push("coverage");
  if (interval === null || (interval.low <= 0 && interval.high >= 0)) doubts.push("chance");
  const verdict =
    doubts.length > 0 ? "too_few" : result.net > 0 ? "copyable" : atOnceUsd > 0 ? "fades" : "not_copyable";
  return {
    verdict,
    doubts,
    low90Usd: interval && toUsd(interval.low),
    high90Usd: interval && toUsd(interval.high),
  };
}

/** By token, in the order of its first position; a token counts once any of it was bought, even if its profit is zero. */
function netByToken({ positions }: LeaderPlan, { netByPosition, trips, closing }: FoldResult): Micro[] {
  const bought = new Uint8Array(positions.length);
  for (const { position } of trips) bought[position] = 1;
  for (const { position } of closing) bought[position] = 1;
  const nets = new Map<string, Micro>();
  for (const [place, { token }] of positions.entries())
    if (bought[place] === 1) nets.set(token, (nets.get(token) ?? 0) + (netByPosition[place] as number));
  return [...nets.values()];
}

function* bootstrap(values: readonly Micro[], random: Random): Sliced<{ low: Micro; high: Micro } | null> {
  const count = values.length;
  if (count === 0) return null;
  const all = Float64Array.from(values);
  const sums = new Float64Array(DRAWS);
  const next = quickDraws(random, count);
  let drawn = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (let place = 0; place < count; place++) sum += all[next()] as number;
    sums[draw] = sum;
    drawn += count;
    if (drawn < SLICE_VALUES) continue;
    drawn = 0;
    yield;
  }
  sums.sort();
  const at = (share: number) => sums[Math.floor(share * (DRAWS - 1))] as number;
  return { low: at(TAIL), high: at(1 - TAIL) };
}

/** A million places below `count` in a few milliseconds (xorshift); where they begin is the chance that was given. */
function quickDraws(random: Random, count: number): () => number {
  let word = random.below(0xffff_ffff) + 1;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return Math.floor(((word >>> 0) / 0x1_0000_0000) * count);
  };
}
