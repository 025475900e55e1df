// All traders' fills, for clients that keep a copy or process all of them.
import { z } from "zod";
import { fromBeforeTo, instant } from "../instants.ts";
import { chain, cursor, decimal, limit, oneOf, tokenAddress, traderKey } from "../parts.ts";
import { defineRoute, NO_CACHE, price } from "../route.ts";
import { FillsAnswer, SIDES } from "../shapes/trades.ts";

/** Larger than any trade ever made. */
const USD_MAX = 1_000_000_000;

export const listFills = defineRoute({
  id: "listFills",
  path: "/v2/fills",
  tag: "Trades",
  summary: "Everybody's fills",
  description:
    "Every captured fill of every trader, oldest first: a day with `from` and `to`, or all newer fills with the `cursor` of your last row. " +
    "A walk never skips a fill that may still arrive: it ends at `coveredTo`, some 30 seconds back, and the same cursor continues from there later. " +
    "A selective filter may give a page with few or no rows and a `nextCursor`. With `format`, the same rows as NDJSON or CSV.",
  access: "key",
  price: price(125, "page"),
  check: fromBeforeTo,
  cache: NO_CACHE,
  query: z.strictObject({
    from: instant("The beginning, included.").optional(),
    to: instant("The end, not included.").optional(),
    order: oneOf(["asc", "desc"], "Oldest first, or newest first.").default("asc"),
    trader: traderKey("Only this trader's: a handle or a userId.").optional(),
    chain: chain().optional(),
    token: tokenAddress("Only fills of this token.").optional(),
    side: oneOf(SIDES, "Only buys or only sells.").optional(),
    minUsd: decimal(USD_MAX, "Only fills worth at least this many dollars.").optional(),
    cursor: cursor("`start`, an earlier answer's `nextCursor`, or a row's `cursor`.").optional(),
    limit: limit(1, 100, 100),
    format: oneOf(["json", "ndjson", "csv"], "The answer's form.").default("json"),
  }),
  answer: FillsAnswer,
  otherMediaTypes: ["application/x-ndjson", "text/csv"],
  errors: ["not_found", "upstream_timeout"],
  example: { query: { limit: "10", order: "desc" } },
});
