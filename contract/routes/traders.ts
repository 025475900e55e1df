// Traders: identity and wallets, holdings, followers and following.
import { z } from "zod";
import { boolean, chain, limit, traderKey, uuid } from "../parts.ts";
import { defineRoute, ofMoment, price, shared } from "../route.ts";
import {
  BalancesAnswer,
  FollowersAnswer,
  FollowingAnswer,
  SpotlightAnswer,
  Trader,
} from "../shapes/traders.ts";

const byKey = z.strictObject({ handle: traderKey() });
const example = { params: { handle: "{handle}" } };
/** A live read of an existing subject may time out; an unknown one is not found. */
const liveErrors = ["not_found", "upstream_timeout"] as const;

/** Names on one page of upstream's following list. */
export const FOLLOWING_PAGE_NAMES = 50;
/** The most names of a following list that upstream serves. */
export const FOLLOWING_MAX = 200;
/** Upstream's sample of followers. */
export const FOLLOWERS_MAX = 200;

export const getTrader = defineRoute({
  id: "getTrader",
  path: "/v2/users/{handle}",
  tag: "Traders",
  summary: "A trader by handle",
  description:
    "Resolves a handle to the trader's Solana and EVM wallets, with profit per window, the ten largest holdings and account age. " +
    "Uses one of the month's wallet resolutions. While the wallets are still being resolved it answers 409, free and retryable.",
  access: "key",
  price: { ...price(2_500), resolution: true },
  cache: ofMoment(),
  params: byKey,
  answer: Trader,
  errors: [...liveErrors, "resolving"],
  example,
});

export const getTraderById = defineRoute({
  id: "getTraderById",
  path: "/v2/users/id/{userId}",
  tag: "Traders",
  summary: "A trader by userId",
  description:
    "The reverse lookup: from the stable id to the person, also after a rename. Uses one of the month's wallet resolutions; an unknown id costs nothing.",
  access: "key",
  price: { ...price(10, "call", 0), resolution: true },
  cache: ofMoment(),
  params: z.strictObject({ userId: uuid("The trader's stable id.") }),
  answer: Trader,
  errors: [...liveErrors, "resolving"],
  example: { params: { userId: "{userId}" } },
});

export const getBalances = defineRoute({
  id: "getBalances",
  path: "/v2/users/{handle}/balances",
  tag: "Traders",
  summary: "What a trader holds",
  description:
    "Live holdings, largest first, without unsolicited tokens that have no price or use another token's name; " +
    "`spam=true` lists those too. `available` is false when holdings can't be read and none were captured.",
  access: "key",
  price: price(250),
  cache: shared(10, 10),
  params: byKey,
  query: z.strictObject({
    chain: chain().optional(),
    spam: boolean("Whether to list unsolicited tokens too.").optional(),
  }),
  answer: BalancesAnswer,
  errors: liveErrors,
  example,
});

export const listFollowing = defineRoute({
  id: "listFollowing",
  path: "/v2/users/{handle}/following",
  tag: "Traders",
  summary: "Traders that a trader follows",
  description:
    "Walks pages of 50 names; upstream serves at most 200 names of any list, which `truncated` and `sourceCapped` say. " +
    "Charged by the pages walked, and refused beforehand when the balance does not cover them. An unknown trader costs nothing.",
  access: "key",
  price: price(250, "page", 0),
  unitsMax: (query) => Math.ceil(Math.min(query.limit, FOLLOWING_MAX) / FOLLOWING_PAGE_NAMES),
  cache: shared(60, 60),
  params: byKey,
  query: z.strictObject({ limit: limit(1, 300, 300, "How many names at most; upstream serves 200.") }),
  answer: FollowingAnswer,
  errors: liveErrors,
  example: { ...example, query: { limit: "50" } },
});

export const listFollowers = defineRoute({
  id: "listFollowers",
  path: "/v2/users/{handle}/followers",
  tag: "Traders",
  summary: "A sample of a trader's followers",
  description:
    "At most 200 names, chosen by upstream; there is no next page. An unknown trader costs nothing.",
  access: "key",
  price: price(250, "call", 0),
  cache: shared(60, 60),
  params: byKey,
  query: z.strictObject({ limit: limit(1, FOLLOWERS_MAX, FOLLOWERS_MAX, "How many names at most.") }),
  answer: FollowersAnswer,
  errors: liveErrors,
  example: { ...example, query: { limit: "50" } },
});

export const getSpotlight = defineRoute({
  id: "getSpotlight",
  path: "/v2/users/{handle}/spotlight",
  tag: "Traders",
  summary: "A trader's best trades and theses",
  description: "Chosen by the upstream platform. An unknown trader costs nothing.",
  access: "key",
  price: price(250, "call", 0),
  cache: shared(60, 60),
  params: byKey,
  answer: SpotlightAnswer,
  errors: liveErrors,
  example,
});
