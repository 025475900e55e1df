// The two streams: how they are opened, the frames in both directions, and what each close code asks a client to do. The
// server frames themselves are in shapes/frames.ts.
import { z } from "zod";
import {
  ALERT_FILTER,
  FILTER_VALUE_LENGTH_MAX,
  FILTER_VALUES_MAX,
  MIN_USD_MAX,
  TRADE_FILTER,
} from "./filters.ts";
import { boolean, formed, parameter } from "./parts.ts";
import type { AccessRule } from "./route.ts";
import type { ServerFrameName } from "./shapes/frames.ts";
import { shape } from "./shapes/shape.ts";

export * from "./shapes/frames.ts";

/** A frame in either direction; a larger one closes the socket with 1009. */
export const FRAME_BYTES_MAX = 65_536;
export const HEARTBEAT_SECONDS = 20;
/** Unread bytes on one socket before it is closed with 4008. */
export const UNREAD_BYTES_MAX = 1_048_576;
/** Several times our longest. */
const CREDENTIAL_LENGTH_MAX = 256;

/** Any format: an invalid one is a 401, not a 400. */
const credential = (description: string) =>
  parameter(z.string().max(CREDENTIAL_LENGTH_MAX), {
    must: `must be at most ${CREDENTIAL_LENGTH_MAX} characters`,
    description,
    schema: { type: "string", maxLength: CREDENTIAL_LENGTH_MAX },
  }).optional();

const opening = {
  key: credential("The API key; a ticket or the Authorization header keeps it out of the URL."),
  ticket: credential("A single-use ticket from POST /v2/stream-tickets."),
  resume: formed(
    /^[A-Za-z0-9-]{1,64}\.(0|[1-9][0-9]{0,15})$/,
    "must be the epoch and the last seq you have, separated by a dot",
    "Replay later events: `<epoch>.<seq>`, the epoch from `welcome` and the last `seq` you have.",
  ).optional(),
  notices: boolean("Also send `reconnect` before the server shuts down.").optional(),
};
const AlertsQuery = z.strictObject({
  ...opening,
  ...ALERT_FILTER,
  paper: formed(
    /^(latest|0|[1-9][0-9]{0,14})$/,
    "must be latest, or the last paperSeq you have",
    "Also send your paper follows' orders: from now on with `latest`, or after the last `paperSeq` you have. Needs a key.",
  ).optional(),
});
const TradesQuery = z.strictObject({
  ...opening,
  ...TRADE_FILTER,
  finality: boolean(
    "Also send each trade again, with `finality` set to finalized, once its block is final.",
  ).optional(),
});

const value = z.union([z.string().min(1).max(FILTER_VALUE_LENGTH_MAX), z.int().nonnegative()]);
const one = (description: string) => value.describe(description).optional();
const many = (description: string) =>
  z.array(value).min(1).max(FILTER_VALUES_MAX).describe(description).optional();

export const SubscribeFrame = shape(
  "SubscribeFrame",
  "Replaces the socket's filter. Without fields it matches everything.",
  {
    action: z.literal("subscribe"),
    trader: one("One trader."),
    traders: many("Traders: handles, userIds, and on trades wallets."),
    userId: one("One trader, by id."),
    userIds: many("Traders, by id."),
    token: one("One token."),
    tokens: many("Tokens: symbols or addresses."),
    chain: one("One chain."),
    chains: many("Chains: names or numbers."),
    type: one("On alerts: one kind."),
    types: many("On alerts: kinds."),
    source: one("On alerts: one source."),
    sources: many("On alerts: sources."),
    side: one("On trades: one side."),
    sides: many("On trades: sides."),
    minUsd: z
      .number()
      .min(0)
      .max(MIN_USD_MAX)
      .describe("Only fills of at least this many dollars.")
      .optional(),
  },
);

const UnsubscribeFrame = shape("UnsubscribeFrame", "Stops delivery until the next subscribe.", {
  action: z.literal("unsubscribe"),
});

const PingFrame = shape("PingFrame", "Asks for a pong.", { action: z.literal("ping") });

export const CLIENT_FRAMES = {
  subscribe: SubscribeFrame,
  unsubscribe: UnsubscribeFrame,
  ping: PingFrame,
} as const;
export const ClientFrame = z.discriminatedUnion("action", [SubscribeFrame, UnsubscribeFrame, PingFrame]);
export type ClientFrame = z.infer<typeof ClientFrame>;

export interface CloseCode {
  name: string;
  meaning: string;
  /** Whether reconnecting, with a resume, can help. */
  reconnect: boolean;
}

export const CLOSE_CODES = {
  1001: {
    name: "going_away",
    meaning: "The server is shutting down. Reconnect and resume.",
    reconnect: true,
  },
  1009: {
    name: "too_big",
    meaning: `A frame was larger than ${FRAME_BYTES_MAX / 1024} KiB.`,
    reconnect: false,
  },
  4001: { name: "key_revoked", meaning: "The key was revoked or has expired.", reconnect: false },
  4003: {
    name: "plan_changed",
    meaning: "The plan changed. Reconnect for what it includes now.",
    reconnect: true,
  },
  4004: {
    name: "bad_message",
    meaning: "A frame was not JSON, or not one that this stream accepts.",
    reconnect: false,
  },
  4008: {
    name: "slow_reader",
    meaning: "More than 1 MiB was waiting to be sent. Read faster, then resume.",
    reconnect: true,
  },
  4029: {
    name: "too_many_messages",
    meaning: "Too many frames were sent. Wait, then reconnect.",
    reconnect: true,
  },
} as const satisfies Record<number, CloseCode>;
export type CloseCodeNumber = keyof typeof CLOSE_CODES;

const onBoth = [
  "welcome",
  "heartbeat",
  "subscribed",
  "unsubscribed",
  "pong",
  "resumed",
  "gap",
  "reconnect",
] as const;

export interface StreamValue {
  path: string;
  access: AccessRule;
  summary: string;
  description: string;
  query: z.ZodObject;
  frames: readonly ServerFrameName[];
}

export const STREAMS = {
  alerts: {
    path: "/ws/alerts",
    access: "keyless",
    summary: "The app's feed, live",
    description:
      "Each trade, thesis and push as the app shows it. Every plan gets the same fields; a plan buys freshness: paid ones are realtime, " +
      "a free key is realtime for its first 7 days and then 15 seconds late, and without a key it is 60 seconds late. Where alerts don't " +
      "wait until their block is final, a `retract` names one that a re-org undid.",
    query: AlertsQuery,
    frames: ["alert", "retract", "paper", ...onBoth],
  },
  trades: {
    path: "/ws/trades",
    access: "onChain",
    summary: "Trades read from the chain",
    description:
      "The same trades about 15 seconds before the app shows them. The later alert has the same `tradeId` and `txHash`. Needs Growth or Scale.",
    query: TradesQuery,
    frames: ["trade", "retract", ...onBoth],
  },
} as const satisfies Record<string, StreamValue>;
export type StreamName = keyof typeof STREAMS;
