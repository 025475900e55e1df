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
    "At most 150 traders, the first of everybody in the order asked for; /v2/traders has all of them. `rank` is the place by profit, whatever the rows are sorted by, and `rankChange` says how it moved: against the ranking of an hour before for 24h, and of a day before for the others, as it was kept at the full hour. " +
    "With `chain`, everybody who traded there, ranked by what their positions on that chain made; `note` says so where the platform can't rank a chain by itself. " +
    "Works without a key: then it is free and limited by address.",
  access: "keyless",
  price: price(250),
  cache: ofMoment(30),
  params: z.strictObject({ window: oneOf(PNL_WINDOWS, "Over which time profit is counted.") }),
  query: z.strictObject({
    limit: limit(1, 150, 50, "How many traders at most."),
    chain: chain("Only what was traded on this chain: a name such as solana, or its number.").optional(),
    sort: oneOf(LEADERBOARD_SORTS, "What to order everybody by.").default("pnl"),
    order: oneOf(
      SORT_ORDERS,
      "Largest first (`desc`) or smallest first (`asc`). A figure that is not known comes last either way.",
    ).default("desc"),
  }),
  answer: LeaderboardAnswer,
  errors: ["upstream_timeout"],
  example: { params: { window: "7d" }, query: { limit: "10" } },
});

const BOARD_RULES =
  "Ranks are the platform's own: a hidden token leaves a gap. When upstream does not answer, the last good board comes with `stale` and its age.";
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
  "What the platform shows as trending now.",
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
