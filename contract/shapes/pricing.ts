// The source of a price, for fills, positions and quotes alike; null if the platform doesn't say.
import * as leaf from "./leaves.ts";

const PRICED_BY = ["stable", "native", "pool", "quote", "platform"] as const;

export const pricing = (exact: string) => ({
  pricedBy: leaf
    .oneOf(
      "What gave the price: dollar coins in the same swap (stable), the chain's own coin at its price then (native), the " +
        "token's pool (pool), an endpoint outside the chain (quote) or the platform itself (platform).",
      PRICED_BY,
      "pool",
    )
    .nullable(),
  depthUsd: leaf.usd("Money in the pool that gave the price; null unless a pool did", 51_200).nullable(),
  asOf: leaf.time("When the price was so.").nullable(),
  exact: leaf.flag(exact, true).nullable(),
});

export const EXACT_AMOUNTS =
  "Whether every amount in it was established exactly; null when that is not known.";
export const EXACT_QUOTE = "Whether the price was read from the chain itself; null when that is not known.";
