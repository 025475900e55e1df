// Which traders were worth following.
import { z } from "zod";
import { limit, oneOf } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { COPY_WINDOWS, CopyBoardAnswer } from "../shapes/copy.ts";

export const getCopyLeaderboard = defineRoute({
  id: "getCopyLeaderboard",
  path: "/v2/leaderboard/copy/{window}",
  tag: "Leaderboards",
  summary: "Who was worth following",
  description:
    "The busiest traders of the last 30 days, each replayed under the standard terms ($100 on each buy, 5 s behind, mirror), and ranked by the lower bound of what a follower " +
    "was left with: the lower end of its 90 % interval. Computed in the background, one trader at a time, and again every six hours; each row has its `asOf`. " +
    "`replayed` and `of` give the progress. /v2/users/{handle}/copy has more about one trader.",
  access: "key",
  price: price(250),
  cache: shared(30, 60),
  params: z.strictObject({ window: oneOf(COPY_WINDOWS, "Over which time.") }),
  query: z.strictObject({ limit: limit(1, 150, 50, "How many traders at most.") }),
  answer: CopyBoardAnswer,
  example: { params: { window: "30d" }, query: { limit: "10" } },
});
