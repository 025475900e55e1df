// A trader's profit over time: the curve, and where it was made.
import { z } from "zod";
import { Token } from "./common.ts";
import * as leaf from "./leaves.ts";
import { PNL_WINDOWS } from "./traders.ts";

export const PNL_INTERVALS = ["1h", "4h", "1d"] as const;

const PnlBucket = z
  .strictObject({
    t: leaf.time("When the bucket begins.", "2026-03-14T12:00:00.000Z"),
    pnlUsd: leaf.usd("Profit or loss from the window's start to this bucket's end", 1290.75),
    equityUsd: leaf.usd("What the open positions are worth at its end", 15230.8),
    realizedUsd: leaf.usd("Taken in this bucket, net of fees", 318.4),
    unrealizedUsd: leaf.usd("Still open at its end", 972.35),
    volumeUsd: leaf.usd("Bought and sold in it", 4200),
    fills: leaf.count("Fills in it.", 6),
  })
  .meta({ id: "PnlBucket", description: "One bucket of a profit curve." });

const PnlByToken = z
  .strictObject({
    token: Token,
    chainId: leaf.chainId(),
    chain: leaf.chain(),
    pnlUsd: leaf.usd("Profit or loss in the window", 640.2),
    volumeUsd: leaf.usd("Bought and sold in the window", 2100),
    fills: leaf.count("Fills in the window.", 4),
  })
  .meta({ id: "PnlByToken", description: "What one token contributed." });

const PnlByChain = z
  .strictObject({
    chainId: leaf.chainId(),
    chain: leaf.chain(),
    pnlUsd: leaf.usd("Profit or loss in the window", 1290.75),
    volumeUsd: leaf.usd("Bought and sold in the window", 4200),
    fills: leaf.count("Fills in the window.", 9),
  })
  .meta({ id: "PnlByChain", description: "What one chain contributed." });

export const PnlAnswer = z
  .strictObject({
    handle: leaf.handle(),
    userId: leaf.userId(),
    window: leaf.oneOf("The window asked for.", PNL_WINDOWS),
    interval: leaf.oneOf("The width of a bucket.", PNL_INTERVALS),
    from: leaf.time("Where the window starts."),
    asOf: leaf.time("Where it ends: when this was computed."),
    available: leaf.available(),
    pnlUsd: leaf.usd("Profit or loss over the window; equals the last bucket's", 1290.75),
    realizedUsd: leaf.usd("Of that, taken", 318.4),
    unrealizedChangeUsd: leaf.usd("Of that, the change of what is still open", 972.35),
    volumeUsd: leaf.usd("Bought and sold", 4200),
    fills: leaf.count("Fills.", 9),
    count: leaf.count("How many buckets follow.", 42),
    buckets: z.array(PnlBucket).describe("Ascending, without gaps."),
    byToken: z.array(PnlByToken).max(40).describe("The largest gains first, the largest losses last."),
    byChain: z.array(PnlByChain).describe("The largest gains first."),
    complete: leaf.complete("Whether captured fills explain every position of the window."),
    coveredFrom: leaf.time("From when on they do; null when nothing was captured.").nullable(),
    note: leaf.note(),
  })
  .meta({ id: "PnlAnswer", description: "A trader's profit over time, from captured fills and prices." });
