// Applies a buy or sell to a position we already have. It is applied only when the event's own figures agree with
// the result; a position that already includes it stays as it is, and any doubt is left to upstream to settle.

import type { AppItem, ChainTradeItem } from "../../protocol/shapes/event.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import { type Pricing, pricingOf } from "../../protocol/shapes/pricing.ts";
import { atPrice, heldAmount } from "../model/position.ts";

export type FillOutcome =
  | { kind: "applied"; position: Position }
  | { kind: "included" }
  | { kind: "doubtful" };

/** Upstream rounds its figures; two figures agree if they differ by less than this share, or this many dollars. */
const AGREEING_SHARE = 1e-6;
const AGREEING_USD = 0.01;
/** A remainder after the last sell is rounding if it is below this share of everything received. */
const DUST_SHARE = 1e-9;

const DOUBTFUL: FillOutcome = { kind: "doubtful" };

/** `at` is when it happened, as exactly as we know; the event's own time may be when the app showed it, later. */
export function applyFill(position: Position, event: AppItem, at = event.at): FillOutcome {
  const { amount, fillUsd, priceUsd, positionValueUsd } = event;
  // A position read from upstream includes everything up to its last activity.
  if (event.at < position.lastActivityAt) return { kind: "included" };
  if (amount === null || fillUsd === null || priceUsd === null || positionValueUsd === null) return DOUBTFUL;
  // A fill too small to see in the figures can't be distinguished from one that is already in them.
  const isSeen = fillUsd > 2 * toleranceUsd(positionValueUsd);
  if (agreesWithEvent(position, event)) return isSeen ? { kind: "included" } : DOUBTFUL;
  // The chain reported this fill before, without the gain that the platform computes.
  if (at === position.lastActivityAt && amountAgrees(position, event))
    return withReportedGain(position, event);
  if (position.status === "closed" || event.at === position.lastActivityAt) return DOUBTFUL;

  if (event.kind === "sell" && event.realizedPnlUsdDelta === null) return DOUBTFUL;
  const fill = { kind: event.kind, amount, fillUsd, priceUsd, feeUsd: event.feeUsd, ...pricingOf(event) };
  const next =
    event.kind === "buy"
      ? bought(position, fill)
      : sold(
          position,
          fill,
          plus(position.realizedPnlUsd, event.realizedPnlUsdDelta) ?? event.realizedPnlUsd,
        );
  if (next === null || !agreesWithEvent(next, event)) return DOUBTFUL;
  return settled(position, next, fill, at);
}

/**
 * Applies a swap on the chain to a position known as of `knownAt`. The chain gives no figures to compare the
 * result with, so time decides whether the position already has the swap: upstream has all that happened before.
 */
export function applyTrade(
  position: Position,
  trade: ChainTradeItem,
  { at, capturedAt, knownAt }: { at: number; capturedAt: number; knownAt: number },
): FillOutcome {
  if (at <= position.lastActivityAt || knownAt >= capturedAt) return { kind: "included" };
  if (position.status === "closed" || knownAt >= at) return DOUBTFUL;
  const { amount, usd, priceUsd, feeUsd } = trade;
  const fill = { kind: trade.side, amount, fillUsd: usd, priceUsd, feeUsd, ...pricingOf(trade) };
  if (trade.side === "buy") {
    const next = bought(position, fill);
    return next === null ? DOUBTFUL : settled(position, next, fill, at);
  }
  const held = heldAmount(position);
  if (!(held > 0) || position.priceUsd === null || position.unrealizedPnlUsd === null) return DOUBTFUL;
  // The holding's cost is its value less its unrealized gain, however it was acquired.
  const averageCostUsd = position.priceUsd - position.unrealizedPnlUsd / held;
  const takenUsd = feeUsd === null ? null : usd - amount * averageCostUsd - feeUsd;
  const next = sold(position, fill, plus(position.realizedPnlUsd, takenUsd));
  if (next === null || heldAmount(next) < -held * DUST_SHARE) return DOUBTFUL;
  return settled(position, next, fill, at);
}

interface SettledFill extends Pricing {
  kind: string;
  amount: number;
  fillUsd: number;
  priceUsd: number;
  feeUsd: number | null;
}

/** The position after the fill, valued at the fill's price. Unrealized profit excludes fees, so it is known without them. */
function settled(position: Position, next: Position, fill: SettledFill, at: number): FillOutcome {
  const { amount, fillUsd, priceUsd } = fill;
  const before = atPrice(position, priceUsd, fill).unrealizedPnlUsd;
  if (before === null || position.priceUsd === null) return DOUBTFUL;
  const held = heldAmount(next);
  const closed = held <= (next.boughtAmount + next.transferredInAmount) * DUST_SHARE;
  const openUsd =
    fill.kind === "buy" ? before + amount * priceUsd - fillUsd : before * (held / heldAmount(position));
  return {
    kind: "applied",
    position: {
      ...next,
      status: closed ? "closed" : "open",
      closedAt: closed ? at : null,
      unrealizedPnlUsd: closed ? 0 : openUsd,
      priceUsd,
      pricedBy: fill.pricedBy,
      depthUsd: fill.depthUsd,
      asOf: fill.asOf,
      exact: fill.exact === false ? false : fill.exact && position.exact,
      lastActivityAt: at,
    },
  };
}

function withReportedGain(position: Position, event: AppItem): FillOutcome {
  const { realizedPnlUsd } = event;
  if (realizedPnlUsd === null) return DOUBTFUL;
  return { kind: "applied", position: { ...position, realizedPnlUsd } };
}

/** Does the position match the event's figures after its fill? */
function agreesWithEvent(position: Position, event: AppItem): boolean {
  if (event.priceUsd === null || event.positionValueUsd === null) return false;
  if (event.kind === "sell") {
    if (event.realizedPnlUsd === null || position.realizedPnlUsd === null) return false;
    if (!agree(position.realizedPnlUsd, event.realizedPnlUsd)) return false;
  }
  return amountAgrees(position, event);
}

function amountAgrees(position: Position, { priceUsd, positionValueUsd }: AppItem): boolean {
  if (priceUsd === null || positionValueUsd === null) return false;
  const held = heldAmount(position);
  // For a worthless holding the value says nothing about the amount.
  return held >= 0 && priceUsd > 0 && agree(held * priceUsd, positionValueUsd);
}

function bought(position: Position, { amount, fillUsd, feeUsd }: SettledFill): Position | null {
  if (position.costBasisUsd === null) return null;
  return {
    ...position,
    boughtAmount: position.boughtAmount + amount,
    costBasisUsd: position.costBasisUsd + fillUsd,
    realizedPnlUsd: plus(position.realizedPnlUsd, feeUsd === null ? null : -feeUsd),
    feesUsd: plus(position.feesUsd, feeUsd),
  };
}

function sold(
  position: Position,
  { amount, fillUsd, feeUsd }: SettledFill,
  realizedPnlUsd: number | null,
): Position | null {
  if (position.proceedsUsd === null) return null;
  const soldAmount = position.soldAmount + amount;
  const proceedsUsd = position.proceedsUsd + fillUsd;
  return {
    ...position,
    soldAmount,
    proceedsUsd,
    avgExitPrice: soldAmount > 0 ? proceedsUsd / soldAmount : null,
    realizedPnlUsd,
    feesUsd: plus(position.feesUsd, feeUsd),
  };
}

/** A sum with an unknown part is unknown. */
function plus(sum: number | null, part: number | null): number | null {
  return sum === null || part === null ? null : sum + part;
}

function agree(ours: number, theirs: number): boolean {
  return Math.abs(ours - theirs) <= toleranceUsd(theirs);
}

function toleranceUsd(figureUsd: number): number {
  return Math.max(AGREEING_USD, Math.abs(figureUsd) * AGREEING_SHARE);
}
