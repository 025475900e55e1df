// A trader's profit over time.
import { z } from "zod";
import { cursor, oneOf, traderKey } from "../parts.ts";
import { defineRoute, ofMoment, price } from "../route.ts";
import { PNL_INTERVALS, PnlAnswer, PnlProofAnswer } from "../shapes/pnl.ts";
import { PNL_WINDOWS } from "../shapes/traders.ts";

export const getPnl = defineRoute({
  id: "getPnl",
  path: "/v2/users/{handle}/pnl",
  tag: "Traders",
  summary: "A trader's profit over time",
  description:
    "The window's profit as a curve, marked to market at the end of each bucket: realized, unrealized, volume and fills, " +
    "and where it was made, by token and by chain. Computed from every move, as the leaderboard and /v2/users are at the same `asOf`; `complete` says whether everything is known.",
  access: "key",
  price: price(250),
  check: (_params, query) =>
    query.window === "all" && query.interval !== undefined && query.interval !== "1d"
      ? { param: "interval", sentence: "interval must be 1d for the window all." }
      : undefined,
  cache: ofMoment(),
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

/** Positions on one page of a proof. */
export const PROOF_POSITIONS_MAX = 100;

export const getPnlProof = defineRoute({
  id: "getPnlProof",
  path: "/v2/users/{handle}/pnl/proof",
  tag: "Traders",
  summary: "A trader's profit, proved",
  description:
    "For each position of the window: its value at the start, every move with its transaction, fees and gain, its value at the end, and its net. " +
    `They add up to the window's profit, on every route. ${PROOF_POSITIONS_MAX} positions a page; all pages of a walk share one moment.`,
  access: "key",
  price: price(250, "page"),
  cache: ofMoment(),
  params: z.strictObject({ handle: traderKey() }),
  query: z.strictObject({
    window: oneOf(PNL_WINDOWS, "Over which time profit is counted.").default("7d"),
    cursor: cursor("nextCursor of the previous page; `start`, or nothing, for the first.").optional(),
  }),
  answer: PnlProofAnswer,
  errors: ["not_found", "upstream_timeout"],
  example: { params: { handle: "{handle}" }, query: { window: "24h" } },
});
