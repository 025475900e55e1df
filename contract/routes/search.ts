// The two searches: everything, and tokens.
import { z } from "zod";
import { limit, oneOf, words } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { SEARCH_TYPES, SearchAnswer, TokenSearchAnswer } from "../shapes/tokens.ts";

/** The length of the longest transaction hash, with some room. */
const Q_LENGTH_MAX = 100;
const q = words(1, Q_LENGTH_MAX, "What to look for: a handle, a name, a symbol or an address.");
const anything = words(
  1,
  Q_LENGTH_MAX,
  "What to look for: a handle, a name, an X name, a symbol, an address, a wallet or a transaction.",
);

export const search = defineRoute({
  id: "search",
  path: "/v2/search",
  tag: "Search",
  summary: "Search traders, tokens and transactions",
  description:
    "By prefix and by similarity, so typos still match. Best match first; each row has its `type`. " +
    "A whole wallet finds its trader, and with `type=all` a transaction finds its trades once they are public, a minute after they were made.",
  access: "key",
  price: price(250),
  cache: shared(30, 30),
  query: z.strictObject({
    q: anything,
    type: oneOf(SEARCH_TYPES, "What to search.").default("all"),
    limit: limit(1, 100, 10),
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
  query: z.strictObject({ q, limit: limit(1, 100, 10) }),
  answer: TokenSearchAnswer,
  errors: ["upstream_timeout"],
  example: { query: { q: "{symbol}" } },
});
