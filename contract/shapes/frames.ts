// Every server frame, on either socket. All times in frames are epoch milliseconds.
import { z } from "zod";
import { TIERS } from "./account.ts";
import { ALERT_SOURCES, ALERT_TYPES, Alert } from "./activity.ts";
import { PaperOrder } from "./follows.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";
import { SIDES } from "./trades.ts";

const seq = leaf.count("Its position in the log; it only grows.", 48211);
const position = { seq, replay: leaf.notInSample(leaf.flag("true on a frame that answers a resume.", true)) };
const list = <S extends z.ZodType>(item: S, description: string) =>
  leaf.notInSample(z.array(item).describe(description));

/** Fields are combined with AND, the values of one with OR; an absent field does not filter. */
export const StreamFilter = shape("StreamFilter", "A socket's filter; empty means everything.", {
  traders: list(z.string(), "Handles, userIds, and on trades wallets."),
  userIds: list(z.string(), "Traders by id."),
  tokens: list(z.string(), "Symbols or addresses."),
  chains: list(z.string(), "Chain names."),
  types: list(z.enum(ALERT_TYPES), "Kinds of alert."),
  sources: list(z.enum(ALERT_SOURCES), "Where alerts come from."),
  sides: list(z.enum(SIDES), "On trades: buys or sells."),
  minUsd: leaf.notInSample(leaf.number("Only fills of at least this many dollars.", 500)),
});

const WelcomeFrame = shape(
  "WelcomeFrame",
  "The first frame: what this socket gets, and the log's position.",
  {
    type: z.literal("welcome"),
    stream: leaf.oneOf("Which stream this is.", ["alerts", "trades"]),
    realtime: leaf.flag("Whether events are sent without delay.", true),
    delaySeconds: leaf.count("How late they are sent.", 0),
    heartbeatSeconds: leaf.count("The interval between heartbeats.", 20),
    plan: leaf.oneOf("The plan this socket runs on.", TIERS, "growth"),
    filter: StreamFilter,
    seq: leaf.count("The log's current position, for this stream's delay.", 48211),
    epoch: leaf.text(
      "Identifies the log; a rebuilt one has another.",
      "5f0c1c7e-2c53-4f57-9d8e-0a5be2a1c001",
    ),
    oldestSeq: leaf.count("The oldest position a resume can reach.", 1201).nullable(),
    note: leaf.note(),
  },
);

const HeartbeatFrame = shape("HeartbeatFrame", "Proof that the whole pipeline works, not only this socket.", {
  type: z.literal("heartbeat"),
  ts: leaf.epochMs("Now."),
  seq: leaf.count("The log's current position, for this stream's delay.", 48230),
  lastEventAt: leaf.epochMs("When the last event was captured; null before the first.").nullable(),
  quietSeconds: leaf.number("How long ago that was.", 2.1).nullable(),
  lagMs: leaf.number("From an event to its frame, recently.", 4).nullable(),
});

export const AlertFrame = shape("AlertFrame", "An alert; alertType is its kind, type is the frame's.", {
  ...Alert.shape,
  ...position,
  type: z.literal("alert"),
});

export const TradeFrame = shape(
  "TradeFrame",
  "A tracked trader's fill, read from the chain before the app shows it.",
  {
    type: z.literal("trade"),
    id: leaf.text("This frame's own name.", "trd_1773500966535_48211"),
    eventId: leaf.uuid("Stable per event: deduplicate by it."),
    ...position,
    tradeId: leaf.tradeId("The position; the later alert has the same."),
    swapId: leaf.uuid("The fill's id."),
    chain: leaf.chain(),
    chainId: leaf.chainId(),
    side: leaf.oneOf("The direction.", SIDES),
    userId: leaf.userId().nullable(),
    trader: z.strictObject({
      wallet: leaf.address("The wallet that traded."),
      handle: leaf.handle().nullable(),
      userId: leaf.userId().nullable(),
    }),
    token: z.strictObject({
      address: leaf.address("The token's address."),
      symbol: leaf.text("The ticker.", "MOONCAT"),
      mcap: leaf.usd("Market capitalisation", 3420000).nullable(),
    }),
    usdValue: leaf.usd("The size of the fill", 427.5).nullable(),
    amountToken: leaf.amount("How much was traded"),
    priceUsd: leaf.price("The price of the fill").nullable(),
    txHash: leaf.txHash("The transaction; the later alert has the same."),
    block: leaf.count("The block.", 298441207).nullable(),
    blockTs: leaf.epochMs("The block's time."),
    seenAt: leaf.epochMs("When we saw it."),
    latencyMs: leaf.number("From the one to the other.", 420),
    source: z.literal("onchain"),
    finality: leaf.oneOf("How settled the block is.", ["confirmed", "finalized"]),
    verified: z.union([z.literal("db"), z.literal(false)]).meta({
      description: "`db` when the wallet is the trader's by our directory, else false.",
      examples: ["db"],
    }),
  },
);

export const RetractFrame = shape("RetractFrame", "A trade, or an alert about one, that a re-org undid.", {
  type: z.literal("retract"),
  id: leaf.text("The id of the retracted trade or alert.", "trd_1773500966535_48211"),
  eventId: leaf.uuid("Its eventId."),
  ...position,
  reason: leaf.text("Why.", "reorg"),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  ts: leaf.epochMs("When it was found out."),
});

const PaperFrame = shape(
  "PaperFrame",
  "An order of one of your paper follows; sent only to your own sockets that asked for it.",
  {
    type: z.literal("paper"),
    paperSeq: leaf.count("Its position in the log of your paper follows; it only grows.", 17),
    followId: leaf.text("The follow.", "flw_8Zk2mQ4f0a9cX1"),
    handle: leaf.handle("Who is followed."),
    userId: leaf.userId("The same, by id."),
    order: PaperOrder,
  },
);

const SubscribedFrame = shape("SubscribedFrame", "The filter in effect from now on.", {
  type: z.literal("subscribed"),
  filter: StreamFilter,
  note: leaf.note(),
});

const UnsubscribedFrame = shape("UnsubscribedFrame", "Nothing is delivered until the next subscribe.", {
  type: z.literal("unsubscribed"),
});

const PongFrame = shape("PongFrame", "The answer to a ping.", {
  type: z.literal("pong"),
  ts: leaf.epochMs("Now."),
});

const ResumedFrame = shape(
  "ResumedFrame",
  "The replay is over; live frames follow, without gaps or duplicates.",
  {
    type: z.literal("resumed"),
    from: leaf.count("The requested position.", 48100),
    to: leaf.count("The position reached; live continues from here.", 48211),
    count: leaf.count("How many frames were replayed.", 37),
    complete: leaf.flag("false when there was a gap first.", true),
  },
);

const GapFrame = shape("GapFrame", "The log no longer reaches back to the requested position.", {
  type: z.literal("gap"),
  fromSeq: leaf.count("The first missing position.", 100).nullable(),
  toSeq: leaf.count("The last missing position.", 1200).nullable(),
  recover: leaf.text("How to recover.", "Read /v2/alerts?cursor=start."),
});

const ReconnectFrame = shape("ReconnectFrame", "This server is shutting down: reconnect and resume.", {
  type: z.literal("reconnect"),
  graceMs: leaf.count("How long until the socket closes.", 5000),
});

export const SERVER_FRAMES = {
  welcome: WelcomeFrame,
  heartbeat: HeartbeatFrame,
  alert: AlertFrame,
  trade: TradeFrame,
  retract: RetractFrame,
  paper: PaperFrame,
  subscribed: SubscribedFrame,
  unsubscribed: UnsubscribedFrame,
  pong: PongFrame,
  resumed: ResumedFrame,
  gap: GapFrame,
  reconnect: ReconnectFrame,
} as const;

export type ServerFrameName = keyof typeof SERVER_FRAMES;
export const ServerFrame = z.discriminatedUnion("type", [
  WelcomeFrame,
  HeartbeatFrame,
  AlertFrame,
  TradeFrame,
  RetractFrame,
  PaperFrame,
  SubscribedFrame,
  UnsubscribedFrame,
  PongFrame,
  ResumedFrame,
  GapFrame,
  ReconnectFrame,
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
export type StreamFilter = z.infer<typeof StreamFilter>;
