// The basis of prices here: every token has one pool, and its price is known exactly.

import { depthUsd } from "../world/pool.ts";
import type { WorldToken } from "../world/tokens.ts";

export const poolPricing = (token: WorldToken, priceUsd: number, asOf: number) => ({
  pricedBy: "pool" as const,
  depthUsd: depthUsd(token, priceUsd),
  asOf,
  exact: true,
});

/** Swaps are paid in a stablecoin. */
export const paidInDollars = (asOf: number) => ({
  pricedBy: "stable" as const,
  depthUsd: null,
  asOf,
  exact: true,
});

/** A token that had not launched yet has no price. */
export const UNPRICED = { pricedBy: null, depthUsd: null, exact: null };
