// Theses: all of them, of one token, of one trader, and of one trader on one token.
import { z } from "zod";
import { chain, cursor, limit, oneOf, tokenAddress, traderKey, wholeNumber } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { ThesesAnswer, TokenThesesAnswer } from "../shapes/theses.ts";

const THESIS_PAGE_CREDITS = 1_250;
/** Each page is a live upstream read; ten of them fit into one request's deadline. */
const PAGES_MAX = 10;

const sort = oneOf(["likes", "recent"], "By likes or by time; without it, in the stored order.").optional();
const next = cursor("An earlier answer's `nextCursor`.").optional();
const liveErrors = ["not_found", "upstream_timeout"] as const;

export const listTheses = defineRoute({
  id: "listTheses",
  path: "/v2/thesis",
  aliases: ["/theses"],
  tag: "Theses",
  summary: "The newest theses",
  description: "Across all traders and tokens, newest first.",
  access: "key",
  price: price(THESIS_PAGE_CREDITS, "page"),
  cache: shared(30, 30),
  query: z.strictObject({
    limit: limit(1, 100, 50),
    chain: chain().optional(),
    sort: oneOf(
      ["recent", "likes"],
      "The order of the rows of one page; pages themselves go by time.",
    ).default("recent"),
    cursor: next,
  }),
  answer: ThesesAnswer,
  errors: ["upstream_timeout"],
  example: { query: { limit: "10" } },
});

export const listTokenTheses = defineRoute({
  id: "listTokenTheses",
  path: "/v2/thesis/token/{mint}",
  aliases: ["/token/{address}/theses"],
  tag: "Theses",
  summary: "Theses about a token",
  description:
    "One page holds about 95 theses. More than one page is always read live; a single page may be a captured copy. " +
    "`available` is false for a token that was never captured. Charged by the pages that answered.",
  access: "key",
  price: price(THESIS_PAGE_CREDITS, "page"),
  unitsMax: (query) => query.pages,
  cache: shared(30, 30),
  params: z.strictObject({ mint: tokenAddress() }),
  query: z.strictObject({
    limit: limit(1, 100, 50, "How many theses of each page at most."),
    network: chain(
      "The token's chain: `sol`, `bnb`, `base`, `eth`, or any chain's name or number.",
    ).optional(),
    sort,
    pages: wholeNumber(1, PAGES_MAX, "How many pages to read; above 1 they are read live.").default(1),
  }),
  answer: TokenThesesAnswer,
  errors: ["upstream_timeout"],
  example: { params: { mint: "{tokenAddress}" } },
});

export const listTraderTheses = defineRoute({
  id: "listTraderTheses",
  path: "/v2/thesis/user/{id}",
  tag: "Theses",
  summary: "A trader's theses",
  description: "All theses by one trader.",
  access: "key",
  price: price(THESIS_PAGE_CREDITS, "page"),
  cache: shared(30, 30),
  params: z.strictObject({ id: traderKey() }),
  query: z.strictObject({ limit: limit(1, 100, 50), chain: chain().optional(), sort, cursor: next }),
  answer: ThesesAnswer,
  errors: liveErrors,
  example: { params: { id: "{handle}" } },
});

export const listTraderTokenTheses = defineRoute({
  id: "listTraderTokenTheses",
  path: "/v2/thesis/user/{id}/token/{address}",
  tag: "Theses",
  summary: "A trader's theses about a token",
  description: "One trader's theses about one token.",
  access: "key",
  price: price(THESIS_PAGE_CREDITS, "page"),
  cache: shared(30, 30),
  params: z.strictObject({ id: traderKey(), address: tokenAddress() }),
  query: z.strictObject({ limit: limit(1, 100, 50), cursor: next }),
  answer: ThesesAnswer,
  errors: liveErrors,
  example: { params: { id: "{handle}", address: "{tokenAddress}" } },
});
