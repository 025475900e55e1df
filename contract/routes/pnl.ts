// A trader's profit over time.
import { z } from "zod";
import { oneOf, traderKey } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { PNL_INTERVALS, PnlAnswer } from "../shapes/pnl.ts";
import { PNL_WINDOWS } from "../shapes/traders.ts";

export const getPnl = defineRoute({
  id: "getPnl",
  path: "/v2/users/{handle}/pnl",
  tag: "Traders",
  summary: "A trader's profit over time",
  description:
    "The window's profit as a curve, marked to market at the end of each bucket: what was taken, what is still open, volume and fills, " +
    "and where it was made, by token and by chain. Computed from captured fills and prices; `complete` says whether they cover the window.",
  access: "key",
  price: price(250),
  check: (_params, query) =>
    query.window === "all" && query.interval !== undefined && query.interval !== "1d"
      ? { param: "interval", sentence: "interval must be 1d on the window all." }
      : undefined,
  cache: shared(30, 60),
  params: z.strictObject({ handle: traderKey() }),
  query: z.strictObject({
    window: oneOf(PNL_WINDOWS, "Over which time profit is counted.").default("7d"),
    interval: oneOf(
      PNL_INTERVALS,
      "The width of a bucket; without it `1h` for 24h, `4h` for 7d, else `1d`.",
    ).optional(),
  }),
  answer: PnlAnswer,
  errors: ["not_found", "upstream_timeout"],
  example: { params: { handle: "{handle}" }, query: { window: "7d" } },
});
