// Tokens: holders, deployers and flow.
import { z } from "zod";
import { limit, networkId, oneOf, tokenAddress } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import {
  DevsAnswer,
  HOLDER_INTERVALS,
  HolderHistoryAnswer,
  HoldersAnswer,
  TokenOverview,
  TokenStatsAnswer,
} from "../shapes/tokens.ts";

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
    "Its quote with its time, market cap, supply, volume, holders and age, and the tokens on any chain with the same ticker. " +
    "When upstream does not answer, the last captured figures are served with `stale` and their age.",
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
    "Among tracked traders, by captured positions; `coverage` says how much of the crowd this covers. `available` is false for a token that was never captured.",
  access: "key",
  price: price(250),
  cache: shared(15, 15),
  params: byAddress,
  query: z.strictObject({ limit: limit(1, 100, 50) }),
  answer: HoldersAnswer,
  example,
});

export const getHolderHistory = defineRoute({
  id: "getHolderHistory",
  path: "/v2/token/{address}/holders/history",
  tag: "Tokens",
  summary: "How many held a token",
  description:
    "Tracked traders who held it at each whole hour or day, computed backwards from current holders using captured fills. " +
    "Tokens transferred in or out count as held all along. Points before its launch, before capture started, or behind more fills than one call scans are left out.",
  access: "key",
  price: price(250),
  cache: shared(60, 60),
  params: byAddress,
  query: z.strictObject({
    networkId: networkId().optional(),
    interval: oneOf(HOLDER_INTERVALS, "How far two points are apart.").default("1h"),
    limit: limit(2, 200, 48, "How many points at most."),
  }),
  answer: HolderHistoryAnswer,
  errors: ["not_found", "network_required"],
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
