// Tokens: holders, deployers, flow, candles, what traders do now; and the two searches.
import { z } from "zod";
import { instant } from "../instants.ts";
import { chain, cursor, limit, networkId, oneOf, tokenAddress, wholeNumber, words } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import {
  ActivityAnswer,
  CANDLE_INTERVALS,
  CandlesAnswer,
  DevsAnswer,
  HoldersAnswer,
  SEARCH_TYPES,
  SearchAnswer,
  STATS_WINDOWS,
  TokenOverview,
  TokenSearchAnswer,
  TokenStatsAnswer,
} from "../shapes/tokens.ts";
import { SIDES } from "../shapes/trades.ts";

const byAddress = z.strictObject({ address: tokenAddress() });
const onNetwork = z.strictObject({ networkId: networkId().optional() });
const example = { params: { address: "{tokenAddress}" } };
const liveErrors = ["not_found", "network_required", "upstream_timeout"] as const;

export const getToken = defineRoute({
  id: "getToken",
  path: "/v2/token/{address}",
  tag: "Tokens",
  summary: "A token at a glance",
  description:
    "Its quote with the time it is of, market cap, supply, volume, holders and age, and the tokens on any chain that carry the same ticker. " +
    "When upstream does not answer, the last captured figures come with `stale` and their age.",
  access: "key",
  price: price(250),
  cache: shared(10, 20),
  params: byAddress,
  query: onNetwork,
  answer: TokenOverview,
  errors: liveErrors,
  example,
});

export const listHolders = defineRoute({
  id: "listHolders",
  path: "/token/{address}/holders",
  tag: "Tokens",
  summary: "Who holds a token",
  description:
    "Among tracked traders, by captured positions; `coverage` says how much of the crowd that is. `available` is false for a token that was never captured.",
  access: "key",
  price: price(250),
  cache: shared(15, 15),
  params: byAddress,
  query: z.strictObject({ limit: limit(1, 100, 50) }),
  answer: HoldersAnswer,
  example,
});

export const listDevs = defineRoute({
  id: "listDevs",
  path: "/v2/token/{address}/devs",
  tag: "Tokens",
  summary: "Deployer and insider positions",
  description: "An empty list means no known holding, not that the token is safe.",
  access: "key",
  price: price(250),
  cache: shared(60, 60),
  params: byAddress,
  query: onNetwork,
  answer: DevsAnswer,
  errors: liveErrors,
  example,
});

export const getTokenStats = defineRoute({
  id: "getTokenStats",
  path: "/v2/token/{address}/stats",
  tag: "Tokens",
  summary: "How a token flows",
  description: "Buys, sells and volumes over 5 minutes, 1, 4 and 24 hours, with holders and concentration.",
  access: "key",
  price: price(250),
  cache: shared(15, 15),
  params: byAddress,
  query: onNetwork,
  answer: TokenStatsAnswer,
  errors: liveErrors,
  example,
});

export const listCandles = defineRoute({
  id: "listCandles",
  path: "/v2/token/{address}/candles",
  tag: "Tokens",
  summary: "A token's candles",
  description:
    "Computed from captured fills: ascending, no bucket twice, the last one `closed:false` while it fills. Without `from`, the newest candles. Needs a plan with on-chain data.",
  access: "onChain",
  price: price(250),
  check: (_params, query) =>
    query.from !== undefined && query.to !== undefined && query.from >= query.to
      ? { param: "from", sentence: "from must be earlier than to." }
      : undefined,
  cache: shared(5, 5),
  params: byAddress,
  query: z.strictObject({
    networkId: networkId().optional(),
    interval: oneOf(CANDLE_INTERVALS, "The width of a bucket.").default("1h"),
    from: instant("The first bucket, included.").optional(),
    to: instant("The end, not included.").optional(),
    limit: limit(1, 1_000, 300, "How many candles at most."),
    cursor: cursor("An earlier answer's `nextCursor`.").optional(),
  }),
  answer: CandlesAnswer,
  errors: liveErrors,
  example: { ...example, query: { interval: "1h" } },
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

const q = words(1, 64, "What to look for: a handle, a name, a symbol or an address.");

export const search = defineRoute({
  id: "search",
  path: "/v2/search",
  tag: "Search",
  summary: "Search traders and tokens",
  description:
    "By beginning and by similarity, so a typo still finds. Best match first; each row says its `type`.",
  access: "key",
  price: price(250),
  cache: shared(30, 30),
  query: z.strictObject({
    q,
    type: oneOf(SEARCH_TYPES, "What to search.").default("all"),
    limit: limit(1, 50, 10),
  }),
  answer: SearchAnswer,
  errors: ["upstream_timeout"],
  example: { query: { q: "{handle}" } },
});

export const searchTokens = defineRoute({
  id: "searchTokens",
  path: "/v2/tokens/search",
  tag: "Search",
  summary: "Search tokens",
  description: "By symbol, name or address. Best match first.",
  access: "key",
  price: price(250),
  cache: shared(30, 30),
  query: z.strictObject({ q, limit: limit(1, 50, 10) }),
  answer: TokenSearchAnswer,
  errors: ["upstream_timeout"],
  example: { query: { q: "{symbol}" } },
});
