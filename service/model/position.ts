// A position: one trader in one token, from the first token in to the last one out. Its accounting is defined here once:
// amount = bought - sold + in - out, entry = cost basis / bought, and no entry if nothing was bought.
import type { Position } from "../../protocol/shapes/position.ts";

type Flows = Pick<Position, "boughtAmount" | "soldAmount" | "transferredInAmount" | "transferredOutAmount">;

export function heldAmount(position: Flows): number {
  const held =
    position.boughtAmount -
    position.soldAmount +
    position.transferredInAmount -
    position.transferredOutAmount;
  // Binary fractions leave dust where decimal figures cancel exactly; dust is not a holding.
  const largest = Math.max(position.boughtAmount, position.transferredInAmount, 1);
  return Math.abs(held) < largest * 1e-12 ? 0 : held;
}

export function entryPrice(position: Pick<Position, "costBasisUsd" | "boughtAmount">): number | null {
  if (position.costBasisUsd === null) return null;
  return position.boughtAmount > 0 ? position.costBasisUsd / position.boughtAmount : null;
}

/** Realized plus unrealized, net of fees; null when unknown. */
export function netOf(position: Pick<Position, "realizedPnlUsd" | "unrealizedPnlUsd">): number | null {
  const { realizedPnlUsd, unrealizedPnlUsd } = position;
  return realizedPnlUsd === null || unrealizedPnlUsd === null ? null : realizedPnlUsd + unrealizedPnlUsd;
}

/** The same before fees. */
export function grossOf(
  position: Pick<Position, "realizedPnlUsd" | "unrealizedPnlUsd" | "feesUsd">,
): number | null {
  const net = netOf(position);
  return net === null || position.feesUsd === null ? null : net + position.feesUsd;
}

/** The value of the amount held; null without a price. */
export function valueOfHeld(position: Position): number | null {
  const held = heldAmount(position);
  return held === 0 ? 0 : position.priceUsd === null ? null : held * position.priceUsd;
}

/** Where a price comes from; whether a position's amounts are exact is a separate question. */
export type PriceOrigin = Pick<Position, "pricedBy" | "depthUsd" | "asOf">;

/** The same position at another price: the value of the amount held changes by the difference. */
export function atPrice(position: Position, priceUsd: number, source: PriceOrigin): Position {
  const priced = {
    ...position,
    priceUsd,
    pricedBy: source.pricedBy,
    depthUsd: source.depthUsd,
    asOf: source.asOf,
  };
  // Without an earlier price, the cost and the gain of the amount held are unknown.
  if (position.priceUsd === null || position.unrealizedPnlUsd === null) return priced;
  const gainUsd = heldAmount(position) * (priceUsd - position.priceUsd);
  return { ...priced, unrealizedPnlUsd: position.unrealizedPnlUsd + gainUsd };
}
