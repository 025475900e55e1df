// The directory: all traders, in one order at one moment.
import { z } from "zod";
import { cursor, limit, oneOf } from "../parts.ts";
import { defineRoute, ofMoment, price } from "../route.ts";
import { DIRECTORY_SORTS, PNL_WINDOWS, SORT_ORDERS, TradersAnswer } from "../shapes/traders.ts";

export const listTraders = defineRoute({
  id: "listTraders",
  path: "/v2/traders",
  tag: "Traders",
  summary: "Everybody",
  description:
    "The whole directory, 100 traders a page, in one order at one moment: pages of a walk never miss or repeat a trader, however long it takes. " +
    "Profits are those of the leaderboard and /pnl.",
  access: "key",
  price: price(250, "page"),
  cache: ofMoment(),
  query: z.strictObject({
    window: oneOf(PNL_WINDOWS, "Over which time profit, volume and trades are counted.").default("all"),
    sort: oneOf(DIRECTORY_SORTS, "What to order them by.").default("handle"),
    order: oneOf(
      SORT_ORDERS,
      "Largest first or smallest first; by default handles go from A to Z and everything else largest first.",
    ).optional(),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
    limit: limit(1, 100, 100),
  }),
  answer: TradersAnswer,
  errors: ["upstream_timeout"],
  example: { query: { sort: "pnl", window: "7d" } },
});
