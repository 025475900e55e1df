// Alerts and notifications. An alert is an event of the log on the wire: the REST feed and the socket send the
// same object, so an eventId, a seq and a cursor mean the same on both.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

/** `push` is a pushed notification of any other kind. */
export const ALERT_TYPES = ["buy", "sell", "thesis", "perp", "transfer", "listing", "push"] as const;
export const ALERT_SOURCES = ["feed", "push"] as const;

const perFill = (field: z.ZodNumber) => field.nullable().optional();
const perSell = (field: z.ZodNumber) => leaf.notInSample(field.nullable());

export const Alert = shape("Alert", "One event as the app showed it.", {
  id: leaf.text("This alert's id.", "alrt_1773500966535_48211"),
  seq: leaf.count("Its position in the log; it only grows.", 48211),
  eventId: leaf
    .uuid("Stable per event: deduplicate by it. null on pushes, which carry none of the ids.")
    .nullable(),
  type: leaf.oneOf("What happened.", ALERT_TYPES),
  alertType: leaf.oneOf("The same as type.", ALERT_TYPES),
  source: leaf.oneOf("Whether it came from the app's feed or from a push.", ALERT_SOURCES),
  trader: leaf.handle("The trader's handle.").nullable(),
  displayName: leaf.text("The name shown next to the handle.", "Night Owl").nullable(),
  userId: leaf.userId().nullable(),
  tradeId: leaf.tradeId().nullable(),
  swapId: leaf.nullInSample(leaf.uuid("The fill's id; only when upstream sends it.")),
  transferId: leaf.nullInSample(leaf.uuid("The transfer's id; only when upstream sends it.")),
  token: leaf.text("The token's symbol.", "MOONCAT").nullable(),
  tokenAddress: leaf.address("The token's address.").nullable(),
  chainId: leaf.chainId().nullable(),
  chain: leaf.chain().nullable(),
  text: leaf.nullInSample(leaf.text("The text of the thesis or the push.", "mayatrades bought MOONCAT")),
  notificationType: leaf.nullInSample(leaf.text("The push's type, when it has one.", "LARGE_BUY")),
  ts: leaf.epochMs("When it happened, in epoch milliseconds."),
  fillUsd: perFill(leaf.usd("On buy and sell: the size of this fill", 427.5)),
  tradeUsd: perFill(leaf.usd("The same as fillUsd", 427.5)),
  amount: perFill(leaf.amount("On buy, sell and transfer: how much was moved")),
  priceUsd: perFill(leaf.price("On buy and sell: the price of this fill")),
  txHash: leaf.txHash("On buy, sell and transfer: the transaction.").nullable().optional(),
  execTs: leaf
    .epochMs("On buy and sell: the block's time, in epoch milliseconds; null while unknown.")
    .nullable()
    .optional(),
  fillMatch: leaf
    .oneOf(
      "On buy and sell: whether the fill was matched to its transaction; `onchain` when it was and some amount in it is an estimate.",
      ["onchain-exact", "onchain", "app"],
    )
    .optional(),
  positionValueUsd: perFill(leaf.usd("On buy and sell: the position's value after this fill", 427.5)),
  realizedPnlUsd: perSell(
    leaf.usd(
      "On sell: profit or loss realized so far, net of fees; on perp: what this close realized",
      315.5,
    ),
  ),
  realizedPnlUsdDelta: perSell(leaf.usd("On sell: profit or loss of this sell alone, net of its fees", 40.2)),
  feesUsd: perFill(leaf.usd("On buy and sell: app and network fees of this fill", 3.6)),
  usdValue: perFill(
    leaf.usd("Kept for old clients: position value on a buy, realizedPnlUsd on a sell", 427.5),
  ),
  direction: leaf.notInSample(leaf.oneOf("On transfer: which way.", ["in", "out"]).nullable()),
  valueUsd: leaf.notInSample(leaf.usd("On transfer: the value moved").nullable()),
  counterparty: leaf.notInSample(leaf.address("On transfer: the sender or the recipient.").nullable()),
  market: leaf.notInSample(leaf.text("On perp: the market.", "BTC").nullable()),
  side: leaf.notInSample(leaf.oneOf("On perp: the direction of the position.", ["long", "short"]).nullable()),
  action: leaf.notInSample(
    leaf
      .oneOf("On perp: the change to the position.", ["open", "increase", "decrease", "close", "liquidate"])
      .nullable(),
  ),
  leverage: leaf.notInSample(leaf.number("On perp: the leverage.", 5).nullable()),
  sizeUsd: leaf.notInSample(leaf.usd("On perp: the size of the position").nullable()),
});

const feedEnvelope = {
  nextCursor: leaf.nextCursor("Pass it as cursor to get only newer rows; null while the feed is empty."),
  oldestCursor: leaf.nextCursor("Pass it as before to continue to older rows; null if there are no more."),
  hasMore: leaf.flag(
    "Whether rows remain between these and the requested bound: get them with before=oldestCursor, or with order=asc with cursor=nextCursor.",
    true,
  ),
  retentionFrom: leaf.time("How far back the feed reaches; null while it is empty.").nullable(),
  delaySeconds: leaf.count("How late this feed is for the caller.", 0),
};

export const AlertsAnswer = shape("AlertsAnswer", "The alert feed, newest first.", {
  count: leaf.count("How many alerts follow.", 50),
  alerts: z.array(Alert).describe("Newest first, unless order=asc was given."),
  ...feedEnvelope,
  newestTs: leaf.epochMs("ts of the newest here.").nullable(),
  oldestTs: leaf.epochMs("ts of the oldest here.").nullable(),
  filters: z.record(z.string(), z.union([z.string(), z.number()])).meta({
    description: "The filters as parsed; several values of one are separated by commas.",
    examples: [{ type: "buy", chain: "solana" }],
  }),
});

export const Notification = shape("Notification", "A pushed mobile notification.", {
  id: leaf.text("The notification's id.", "ntf_1773500966535_48212"),
  notification_type: leaf.text("Its type; some have none.", "LARGE_BUY").nullable(),
  title: leaf.text("The first line.", "Large buy").nullable(),
  text: leaf.text("The text.", "mayatrades bought $4,200 of MOONCAT").nullable(),
  userId: leaf.userId().nullable(),
  token: leaf.text("The token's symbol.", "MOONCAT").nullable(),
  tokenAddress: leaf.address("The token's address.").nullable(),
  chainId: leaf.chainId().nullable(),
  chain: leaf.chain().nullable(),
  ts: leaf.time("When it was pushed."),
  raw: z
    .record(z.string(), z.unknown())
    .meta({ description: "The push as upstream sent it.", examples: [{ notification_type: "LARGE_BUY" }] }),
});

export const NotificationsAnswer = shape("NotificationsAnswer", "Mobile pushes, newest first.", {
  count: leaf.count("How many notifications follow.", 50),
  notifications: z.array(Notification).describe("Newest first, unless order=asc was given."),
  ...feedEnvelope,
});
