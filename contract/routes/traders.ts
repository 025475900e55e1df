// Traders: identity and wallets, trade history, holdings, and who follows whom.
import { z } from "zod";
import { deep } from "../instants.ts";
import { chain, cursor, limit, oneOf, tokenAddress, traderKey, uuid, wholeNumber } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { PNL_INTERVALS, PnlAnswer } from "../shapes/pnl.ts";
import {
  BalancesAnswer,
  FollowersAnswer,
  FollowingAnswer,
  PNL_WINDOWS,
  SpotlightAnswer,
  Trader,
} from "../shapes/traders.ts";
import { PositionsAnswer, SwapsAnswer, TradesAnswer } from "../shapes/trades.ts";

const byKey = z.strictObject({ handle: traderKey() });
const example = { params: { handle: "{handle}" } };
/** A live read of something that exists can fail to finish; something unknown is not found. */
const liveErrors = ["not_found", "upstream_timeout"] as const;

/** Names on one page of a following list, upstream. */
export const FOLLOWING_PAGE_NAMES = 50;
/** The most names of a following list that upstream serves. */
export const FOLLOWING_CAP = 200;
/** Upstream's sample of followers. */
export const FOLLOWERS_CAP = 200;

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
  cache: shared(15, 15),
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
  cache: shared(15, 15),
  params: z.strictObject({ userId: uuid("The trader's stable id.") }),
  answer: Trader,
  errors: [...liveErrors, "resolving"],
  example: { params: { userId: "{userId}" } },
});

const tradesQuery = z.strictObject({
  limit: wholeNumber(
    1,
    100,
    "How many rows at most; without it, all that the page or the fan-out holds.",
  ).optional(),
  status: oneOf(["open", "closed", "all"], "Only open or only closed positions.").default("all"),
  cursor: cursor("`start` begins a walk; then pass each answer's `nextCursor` until it is null.").optional(),
  deep: deep(
    "`1` or `true` asks upstream for every chain in both sort orders; a number buys that many upstream calls. Not together with `cursor`.",
  ).optional(),
});

export const listTrades = defineRoute({
  id: "listTrades",
  path: "/v2/users/{handle}/trades",
  tag: "Traders",
  summary: "A trader's trade history",
  description:
    "25 closed positions a page; the first page also carries the open ones. Chains are interleaved, so sort by `ts`. " +
    "With `deep`, several times more closed positions are found, charged by the upstream calls that answered. " +
    "Upstream never gives a whole history, so `complete` stays false there. `available` is false until something was captured for this trader.",
  access: "key",
  price: price(250, "page"),
  unitsAtMost: (query) => query.deep?.calls ?? 1,
  check: (_params, query) =>
    query.deep && query.cursor !== undefined && query.cursor !== "start"
      ? { param: "cursor", sentence: "cursor can not be combined with deep: a fan-out is not a walk." }
      : undefined,
  cache: shared(10, 10),
  params: byKey,
  query: tradesQuery,
  answer: TradesAnswer,
  errors: liveErrors,
  example: { ...example, query: { cursor: "start" } },
});

export const listPositions = defineRoute({
  id: "listPositions",
  path: "/v2/users/{handle}/positions",
  tag: "Traders",
  summary: "A trader's positions",
  description:
    "Captured positions only, filtered and sorted. Paged like trades: `cursor=start`, then `nextCursor` until it is null.",
  access: "key",
  price: price(250, "page"),
  cache: shared(10, 10),
  params: byKey,
  query: z.strictObject({
    status: oneOf(["open", "closed", "all"], "Only open or only closed positions.").default("all"),
    chain: chain().optional(),
    token: tokenAddress("Only positions in this token.").optional(),
    sort: oneOf(["recent", "pnl", "size"], "By last change, by profit, or by size; largest first.").default(
      "recent",
    ),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
    limit: limit(1, 100, 25),
  }),
  answer: PositionsAnswer,
  errors: liveErrors,
  example: { ...example, query: { status: "open" } },
});

export const listSwaps = defineRoute({
  id: "listSwaps",
  path: "/v2/users/{handle}/swaps",
  tag: "Traders",
  summary: "A trader's fills",
  description: "Every fill, newest first, 100 a page. The first call already gives `nextCursor`.",
  access: "key",
  price: price(250, "page"),
  cache: shared(10, 10),
  params: byKey,
  query: z.strictObject({
    token: tokenAddress("Only fills of this token.").optional(),
    chain: chain().optional(),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
    limit: limit(1, 100, 100),
  }),
  answer: SwapsAnswer,
  errors: liveErrors,
  example,
});

export const getBalances = defineRoute({
  id: "getBalances",
  path: "/v2/users/{handle}/balances",
  tag: "Traders",
  summary: "What a trader holds",
  description:
    "Live holdings, largest first. `available` is false when they can not be read and none were captured.",
  access: "key",
  price: price(250),
  cache: shared(10, 10),
  params: byKey,
  answer: BalancesAnswer,
  errors: liveErrors,
  example,
});

export const listFollowing = defineRoute({
  id: "listFollowing",
  path: "/v2/users/{handle}/following",
  tag: "Traders",
  summary: "Whom a trader follows",
  description:
    "Walks pages of 50 names; upstream serves at most 200 names of any list, which `truncated` and `sourceCapped` say. " +
    "Charged by the pages walked, and refused beforehand when the balance does not cover them. An unknown trader costs nothing.",
  access: "key",
  price: price(250, "page", 0),
  unitsAtMost: (query) => Math.ceil(Math.min(query.limit, FOLLOWING_CAP) / FOLLOWING_PAGE_NAMES),
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
  query: z.strictObject({ limit: limit(1, FOLLOWERS_CAP, FOLLOWERS_CAP, "How many names at most.") }),
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

export const getPnl = defineRoute({
  id: "getPnl",
  path: "/v2/users/{handle}/pnl",
  tag: "Traders",
  summary: "A trader's profit over time",
  description:
    "The window's profit as a curve, marked to market at the end of each bucket: what was taken, what is still open, volume and fills, " +
    "and where it was made, by token and by chain. Computed from captured fills and prices; `complete` says whether they cover the window.",
  access: "key",
  price: price(250),
  check: (_params, query) =>
    query.window === "all" && query.interval !== undefined && query.interval !== "1d"
      ? { param: "interval", sentence: "interval must be 1d on the window all." }
      : undefined,
  cache: shared(30, 60),
  params: byKey,
  query: z.strictObject({
    window: oneOf(PNL_WINDOWS, "Over which time profit is counted.").default("7d"),
    interval: oneOf(
      PNL_INTERVALS,
      "The width of a bucket; without it `1h` for 24h, `4h` for 7d, else `1d`.",
    ).optional(),
  }),
  answer: PnlAnswer,
  errors: liveErrors,
  example: { ...example, query: { window: "7d" } },
});
