// A token's candles, and what traders trade now.
import { z } from "zod";
import { instant } from "../instants.ts";
import { chain, cursor, limit, networkId, oneOf, tokenAddress, wholeNumber } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { ActivityAnswer, CANDLE_INTERVALS, CandlesAnswer, STATS_WINDOWS } from "../shapes/tokens.ts";
import { SIDES } from "../shapes/trades.ts";

export const listCandles = defineRoute({
  id: "listCandles",
  path: "/v2/token/{address}/candles",
  tag: "Tokens",
  summary: "A token's candles",
  description:
    "The platform's own where it has them, else computed from captured fills: ascending, no bucket twice, the last one `closed:false` while it fills. Without `from`, the newest candles. Needs a plan with on-chain data.",
  access: "onChain",
  price: price(250),
  check: (_params, query) =>
    query.from !== undefined && query.to !== undefined && query.from >= query.to
      ? { param: "from", sentence: "from must be earlier than to." }
      : undefined,
  cache: shared(5, 5),
  params: z.strictObject({ address: tokenAddress() }),
  query: z.strictObject({
    networkId: networkId().optional(),
    interval: oneOf(CANDLE_INTERVALS, "The width of a bucket.").default("1h"),
    from: instant("The first bucket, included.").optional(),
    to: instant("The end, not included.").optional(),
    limit: limit(1, 1_000, 300, "How many candles at most."),
    cursor: cursor("An earlier answer's `nextCursor`.").optional(),
  }),
  answer: CandlesAnswer,
  errors: ["not_found", "network_required", "upstream_timeout"],
  example: { params: { address: "{tokenAddress}" }, query: { interval: "1h" } },
});

export const listTokenActivity = defineRoute({
  id: "listTokenActivity",
  path: "/v2/tokens/activity",
  tag: "Tokens",
  summary: "What traders trade now",
  description: "The tokens that most tracked traders are buying or selling, computed from the log.",
  access: "key",
  price: price(250),
  cache: shared(5, 5),
  query: z.strictObject({
    window: oneOf(STATS_WINDOWS, "How far back to look.").default("1h"),
    chain: chain().optional(),
    minTraders: wholeNumber(1, 1_000, "Only tokens that at least this many traders traded.").default(1),
    side: oneOf(SIDES, "Count only buys, or only sells.").optional(),
    sort: oneOf(["traders", "netUsd", "recent"], "By traders, by net dollars, or by the last trade.").default(
      "traders",
    ),
    limit: limit(1, 100, 50),
    cursor: cursor("An earlier answer's `nextCursor`.").optional(),
  }),
  answer: ActivityAnswer,
  example: { query: { window: "24h" } },
});
