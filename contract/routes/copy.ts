// What following a trader would have earned.
import { z } from "zod";
import { oneOf, traderKey, uuid, wholeNumber } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { COPY_EXITS, COPY_WINDOWS, CopyAnswer } from "../shapes/copy.ts";

const DELAY_SECONDS_MAX = 3_600;
const SIZE_USD_MAX = 1_000_000;
const CAPITAL_USD_MAX = 100_000_000;
const BOT_FEE_BPS_MAX = 1_000;

export const getCopy = defineRoute({
  id: "getCopy",
  path: "/v2/users/{handle}/copy",
  tag: "Traders",
  summary: "What following a trader would have earned",
  description:
    "Goes through the trader's orders and prices each as a follower would have got it: some seconds later, in the pool as it was then, with the follower's own " +
    "impact, the bot's fee and the network's. `bridge` shows where the leader's profit went, to the cent; `ladder` the same at other delays; `verdict` whether the figures are conclusive. docs/replay.md explains each.",
  access: "key",
  price: price(250),
  cache: shared(60, 240),
  params: z.strictObject({
    handle: traderKey("Who is copied: a handle, in any case and with or without @, or a userId."),
  }),
  query: z.strictObject({
    window: oneOf(COPY_WINDOWS, "Over which time.").default("30d"),
    tradeId: uuid(
      "Only this position, from its first buy on, whatever the window; a single trade is always `too_few` to judge a trader by.",
    ).optional(),
    size: wholeNumber(1, SIZE_USD_MAX, "Dollars spent on each buy.").default(100),
    capital: wholeNumber(
      1,
      CAPITAL_USD_MAX,
      "The account's starting dollars; a buy that it can't pay for is skipped.",
    ).default(1_000),
    delay: wholeNumber(
      0,
      DELAY_SECONDS_MAX,
      "Seconds from the leader's fill to the follower's; at least a block.",
    ).default(5),
    exit: oneOf(
      COPY_EXITS,
      "`mirror` sells the same share of the position as the leader, `firstSell` all of it at the first sell.",
    ).default("mirror"),
    botFeeBps: wholeNumber(0, BOT_FEE_BPS_MAX, "The bot's fee on each order, in basis points.").default(100),
  }),
  answer: CopyAnswer,
  errors: ["not_found", "upstream_timeout"],
  example: { params: { handle: "{handle}" }, query: { window: "7d" } },
});
