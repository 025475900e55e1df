// A token's candles.
import { z } from "zod";
import { fromBeforeTo, instant } from "../instants.ts";
import { cursor, limit, networkId, oneOf, tokenAddress } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { CANDLE_INTERVALS, CandlesAnswer } from "../shapes/tokens.ts";

export const listCandles = defineRoute({
  id: "listCandles",
  path: "/v2/token/{address}/candles",
  tag: "Tokens",
  summary: "A token's candles",
  description:
    "The platform's own where it has them, else computed from captured fills: ascending, no bucket twice, the last one `closed:false` while it fills. Without `from`, the newest candles. Needs a plan with on-chain data.",
  access: "onChain",
  price: price(250),
  check: fromBeforeTo,
  cache: shared(5, 5),
  params: z.strictObject({ address: tokenAddress() }),
  query: z.strictObject({
    networkId: networkId().optional(),
    interval: oneOf(CANDLE_INTERVALS, "The width of a bucket.").default("1h"),
    from: instant("The first bucket, inclusive.").optional(),
    to: instant("The end, not included.").optional(),
    limit: limit(1, 1_000, 300, "How many candles at most."),
    cursor: cursor("An earlier answer's `nextCursor`.").optional(),
  }),
  answer: CandlesAnswer,
  errors: ["not_found", "network_required", "upstream_timeout"],
  example: { params: { address: "{tokenAddress}" }, query: { interval: "1h" } },
});
