// Ranked traders in four windows, and the platform's three token boards.
import { z } from "zod";
import { chain, limit, oneOf } from "../parts.ts";
import { defineRoute, ofMoment, price, shared } from "../route.ts";
import { BoardAnswer } from "../shapes/tokens.ts";
import { LEADERBOARD_SORTS, LeaderboardAnswer, PNL_WINDOWS, SORT_ORDERS } from "../shapes/traders.ts";

export const getLeaderboard = defineRoute({
  id: "getLeaderboard",
  path: "/v2/leaderboard/{window}",
  tag: "Leaderboards",
  summary: "Traders ranked by profit",
  description:
    "At most 150 traders, the first in the requested order; /v2/traders has all of them. `rank` is the rank by profit, whatever the rows are sorted by, and `rankChange` shows how it changed: since the ranking an hour earlier for 24h, and a day earlier for the others, as recorded on the hour. " +
    "With `chain`, everyone who traded there, ranked by their positions' profit on that chain; `note` says so where the platform can't rank a single chain. " +
    "Works without a key: then it is free and limited by address.",
  access: "keyless",
  price: price(250),
  cache: ofMoment(30),
  params: z.strictObject({ window: oneOf(PNL_WINDOWS, "Over which time profit is counted.") }),
  query: z.strictObject({
    limit: limit(1, 150, 50, "How many traders at most."),
    chain: chain("Only trades on this chain: a name such as solana, or its number.").optional(),
    sort: oneOf(LEADERBOARD_SORTS, "What to order traders by.").default("pnl"),
    order: oneOf(
      SORT_ORDERS,
      "Largest first (`desc`) or smallest first (`asc`). Unknown figures come last either way.",
    ).default("desc"),
  }),
  answer: LeaderboardAnswer,
  errors: ["upstream_timeout"],
  example: { params: { window: "7d" }, query: { limit: "10" } },
});

const BOARD_RULES =
  "Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board is served with `stale` and its age.";
const boardQuery = z.strictObject({ limit: limit(1, 100, 50, "How many tokens at most.") });

const board = <const Id extends string>(id: Id, path: string, summary: string, description: string) =>
  defineRoute({
    id,
    path,
    tag: "Leaderboards",
    summary,
    description: `${description} ${BOARD_RULES}`,
    access: "key",
    price: price(250),
    cache: shared(300, 300),
    query: boardQuery,
    answer: BoardAnswer,
    errors: ["upstream_timeout"],
    example: { query: { limit: "10" } },
  });

export const getTrendingTokens = board(
  "getTrendingTokens",
  "/v2/leaderboard/tokens/trending",
  "Trending tokens",
  "The tokens that the platform shows as trending now.",
);
export const getMostHeldTokens = board(
  "getMostHeldTokens",
  "/v2/leaderboard/tokens/most-held",
  "Most-held tokens",
  "Held by the most traders; `holders` is null on this board.",
);
export const getGraduatedTokens = board(
  "getGraduatedTokens",
  "/v2/leaderboard/tokens/graduated",
  "Graduated tokens",
  "Fresh from their launch pads, typically well under a million dollars of market cap.",
);
