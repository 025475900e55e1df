// One thing that the app showed, a phone was notified of, or a chain recorded: the items of the three feeds.
import {
  always,
  checked,
  fields,
  nullable,
  object,
  oneOf,
  optional,
  type ReadOf,
  renamed,
  type Schema,
  type WrittenOf,
} from "../schema.ts";
import {
  address,
  amount,
  count,
  decimal,
  handle,
  label,
  name,
  networkId,
  prose,
  time,
  uuid,
  word,
} from "../values.ts";
import { SIDES } from "./position.ts";
import { pricing } from "./pricing.ts";
import { rawCopy } from "./raw.ts";
import { token } from "./token.ts";

export const FEEDS = ["app", "push", "chain"] as const;
export type FeedName = (typeof FEEDS)[number];

const APP_KINDS = ["buy", "sell", "thesis", "perp", "transfer", "listing"] as const;
/** Without these a buy or sell can be neither shown nor counted. */
const NEEDED_OF_A_FILL = ["userId", "handle", "token", "tradeId", "fillUsd", "amount", "priceUsd"] as const;

const appFields = object({
  feed: always("app"),
  kind: oneOf(APP_KINDS),
  eventId: uuid,
  /** When it happened in the app. An item may arrive minutes later, twice, or out of order. */
  at: time,
  userId: nullable(uuid),
  handle: nullable(handle),
  displayName: nullable(name),
  token: nullable(token),
  tradeId: nullable(uuid),
  swapId: nullable(uuid),
  transferId: nullable(uuid),
  /** Theses only: the id of the written rationale. */
  thesisId: nullable(word),
  text: nullable(prose),
  /** Buys and sells only, as are the next five. Volumes are strings. */
  fillUsd: nullable(decimal),
  amount: nullable(amount),
  priceUsd: nullable(amount),
  txHash: nullable(word),
  positionValueUsd: nullable(amount),
  /** Sells: the position's running figure, net of fees. Perps: what a close realized. */
  realizedPnlUsd: nullable(amount),
  /** Sells only: what this sell added, net of its fee. */
  realizedPnlUsdDelta: nullable(amount),
  /** Buys and sells: app and network fees. */
  feeUsd: optional(amount),
  /** The block's time, where the chain has recorded it. */
  execAt: optional(time),
  block: optional(count),
  /** Joined to its transaction with exact amounts, joined with amounts that are estimates, or not joined. */
  fillMatch: optional(oneOf(["onchain-exact", "onchain", "app"])),
  /** Buys and sells only. */
  ...pricing,
  /** Transfers; `amount` and `txHash` are theirs too. */
  direction: optional(oneOf(["in", "out"])),
  valueUsd: optional(amount),
  counterparty: optional(word),
  /** Perps. */
  market: optional(label),
  side: optional(oneOf(["long", "short"])),
  action: optional(oneOf(["open", "increase", "decrease", "close", "liquidate"])),
  leverage: optional(amount),
  sizeUsd: optional(amount),
});

const shownItem = checked(appFields, (item) => {
  if (item.kind !== "buy" && item.kind !== "sell") return null;
  return NEEDED_OF_A_FILL.find((field) => item[field] === null) ?? null;
});
export type AppItem = ReadOf<typeof appFields>;
export type WireAppItem = WrittenOf<typeof appFields>;

const pushFields = object({
  feed: always("push"),
  kind: always("push"),
  eventId: uuid,
  at: time,
  notificationType: nullable(word),
  title: name,
  text: prose,
  userId: nullable(uuid),
  handle: nullable(handle),
  token: nullable(token),
});
export type WirePushItem = WrittenOf<typeof pushFields>;
/** With the notification as it was sent. */
export type PushItem = ReadOf<typeof pushFields> & { raw: Record<string, unknown> };

const pushItem: Schema<PushItem, WirePushItem> = {
  read: (value, field) =>
    Object.assign(pushFields.read(value, field), { raw: rawCopy(fields(value, field)) }),
};

const chainTrade = object({
  feed: always("chain"),
  kind: oneOf(["trade"]),
  eventId: uuid,
  at: renamed("blockAt", time),
  tradeId: uuid,
  swapId: uuid,
  side: oneOf(SIDES),
  userId: uuid,
  handle,
  wallet: address,
  token,
  marketCapUsd: nullable(amount),
  usd: decimal,
  amount,
  priceUsd: amount,
  ...pricing,
  /** App and network fees. */
  feeUsd: optional(amount),
  txHash: word,
  block: count,
  finality: oneOf(["confirmed", "finalized"]),
});
export type ChainTradeItem = ReadOf<typeof chainTrade>;

/** An earlier trade, or an earlier item of the app feed, was on a losing fork. */
const chainRetract = object({
  feed: always("chain"),
  kind: oneOf(["retract"]),
  eventId: uuid,
  at: time,
  networkId,
  retractedEventId: uuid,
  reason: name,
});
export type ChainRetractItem = ReadOf<typeof chainRetract>;

/** An earlier trade can't be undone any more. */
const chainFinal = object({
  feed: always("chain"),
  kind: oneOf(["final"]),
  eventId: uuid,
  at: time,
  networkId,
  finalizedEventId: uuid,
});
export type ChainFinalItem = ReadOf<typeof chainFinal>;

export type WireChainItem =
  | WrittenOf<typeof chainTrade>
  | WrittenOf<typeof chainRetract>
  | WrittenOf<typeof chainFinal>;
export type ChainItem = ChainTradeItem | ChainRetractItem | ChainFinalItem;

const chainKind = oneOf(["trade", "retract", "final"]);
const CHAIN_ITEMS = { trade: chainTrade, retract: chainRetract, final: chainFinal };

const chainItem: Schema<ChainItem, WireChainItem> = {
  read: (value, field) => {
    const kind = chainKind.read(fields(value, field).kind, "kind");
    return CHAIN_ITEMS[kind].read(value, field);
  },
};

const appItem: Schema<AppItem | ChainRetractItem, unknown> = {
  read: (value, field) =>
    (fields(value, field).kind === "retract" ? chainRetract : shownItem).read(value, field),
};

export type FeedEvent = AppItem | PushItem | ChainItem;

export const FEED_ITEMS: Record<FeedName, Schema<FeedEvent, unknown>> = {
  app: appItem,
  push: pushItem,
  chain: chainItem,
};
