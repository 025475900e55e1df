// From the leader's profit at the follower's sizes to what the follower is left with. The orders were decided once; here the
// same orders are priced with fewer frictions, so each step is a difference of two sums, and the steps add up to the cent.
import { type Micro, toMicro } from "../accounting/money.ts";
import type { Sliced } from "../kit/slices.ts";
import { proceedsOf, tokensFor } from "./fill.ts";
import type { FoldResult } from "./fold.ts";
import type { LeaderPlan } from "./leader.ts";
import type { ReplayOrder } from "./order.ts";
import { markFor } from "./tape.ts";

/** Whole cents. */
export interface Bridge {
  leaderCents: number;
  skippedCents: number;
  delayCents: number;
  impactCents: number;
  feesCents: number;
  netCents: number;
}

export interface BridgeResult {
  bridge: Bridge;
  /** The return per dollar at the leader's own prices, at the same sizes. */
  leaderRoi: number | null;
}

/** A ledger of one pricing: tokens by position and cash. */
interface BridgeLedger {
  amounts: Float64Array;
  spent: Micro;
}

/** Orders between two looks at the time. */
const SLICE_ORDERS = 512;
const MICRO_A_CENT = 10_000;

export function* bridgeOf(plan: LeaderPlan, result: FoldResult, to: number): Sliced<BridgeResult> {
  const ledger = (): BridgeLedger => ({ amounts: new Float64Array(plan.positions.length), spent: 0 });
  const [skipped, atLeader, atPool, withImpact] = [ledger(), ledger(), ledger(), ledger()];
  let peak = 0;
  for (const [place, order] of result.orders.entries()) {
    const basis = order.basisUsd ?? order.priceUsd;
    if (order.skipped !== null) shadow(skipped, order, basis);
    else {
      const price = order.priceUsd ?? 0;
      const depth = order.depthUsd ?? Number.POSITIVE_INFINITY;
      enter(atLeader, order, basis ?? price, Number.POSITIVE_INFINITY);
      enter(atPool, order, price, Number.POSITIVE_INFINITY);
      enter(withImpact, order, price, depth);
      // Skipped buys are exited with the leader, not by the follower's own rules.
      if (order.cause === "leader" && order.side === "sell") shadow(skipped, order, basis);
    }
    peak = Math.max(peak, atLeader.spent + skipped.spent);
    if (place % SLICE_ORDERS === 0) yield;
  }
  const closing = new Map(result.closing.map(({ position, mark }) => [position, mark]));
  const worth = ({ amounts }: BridgeLedger, sells: boolean): Micro => {
    let sum = 0;
    for (const [position, mark] of closing)
      sum += toMicro(
        proceedsOf(
          amounts[position] as number,
          mark.priceUsd,
          sells ? mark.depthUsd : Number.POSITIVE_INFINITY,
        ),
      );
    return sum;
  };
  const sums = [
    worth(atLeader, false) - atLeader.spent,
    worth(atPool, false) - atPool.spent,
    worth(withImpact, true) - withImpact.spent,
    result.net,
  ] as const;
  const leader = sums[0] + shadowWorth(plan, skipped, to) - skipped.spent;
  const cents = [leader, ...sums].map(wholeCents);
  const step = (from: number) => (cents[from + 1] as number) - (cents[from] as number);
  return {
    bridge: {
      leaderCents: cents[0] as number,
      skippedCents: step(0),
      delayCents: step(1),
      impactCents: step(2),
      feesCents: step(3),
      netCents: cents[4] as number,
    },
    leaderRoi: peak > 0 ? leader / peak : null,
  };
}

/** Never a negative zero. */
const wholeCents = (sum: Micro): number => Math.round(sum / MICRO_A_CENT) + 0;

/** Books an order at a price, without fees. */
function enter(ledger: BridgeLedger, order: ReplayOrder, priceUsd: number, depthUsd: number): void {
  const held = ledger.amounts[order.position] as number;
  if (order.side === "buy") {
    const spend = order.spendUsd ?? 0;
    ledger.amounts[order.position] = held + tokensFor(spend, priceUsd, depthUsd, 0);
    ledger.spent += toMicro(spend);
  } else {
    const sold = order.share >= 1 ? held : held * order.share;
    ledger.amounts[order.position] = order.share >= 1 ? 0 : held - sold;
    ledger.spent -= toMicro(proceedsOf(sold, priceUsd, depthUsd));
  }
}

/** The leader's profit on what the follower skipped, at the size that it would have had. */
function shadow(ledger: BridgeLedger, order: ReplayOrder, basis: number | null): void {
  if (basis === null || !(basis > 0)) return;
  if (order.side === "buy" && order.spendUsd === null) return;
  enter(ledger, order, basis, Number.POSITIVE_INFINITY);
}

function shadowWorth(plan: LeaderPlan, { amounts }: BridgeLedger, to: number): Micro {
  let worth = 0;
  for (const [position, amount] of amounts.entries()) {
    if (amount === 0) continue;
    const { tape, lastPriceUsd } = plan.positions[position] as LeaderPlan["positions"][number];
    const mark = markFor(tape, to);
    worth += toMicro(amount * (mark?.priceUsd ?? lastPriceUsd ?? 0));
  }
  return worth;
}
