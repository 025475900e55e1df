// A position derived from fills alone: the feed's fills arrive before the position itself is read, and for a trader who
// has left nothing else ever arrives.

import type { Fill, Position } from "../../protocol/shapes/position.ts";
import { UNKNOWN_PRICING } from "../../protocol/shapes/pricing.ts";
import type { Token } from "../../protocol/shapes/token.ts";
import { heldAmount } from "./position.ts";

/** The leg that a fill bought or sold. */
export const tradedLeg = ({ side, tokenIn, tokenOut }: Fill): Fill["tokenIn"] =>
  side === "buy" ? tokenOut : tokenIn;

/** Takes one trade's fills, in any order; the position lacks tokens received or sent. */
export function positionOfFills(fills: readonly Fill[], token: Token, handle: string): Position {
  const first = fills.reduce((earliest, fill) => (fill.at < earliest.at ? fill : earliest));
  const last = fills.reduce((latest, fill) => (fill.at >= latest.at ? fill : latest));
  const sumOf = (side: Fill["side"]) =>
    fills
      .filter((fill) => fill.side === side)
      .map(tradedLeg)
      .reduce((sum, { amount, usd }) => ({ amount: sum.amount + amount, usd: sum.usd + usd }), {
        amount: 0,
        usd: 0,
      });
  const [bought, sold] = [sumOf("buy"), sumOf("sell")];
  const flows = {
    boughtAmount: bought.amount,
    soldAmount: sold.amount,
    transferredInAmount: 0,
    transferredOutAmount: 0,
  };
  const isClosed = heldAmount(flows) <= 0;
  return {
    ...UNKNOWN_PRICING,
    ...flows,
    tradeId: first.tradeId,
    userId: first.userId,
    handle,
    token,
    status: isClosed ? "closed" : "open",
    isDev: false,
    costBasisUsd: bought.usd,
    proceedsUsd: sold.usd,
    avgExitPrice: sold.amount > 0 ? sold.usd / sold.amount : null,
    avgTransferInPrice: null,
    avgTransferOutPrice: null,
    realizedPnlUsd: null,
    unrealizedPnlUsd: null,
    feesUsd: null,
    priceUsd: last.priceUsd,
    openedAt: first.at,
    lastActivityAt: last.at,
    closedAt: isClosed ? last.at : null,
    thesis: null,
    spam: null,
  };
}
