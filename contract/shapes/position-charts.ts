// A position as a small chart.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";
import { CANDLE_INTERVALS } from "./tokens.ts";

const ChartPrice = shape("ChartPrice", "One price of a small chart.", {
  t: leaf.time("When the candle starts."),
  c: leaf.price("The closing price"),
});

const ChartMark = shape("ChartMark", "A buy, a sell or a transfer on a small chart.", {
  t: leaf.time("When it was."),
  kind: leaf.oneOf("What the trader did.", ["buy", "sell", "receive", "send"]),
  priceUsd: leaf.price("The price; null when unknown").nullable(),
  usd: leaf.usd("What it was worth, without fees; null when that is not known", 420).nullable(),
});

const PositionChart = shape("PositionChart", "The token's price while a position was held, with its moves.", {
  tradeId: leaf.tradeId(),
  interval: leaf.oneOf("The width of the candles.", CANDLE_INTERVALS, "1h"),
  from: leaf.time("When the chart starts."),
  to: leaf.time("The end of the range."),
  prices: z.array(ChartPrice).describe("Oldest first; times without a trade have none."),
  marks: z.array(ChartMark).describe("Oldest first."),
  moves: leaf.count("How many buys, sells and transfers there are in all.", 7),
  complete: leaf.complete("Whether prices go back to the first move and every move has its mark."),
});

export const PositionChartsAnswer = shape(
  "PositionChartsAnswer",
  "Some of a trader's positions as small charts.",
  {
    handle: leaf.handle(),
    userId: leaf.userId(),
    asOf: leaf.time("The moment that the positions are of."),
    count: leaf.count("How many charts follow.", 15),
    charts: z.array(PositionChart),
  },
);
