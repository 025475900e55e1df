// A trader's profit over time: the curve, and the tokens it came from.
import { z } from "zod";
import { Token } from "./common.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";
import { PNL_WINDOWS } from "./traders.ts";

export const PNL_INTERVALS = ["1h", "4h", "1d"] as const;

const PnlBucket = shape("PnlBucket", "One bucket of a profit curve.", {
  t: leaf.time("When the bucket starts.", "2026-03-14T12:00:00.000Z"),
  pnlUsd: leaf.usd("Profit or loss from the window's start to this bucket's end, net of fees", 1290.75),
  grossPnlUsd: leaf.usd("The same before fees", 1326.35),
  feesUsd: leaf.usd("Fees from the window's start to this bucket's end", 35.6),
  equityUsd: leaf.usd("The value of the open positions at its end", 15230.8),
  realizedUsd: leaf.usd("Taken in this bucket, net of fees", 318.4),
  unrealizedUsd: leaf.usd("Unrealized at its end", 972.35),
  volumeUsd: leaf.usd("Bought and sold in it", 4200),
  fills: leaf.count("Fills in it.", 6),
  unpriced: leaf.count("Positions without a price at its end; each counts at its last known value.", 0),
});

const profitOf = (pnlUsd: number, grossPnlUsd: number, feesUsd: number) => ({
  pnlUsd: leaf.usd("Profit or loss in the window, net of fees", pnlUsd),
  grossPnlUsd: leaf.usd("The same before fees", grossPnlUsd),
  feesUsd: leaf.usd("What the app and the network took", feesUsd),
});

const PnlByToken = shape("PnlByToken", "What one token contributed.", {
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  ...profitOf(640.2, 658, 17.8),
  volumeUsd: leaf.usd("Bought and sold in the window", 2100),
  fills: leaf.count("Fills in the window.", 4),
});

const PnlRest = shape("PnlRest", "The total of the tokens that are not listed.", {
  tokens: leaf.count("How many tokens these are.", 12),
  ...profitOf(12.4, 14, 1.6),
  volumeUsd: leaf.usd("Bought and sold in the window", 300),
  fills: leaf.count("Fills in the window.", 14),
});

const PnlByChain = shape("PnlByChain", "What one chain contributed.", {
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  ...profitOf(1290.75, 1326.35, 35.6),
  volumeUsd: leaf.usd("Bought and sold in the window", 4200),
  fills: leaf.count("Fills in the window.", 9),
});

/** Fields that show how far an answer can be trusted. */
const checks = {
  complete: leaf.complete(
    "true only when every position that was open in the window has both marks, every move and every fee.",
  ),
  unpriced: leaf.count("Positions left out of the sums because a price or a cost is not known.", 0),
};

export const PnlAnswer = shape(
  "PnlAnswer",
  "A trader's profit over time, from every move and the prices at both ends.",
  {
    handle: leaf.handle(),
    userId: leaf.userId(),
    window: leaf.oneOf("The requested window.", PNL_WINDOWS),
    interval: leaf.oneOf("The width of a bucket.", PNL_INTERVALS),
    from: leaf.time("Where the window starts."),
    asOf: leaf.time("The end of the window: when this was computed."),
    available: leaf.available(),
    pnlUsd: leaf.usd("Profit or loss over the window, net of fees; equals the last bucket's", 1290.75),
    grossPnlUsd: leaf.usd("The same before fees", 1326.35),
    feesUsd: leaf.usd("What the app and the network took in it", 35.6),
    platformPnlUsd: leaf.nullInSample(
      leaf.usd("The platform's own figure for the window, where its books can't be read", 1301.2),
    ),
    realizedUsd: leaf.usd("Of pnlUsd, taken", 318.4),
    unrealizedChangeUsd: leaf.usd("The unrealized part: its change over the window", 972.35),
    volumeUsd: leaf.usd("Bought and sold", 4200),
    fills: leaf.count("Fills.", 9),
    count: leaf.count("How many buckets follow.", 42),
    buckets: z.array(PnlBucket).describe("Ascending, without gaps."),
    byToken: z.array(PnlByToken).max(40).describe("The largest gains first, the largest losses last."),
    byTokenRest: PnlRest.nullable().describe(
      "The total of the tokens that are not listed; null when all are.",
    ),
    byChain: z.array(PnlByChain).describe("The largest gains first."),
    ...checks,
    source: leaf.oneOf("Whether the platform's own books were read just now.", ["live-upstream", "captured"]),
    note: leaf.note(),
  },
);

const ProofMark = shape("ProofMark", "The holding at one end of the window, and its value.", {
  at: leaf.time("The moment of the mark."),
  amount: leaf.amount("Held then", 125000.5),
  costUsd: leaf.usd("What that had cost, by moving average; null when it is not known", 427.5).nullable(),
  priceUsd: leaf.price("What one was worth; null when nothing was held, or no price is known").nullable(),
  pricedAt: leaf.time("When that price was seen.").nullable(),
  priceAgeSeconds: leaf.number("How old the price was at the moment.", 0).nullable(),
  priceSource: leaf.text("Where it was seen: quote, fill or candle.", "quote").nullable(),
  valueUsd: leaf.usd("amount × priceUsd; null when it is not known", 427.5).nullable(),
});

const ProofMove = shape("ProofMove", "One move of a position.", {
  at: leaf.time("The block's time."),
  kind: leaf.oneOf("What it was.", ["buy", "sell", "receive", "send"]),
  amount: leaf.amount("How much", 1200),
  usd: leaf.usd("Paid, received, or worth then, without fees; null when it is not known", 41.2).nullable(),
  feesUsd: leaf.usd("What the app and the network took", 0.35).nullable(),
  costUsd: leaf.usd("The cost of the tokens that left; 0 for those that arrived", 0).nullable(),
  gainUsd: leaf.usd("Of a sell: usd − costUsd, before fees; else 0", 0).nullable(),
  txHash: leaf.txHash().nullable(),
});

const ProofPosition = shape("ProofPosition", "One position's profit in the window, and its parts.", {
  tradeId: leaf.tradeId(),
  token: Token,
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  opening: ProofMark,
  moves: z.array(ProofMove).describe("Within the window, oldest first."),
  closing: ProofMark,
  pnlUsd: leaf
    .usd(
      "Σ gainUsd − Σ feesUsd + (closing valueUsd − costUsd) − (opening valueUsd − costUsd); null when it is not known",
      640.2,
    )
    .nullable(),
  grossPnlUsd: leaf.usd("The same without Σ feesUsd", 658).nullable(),
  feesUsd: leaf.usd("Σ feesUsd of its moves", 17.8).nullable(),
  missing: z
    .array(z.enum(["cost", "proceeds", "openingMark", "closingMark", "moves", "fees"]))
    .meta({ description: "What is not known of it; empty when everything is.", examples: [[]] }),
});

export const PnlProofAnswer = shape(
  "PnlProofAnswer",
  "A window's profit, move by move: a spreadsheet gets it from this.",
  {
    handle: leaf.handle(),
    userId: leaf.userId(),
    window: leaf.oneOf("The requested window.", PNL_WINDOWS),
    from: leaf.time("Where the window starts."),
    asOf: leaf.time("The end of the window. All pages of one walk have the same."),
    available: leaf.available(),
    pnlUsd: leaf.usd("Σ pnlUsd over the positions of all pages", 1290.75),
    grossPnlUsd: leaf.usd("Σ grossPnlUsd", 1326.35),
    feesUsd: leaf.usd("Σ feesUsd", 35.6),
    realizedUsd: leaf.usd("Of pnlUsd, taken", 318.4),
    unrealizedChangeUsd: leaf.usd("The unrealized part of pnlUsd: its change over the window", 972.35),
    ...checks,
    source: leaf.oneOf("Whether the platform's own books were read just now.", ["live-upstream", "captured"]),
    total: leaf.count("Positions that were open at some time in the window.", 31),
    count: leaf.count("How many of them follow.", 31),
    positions: z
      .array(ProofPosition)
      .max(100)
      .describe("What is not known first, then the largest gains and losses."),
    nextCursor: leaf.nextCursor(),
    note: leaf.note(),
  },
);
