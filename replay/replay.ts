// What following a trader would have earned: a pure fold over the leader's moves, the pools' states, and how the
// follower copies. It reads no clock and draws no chance but what it is given, and stops after each slice of work.
import { toUsd } from "../accounting/money.ts";
import type { Random } from "../kit/random.ts";
import type { Sliced } from "../kit/slices.ts";
import { bridgeOf } from "./bridge.ts";
import { type CurvePoint, cents, curveEnds, type FollowerFigures, followerFigures } from "./figures.ts";
import { type FoldResult, fold, roiOfFold } from "./fold.ts";
import { type LeaderPosition, planOf } from "./leader.ts";
import type { ReplayOrder } from "./order.ts";
import { scheduleOf } from "./schedule.ts";
import type { PriceSource } from "./tape.ts";
import type { ReplayTerms, SkipReason } from "./terms.ts";
import { type Variants, variantsOf } from "./variants.ts";
import { type Judgement, judge } from "./verdict.ts";

export interface ReplayInput {
  positions: readonly LeaderPosition[];
  terms: ReplayTerms;
  random: Random;
}

export interface ReplayAnswer extends Variants, Judgement {
  follower: FollowerFigures;
  bridge: {
    leaderUsd: number;
    skippedUsd: number;
    delayUsd: number;
    impactUsd: number;
    feesUsd: number;
    netUsd: number;
  };
  /** The follower's return by the leader's at the same sizes; null where that earned nothing. */
  captured: number | null;
  skipped: Partial<Record<SkipReason, number>>;
  /** Shares of the filled orders; null without any. */
  coverage: Record<PriceSource, number> | null;
  /** Holdings at the end that can't be sold any more and count as worth nothing. */
  dead: number;
  /** Times that the leader sent tokens away, which the follower keeps. */
  leaderMovedTokens: number;
  turnoverUsd: number;
  curve: CurvePoint[];
  orders: ReplayOrder[];
}

export function* replay({ positions, terms, random }: ReplayInput): Sliced<ReplayAnswer> {
  const plan = yield* planOf(positions, terms);
  const schedule = yield* scheduleOf(plan, terms.delayMs);
  const extras = { keepsOrders: true, curveEnds: curveEnds(terms) };
  const result = yield* fold(plan, schedule, terms, extras);
  const { bridge, leaderRoi } = yield* bridgeOf(plan, result, terms.to);
  const variants = yield* variantsOf(plan, terms, { schedule, result });
  const judgement = yield* judge(plan, result, variants.ladder[0]?.pnlUsd ?? 0, random);
  const roi = roiOfFold(result);
  return {
    ...variants,
    ...judgement,
    follower: followerFigures(result, terms),
    bridge: {
      leaderUsd: bridge.leaderCents / 100,
      skippedUsd: bridge.skippedCents / 100,
      delayUsd: bridge.delayCents / 100,
      impactUsd: bridge.impactCents / 100,
      feesUsd: bridge.feesCents / 100,
      netUsd: bridge.netCents / 100,
    },
    captured: roi !== null && leaderRoi !== null && leaderRoi > 0 ? roi / leaderRoi : null,
    skipped: skippedOf(result.orders),
    coverage: coverageOf(result),
    dead: result.closing.filter(({ mark }) => mark.priceUsd === 0).length,
    leaderMovedTokens: plan.sends,
    turnoverUsd: toUsd(result.volume),
    curve: result.curve.map(({ at, net }) => ({ at, pnlUsd: cents(net) })),
    orders: result.orders,
  };
}

function skippedOf(orders: readonly ReplayOrder[]): Partial<Record<SkipReason, number>> {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const { skipped } of orders) if (skipped !== null) counts[skipped] = (counts[skipped] ?? 0) + 1;
  return counts;
}

function coverageOf({ filled, sources }: FoldResult): Record<PriceSource, number> | null {
  if (filled === 0) return null;
  return {
    tape: sources.tape / filled,
    candle: sources.candle / filled,
    leader: sources.leader / filled,
  };
}
