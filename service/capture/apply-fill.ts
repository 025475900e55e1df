// What a buy or sell does to a position we already hold. It is applied only when the event's own figures agree with
// the result; a position that already includes it stays as it is, and any doubt is left to upstream to settle.
import type { AppEvent } from "../model/event.ts";
import { heldAmount, type Position } from "../model/position.ts";

export type Applied = { kind: "applied"; position: Position } | { kind: "included" } | { kind: "doubtful" };

/** Upstream rounds what it shows; figures nearer than this share of each other, or this many dollars, agree. */
const AGREEING_SHARE = 1e-6;
const AGREEING_USD = 0.01;
/** What is left after the last sell is a rounding rest when it is below this share of all that came in. */
const DUST_SHARE = 1e-9;

const DOUBTFUL: Applied = { kind: "doubtful" };

/** `at` is when it happened, as exactly as we know; the event's own time may be when the app showed it, later. */
export function applyFill(position: Position, event: AppEvent, at = event.at): Applied {
  const { amount, fillUsd, priceUsd, positionValueUsd } = event;
  // A position read from upstream has everything up to its last activity.
  if (event.at < position.lastActivityAt) return { kind: "included" };
  if (amount === null || fillUsd === null || priceUsd === null || positionValueUsd === null) return DOUBTFUL;
  // A fill too small to see in the figures can not be told from one that is already in them.
  const isSeen = fillUsd > 2 * toleranceUsd(positionValueUsd);
  if (isAsTold(position, event)) return isSeen ? { kind: "included" } : DOUBTFUL;
  if (position.status === "closed" || event.at === position.lastActivityAt) return DOUBTFUL;

  const next =
    event.kind === "buy" ? bought(position, amount, fillUsd) : sold(position, event, amount, fillUsd);
  if (next === null || !isAsTold(next, event)) return DOUBTFUL;
  const held = heldAmount(next);
  const closed = held <= (next.boughtAmount + next.transferredInAmount) * DUST_SHARE;
  // The whole gain moves with the price of what was held before; the fill only turns one part into another.
  const gainBeforeUsd = position.realizedPnlUsd + position.unrealizedPnlUsd;
  const moveUsd = heldAmount(position) * (priceUsd - position.priceUsd);
  const spreadUsd = event.kind === "buy" ? amount * priceUsd - fillUsd : fillUsd - amount * priceUsd;
  return {
    kind: "applied",
    position: {
      ...next,
      status: closed ? "closed" : "open",
      closedAt: closed ? at : null,
      unrealizedPnlUsd: closed ? 0 : gainBeforeUsd + moveUsd + spreadUsd - next.realizedPnlUsd,
      priceUsd,
      lastActivityAt: at,
    },
  };
}

/** Is the position what the event says that it is after its fill? */
function isAsTold(position: Position, event: AppEvent): boolean {
  if (event.priceUsd === null || event.positionValueUsd === null) return false;
  if (event.kind === "sell") {
    if (event.realizedPnlUsd === null || !agree(position.realizedPnlUsd, event.realizedPnlUsd)) return false;
  }
  const held = heldAmount(position);
  // Of a worthless holding the value tells nothing about the amount.
  return held >= 0 && event.priceUsd > 0 && agree(held * event.priceUsd, event.positionValueUsd);
}

function bought(position: Position, amount: number, fillUsd: number): Position {
  return {
    ...position,
    boughtAmount: position.boughtAmount + amount,
    costBasisUsd: position.costBasisUsd + fillUsd,
  };
}

function sold(position: Position, event: AppEvent, amount: number, fillUsd: number): Position | null {
  if (event.realizedPnlUsdDelta === null) return null;
  const soldAmount = position.soldAmount + amount;
  const proceedsUsd = position.proceedsUsd + fillUsd;
  return {
    ...position,
    soldAmount,
    proceedsUsd,
    avgExitPrice: soldAmount > 0 ? proceedsUsd / soldAmount : null,
    realizedPnlUsd: position.realizedPnlUsd + event.realizedPnlUsdDelta,
  };
}

function agree(ours: number, theirs: number): boolean {
  return Math.abs(ours - theirs) <= toleranceUsd(theirs);
}

function toleranceUsd(figureUsd: number): number {
  return Math.max(AGREEING_USD, Math.abs(figureUsd) * AGREEING_SHARE);
}
