// Is it bait? Counts, and how often others do the same.
import { z } from "zod";
import { traderKey } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { RiskAnswer } from "../shapes/risk.ts";

export const getRisk = defineRoute({
  id: "getRisk",
  path: "/v2/users/{handle}/risk",
  tag: "Traders",
  summary: "Trading patterns that hurt followers",
  description:
    "Counts of the last 30 days, each next to the rate over many traders, with a 90 % interval and the transactions: quick dumps, sells into others' buys, followers left holding, " +
    "flat round trips, and wins on which a follower would have lost. A count is `flagged` when it is above the others' rate and unlikely to be chance. docs/replay.md explains each.",
  access: "key",
  price: price(250),
  cache: shared(60, 240),
  params: z.strictObject({
    handle: traderKey("Who: a handle, in any case and with or without @, or a userId."),
  }),
  query: z.strictObject({}),
  answer: RiskAnswer,
  errors: ["not_found", "upstream_timeout"],
  example: { params: { handle: "{handle}" }, query: {} },
});
