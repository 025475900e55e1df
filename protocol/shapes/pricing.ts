// The basis of a price. All of it was added later, so a platform that does not know it omits it.
import { oneOf, optional } from "../schema.ts";
import { amount, flag, time } from "../values.ts";

/**
 * `stable`: dollar coins that changed hands in the same swap. `native`: the chain's own coin at its price then. `pool`: the
 * token's price in a pool. `quote`: a price endpoint outside the chain. `platform`: the platform's own word.
 */
export const PRICED_BY = ["stable", "native", "pool", "quote", "platform"] as const;
export type PricedBy = (typeof PRICED_BY)[number];

export const pricing = {
  pricedBy: optional(oneOf(PRICED_BY)),
  /** Money in the pool that gave the price; null unless a pool did. */
  depthUsd: optional(amount),
  /** The time of the price. */
  asOf: optional(time),
  /** Of fills and positions: every amount was established exactly. Of quotes: the price was read from the chain itself. */
  exact: optional(flag),
};

export interface Pricing {
  pricedBy: PricedBy | null;
  depthUsd: number | null;
  asOf: number | null;
  exact: boolean | null;
}

export const UNKNOWN_PRICING: Pricing = { pricedBy: null, depthUsd: null, asOf: null, exact: null };

export const pricingOf = ({ pricedBy, depthUsd, asOf, exact }: Pricing): Pricing => ({
  pricedBy,
  depthUsd,
  asOf,
  exact,
});
