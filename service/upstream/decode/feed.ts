// Pages of a feed. Every item behind the position asked for comes out once and in order: as an event, or as a refused
// item with the reason. Repeats and disorder within a page are put right.
import type {
  AppEvent,
  CapturedEvent,
  ChainRetractEvent,
  ChainTradeEvent,
  Feed,
  PushEvent,
} from "../../model/event.ts";
import type { FeedBatch, FeedItem } from "../port.ts";
import { address, handle } from "./keys.ts";
import { shallowCopy } from "./raw.ts";
import {
  amount,
  count,
  decimal,
  type Fields,
  fields,
  Malformed,
  name,
  networkId,
  oneOf,
  orNull,
  prose,
  time,
  uuid,
  word,
} from "./read.ts";
import { token, tokenOrNull } from "./token.ts";

/** Twice what a reader asks for at most, so that a page in which every item is doubled can still be read. */
const MAX_PAGE_ITEMS = 10_000;
const MAX_SAMPLE_LENGTH = 512;

export function feedBatch(value: unknown, feed: Feed, after: number, limit: number): FeedBatch {
  const from = fields(value);
  const oldest = count(from, "oldest");
  const newest = count(from, "newest");
  const given = from.items;
  if (!Array.isArray(given) || given.length > MAX_PAGE_ITEMS) throw new Malformed("items");
  const placed = given.map(place).sort((left, right) => left.position - right.position);

  const items: FeedItem[] = [];
  let last = after;
  for (const { position, item } of placed) {
    if (position > newest || items.length === limit) break;
    // A repeat, or something older than was asked for.
    if (position <= last) continue;
    items.push(decodeItem(feed, position, item));
    last = position;
  }
  // There is more, by its own word, and not one item of it can be used: not an answer to go on from.
  if (items.length === 0 && newest > after) throw new Malformed("items");
  return { items, oldest, newest };
}

function place(value: unknown): { position: number; item: unknown } {
  const from = fields(value);
  return { position: count(from, "position"), item: from.item };
}

function decodeItem(feed: Feed, position: number, item: unknown): FeedItem {
  try {
    return { position, event: DECODERS[feed](item) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { position, refused: { reason: error.message, sample: sampleOf(item) } };
  }
}

function sampleOf(item: unknown): string {
  try {
    return (JSON.stringify(item) ?? "nothing").slice(0, MAX_SAMPLE_LENGTH).toWellFormed();
  } catch {
    // Nested deeper than the stack: still only a bad item, not a bad page.
    return "nested too deeply";
  }
}

const DECODERS: Record<Feed, (item: unknown) => CapturedEvent> = {
  app: appEvent,
  push: pushEvent,
  chain: chainEvent,
};

/** Without these a buy or sell can be neither shown nor counted. */
const NEEDED_OF_A_FILL = ["userId", "handle", "token", "tradeId", "fillUsd", "amount", "priceUsd"] as const;

function appEvent(item: unknown): AppEvent {
  const event = readAppEvent(fields(item));
  if (event.kind === "buy" || event.kind === "sell") {
    const missing = NEEDED_OF_A_FILL.find((field) => event[field] === null);
    if (missing !== undefined) throw new Malformed(missing);
  }
  return event;
}

function readAppEvent(from: Fields): AppEvent {
  return {
    feed: "app",
    kind: oneOf(from, "kind", ["buy", "sell", "thesis", "perp", "transfer", "listing"]),
    eventId: uuid(from, "eventId"),
    at: time(from, "at"),
    userId: orNull(from, "userId", uuid),
    handle: orNull(from, "handle", handle),
    displayName: orNull(from, "displayName", name),
    token: tokenOrNull(from, "token"),
    tradeId: orNull(from, "tradeId", uuid),
    swapId: orNull(from, "swapId", uuid),
    transferId: orNull(from, "transferId", uuid),
    thesisId: orNull(from, "thesisId", word),
    text: orNull(from, "text", prose),
    fillUsd: orNull(from, "fillUsd", decimal),
    amount: orNull(from, "amount", amount),
    priceUsd: orNull(from, "priceUsd", amount),
    txHash: orNull(from, "txHash", word),
    positionValueUsd: orNull(from, "positionValueUsd", amount),
    realizedPnlUsd: orNull(from, "realizedPnlUsd", amount),
    realizedPnlUsdDelta: orNull(from, "realizedPnlUsdDelta", amount),
  };
}

function pushEvent(item: unknown): PushEvent {
  const from = fields(item);
  return {
    feed: "push",
    kind: "push",
    eventId: uuid(from, "eventId"),
    at: time(from, "at"),
    notificationType: orNull(from, "notificationType", word),
    title: name(from, "title"),
    text: prose(from, "text"),
    userId: orNull(from, "userId", uuid),
    handle: orNull(from, "handle", handle),
    token: tokenOrNull(from, "token"),
    raw: shallowCopy(from),
  };
}

function chainEvent(item: unknown): ChainTradeEvent | ChainRetractEvent {
  const from = fields(item);
  return oneOf(from, "kind", ["trade", "retract"]) === "trade" ? chainTrade(from) : chainRetract(from);
}

function chainTrade(from: Fields): ChainTradeEvent {
  return {
    feed: "chain",
    kind: "trade",
    eventId: uuid(from, "eventId"),
    at: time(from, "blockAt"),
    tradeId: uuid(from, "tradeId"),
    swapId: uuid(from, "swapId"),
    side: oneOf(from, "side", ["buy", "sell"]),
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    wallet: address(from, "wallet"),
    token: token(from.token),
    marketCapUsd: orNull(from, "marketCapUsd", amount),
    usd: decimal(from, "usd"),
    amount: amount(from, "amount"),
    priceUsd: amount(from, "priceUsd"),
    txHash: word(from, "txHash"),
    block: count(from, "block"),
    finality: oneOf(from, "finality", ["confirmed", "finalized"]),
  };
}

function chainRetract(from: Fields): ChainRetractEvent {
  return {
    feed: "chain",
    kind: "retract",
    eventId: uuid(from, "eventId"),
    at: time(from, "at"),
    networkId: networkId(from, "networkId"),
    retractedEventId: uuid(from, "retractedEventId"),
    reason: name(from, "reason"),
  };
}
