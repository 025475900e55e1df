// What traders are trading now.
import { z } from "zod";
import { chain, cursor, decimal, limit, oneOf, wholeNumber } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { ActivityAnswer, STATS_WINDOWS } from "../shapes/tokens.ts";
import { SIDES } from "../shapes/trades.ts";

const TOKEN_AGES = ["1h", "24h", "7d", "30d"] as const;
const MARKET_CAP_MAX = 1e12;

export const listTokenActivity = defineRoute({
  id: "listTokenActivity",
  path: "/v2/tokens/activity",
  tag: "Tokens",
  summary: "What traders trade now",
  description:
    "The tokens that most tracked traders are buying or selling, computed from the log. " +
    "A token whose age or market cap is unknown is left out where one of them is asked for.",
  access: "key",
  price: price(250),
  cache: shared(5, 5),
  check: (_params, { minMarketCapUsd: least = 0, maxMarketCapUsd: most = MARKET_CAP_MAX }) =>
    least > most
      ? { param: "minMarketCapUsd", sentence: "minMarketCapUsd must not be above maxMarketCapUsd." }
      : undefined,
  query: z.strictObject({
    window: oneOf(STATS_WINDOWS, "How far back to look.").default("1h"),
    chain: chain().optional(),
    minTraders: wholeNumber(1, 1_000, "Only tokens that at least this many traders traded.").default(1),
    side: oneOf(SIDES, "Count only buys, or only sells.").optional(),
    top: wholeNumber(
      1,
      1_000,
      "Count only trades by this many top traders of the 30-day leaderboard, as last captured.",
    ).optional(),
    launchedWithin: oneOf(TOKEN_AGES, "Only tokens that were launched so recently.").optional(),
    minMarketCapUsd: decimal(
      MARKET_CAP_MAX,
      "Only tokens worth at least this, by the price of the last trade.",
    ).optional(),
    maxMarketCapUsd: decimal(MARKET_CAP_MAX, "Only tokens worth no more than this.").optional(),
    sort: oneOf(["traders", "netUsd", "recent"], "By traders, by net dollars, or by the last trade.").default(
      "traders",
    ),
    limit: limit(1, 100, 50),
    cursor: cursor("An earlier answer's `nextCursor`.").optional(),
  }),
  answer: ActivityAnswer,
  example: { query: { window: "24h" } },
});
