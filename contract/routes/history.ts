// A trader's activity: trades, positions and fills.
import { z } from "zod";
import { deep } from "../instants.ts";
import { boolean, chain, cursor, limit, oneOf, tokenAddress, traderKey, wholeNumber } from "../parts.ts";
import { defineRoute, ofMoment, price, shared } from "../route.ts";
import { PositionsAnswer, SwapsAnswer, TradesAnswer } from "../shapes/trades.ts";

const byKey = z.strictObject({ handle: traderKey() });
const example = { params: { handle: "{handle}" } };
const liveErrors = ["not_found", "upstream_timeout"] as const;

const tradesQuery = z.strictObject({
  limit: wholeNumber(
    1,
    500,
    "The maximum number of rows; without it, all rows of the page or fan-out.",
  ).optional(),
  status: oneOf(["open", "closed", "all"], "Only open or only closed positions.").default("all"),
  cursor: cursor("`start` starts a walk; then pass each answer's `nextCursor` until it is null.").optional(),
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
  unitsMax: (query) => query.deep?.calls ?? 1,
  check: (_params, query) =>
    query.deep && query.cursor !== undefined && query.cursor !== "start"
      ? { param: "cursor", sentence: "cursor can't be combined with deep: a fan-out has no pages." }
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
    "Every position as of one moment, filtered and sorted; their `pnlUsd` add up to the trader's all-time profit. Unsolicited tokens that have no price or use another token's name are left out; `spam=true` lists those too. Paged like trades: `cursor=start`, then `nextCursor` until it is null.",
  access: "key",
  price: price(250, "page"),
  cache: ofMoment(),
  params: byKey,
  query: z.strictObject({
    status: oneOf(["open", "closed", "all"], "Only open or only closed positions.").default("all"),
    chain: chain().optional(),
    token: tokenAddress("Only positions in this token.").optional(),
    sort: oneOf(["recent", "pnl", "size"], "By last change, by profit, or by size; largest first.").default(
      "recent",
    ),
    spam: boolean("Whether to list unsolicited tokens too.").optional(),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
    limit: limit(1, 500, 25),
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
  check: (_params, query) =>
    query.token !== undefined && query.tokenAddress !== undefined && query.token !== query.tokenAddress
      ? { param: "tokenAddress", sentence: "token and tokenAddress name two different tokens." }
      : undefined,
  cache: shared(10, 10),
  params: byKey,
  query: z.strictObject({
    token: tokenAddress("Only fills of this token.").optional(),
    tokenAddress: tokenAddress("The same as token.").optional(),
    chain: chain().optional(),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
    limit: limit(1, 100, 100),
  }),
  answer: SwapsAnswer,
  errors: liveErrors,
  example,
});
