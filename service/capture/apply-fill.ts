// What a buy or sell does to a position we already hold. It is applied only when the event's own figures agree with
// the result; a position that already includes it stays as it is, and any doubt is left to upstream to settle.
import type { AppEvent, ChainTradeEvent } from "../model/event.ts";
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
  // A fill too small to see in the figures can't be told from one that is already in them.
  const isSeen = fillUsd > 2 * toleranceUsd(positionValueUsd);
  if (isAsTold(position, event)) return isSeen ? { kind: "included" } : DOUBTFUL;
  // The chain told of this very fill before, without what the platform makes of its gain.
  if (at === position.lastActivityAt && isAmountAsTold(position, event)) return withToldGain(position, event);
  if (position.status === "closed" || event.at === position.lastActivityAt) return DOUBTFUL;

  const next =
    event.kind === "buy" ? bought(position, amount, fillUsd) : sold(position, event, amount, fillUsd);
  if (next === null || !isAsTold(next, event)) return DOUBTFUL;
  return { kind: "applied", position: settled(position, next, { ...event, priceUsd, amount, fillUsd }, at) };
}

/**
 * What a swap on the chain does to a position, which is known as of `knownAt`. The chain tells no figures to compare the
 * result with, so whether the position already has the swap is told by time: upstream has all that happened before.
 */
export function applyTrade(
  position: Position,
  trade: ChainTradeEvent,
  { at, capturedAt, knownAt }: { at: number; capturedAt: number; knownAt: number },
): Applied {
  if (at <= position.lastActivityAt || knownAt >= capturedAt) return { kind: "included" };
  if (position.status === "closed" || knownAt >= at) return DOUBTFUL;
  const { amount, usd, priceUsd } = trade;
  const fill = { kind: trade.side, amount, fillUsd: usd, priceUsd };
  if (trade.side === "buy") {
    return { kind: "applied", position: settled(position, bought(position, amount, usd), fill, at) };
  }
  const held = heldAmount(position);
  if (!(held > 0)) return DOUBTFUL;
  // What is held cost what it is worth less the gain that is still open, whatever way it came.
  const averageCostUsd = position.priceUsd - position.unrealizedPnlUsd / held;
  const realizedPnlUsdDelta = usd - amount * averageCostUsd;
  const next = sold(position, { realizedPnlUsdDelta }, amount, usd);
  if (next === null || heldAmount(next) < -held * DUST_SHARE) return DOUBTFUL;
  return { kind: "applied", position: settled(position, next, fill, at) };
}

interface SettledFill {
  kind: string;
  amount: number;
  fillUsd: number;
  priceUsd: number;
}

/** The position after the fill, valued at the fill's price. */
function settled(position: Position, next: Position, fill: SettledFill, at: number): Position {
  const { amount, fillUsd, priceUsd } = fill;
  const held = heldAmount(next);
  const closed = held <= (next.boughtAmount + next.transferredInAmount) * DUST_SHARE;
  // The whole gain moves with the price of what was held before; the fill only turns one part into another.
  const gainBeforeUsd = position.realizedPnlUsd + position.unrealizedPnlUsd;
  const moveUsd = heldAmount(position) * (priceUsd - position.priceUsd);
  const spreadUsd = fill.kind === "buy" ? amount * priceUsd - fillUsd : fillUsd - amount * priceUsd;
  return {
    ...next,
    status: closed ? "closed" : "open",
    closedAt: closed ? at : null,
    unrealizedPnlUsd: closed ? 0 : gainBeforeUsd + moveUsd + spreadUsd - next.realizedPnlUsd,
    priceUsd,
    lastActivityAt: at,
  };
}

function withToldGain(position: Position, event: AppEvent): Applied {
  if (event.realizedPnlUsd === null) return DOUBTFUL;
  const gainUsd = position.realizedPnlUsd + position.unrealizedPnlUsd;
  const { realizedPnlUsd } = event;
  const unrealizedPnlUsd = position.status === "closed" ? 0 : gainUsd - realizedPnlUsd;
  return { kind: "applied", position: { ...position, realizedPnlUsd, unrealizedPnlUsd } };
}

/** Is the position what the event says that it is after its fill? */
function isAsTold(position: Position, event: AppEvent): boolean {
  if (event.priceUsd === null || event.positionValueUsd === null) return false;
  if (event.kind === "sell") {
    if (event.realizedPnlUsd === null || !agree(position.realizedPnlUsd, event.realizedPnlUsd)) return false;
  }
  return isAmountAsTold(position, event);
}

function isAmountAsTold(position: Position, { priceUsd, positionValueUsd }: AppEvent): boolean {
  if (priceUsd === null || positionValueUsd === null) return false;
  const held = heldAmount(position);
  // Of a worthless holding the value tells nothing about the amount.
  return held >= 0 && priceUsd > 0 && agree(held * priceUsd, positionValueUsd);
}

function bought(position: Position, amount: number, fillUsd: number): Position {
  return {
    ...position,
    boughtAmount: position.boughtAmount + amount,
    costBasisUsd: position.costBasisUsd + fillUsd,
  };
}

function sold(
  position: Position,
  event: Pick<AppEvent, "realizedPnlUsdDelta">,
  amount: number,
  fillUsd: number,
): Position | null {
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
