// Small charts of a trader's positions: the token's price while each was held, and what was bought and sold when.
import { z } from "zod";
import { parameter, traderKey } from "../parts.ts";
import { defineRoute, ofMoment, price } from "../route.ts";
import { PositionChartsAnswer } from "../shapes/position-charts.ts";

/** A page of a list; with at most 48 prices each they have fewer than one candles call returns. */
export const POSITION_CHARTS_MAX = 15;
export const CHART_PRICES_MAX = 48;
/** More would be a blur at the size that these are for. */
export const CHART_MARKS_MAX = 40;

const ids = z
  .string()
  .transform((text) => [...new Set(text.toLowerCase().split(","))])
  .pipe(z.array(z.guid()).min(1).max(POSITION_CHARTS_MAX));

export const listPositionCharts = defineRoute({
  id: "listPositionCharts",
  path: "/v2/users/{handle}/positions/charts",
  tag: "Traders",
  summary: "Positions as small charts",
  description:
    `For up to ${POSITION_CHARTS_MAX} positions at once: the token's price from a little before the first move to a little after the last, at most ${CHART_PRICES_MAX} closes from the same candles as ` +
    `/v2/token/{address}/candles, and the trader's buys, sells and transfers on it, the first and the newest of at most ${CHART_MARKS_MAX}. ` +
    "A position that is not this trader's is left out. Needs a plan with on-chain data.",
  access: "onChain",
  price: price(250),
  cache: ofMoment(30),
  params: z.strictObject({ handle: traderKey() }),
  query: z.strictObject({
    tradeIds: parameter(ids, {
      must: `must be 1 to ${POSITION_CHARTS_MAX} trade ids with commas between them`,
      description: "Which positions: their `tradeId`s with commas between them. Without it, the newest ones.",
      schema: { type: "string", maxLength: POSITION_CHARTS_MAX * 37 },
    }).optional(),
  }),
  answer: PositionChartsAnswer,
  errors: ["not_found", "upstream_timeout"],
  example: { params: { handle: "{handle}" } },
});
