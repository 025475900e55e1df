// Items of the push feed: phone notifications. Most have a type, some have none.
import type { WirePushItem, WireToken } from "../../protocol/protocol.ts";
import { chosen } from "../world/hash.ts";
import type { WorldTrader } from "../world/population.ts";
import { SELL } from "../world/state.ts";
import type { WorldToken } from "../world/tokens.ts";
import {
  PUSH_FOLLOWED_TRADE,
  PUSH_GRADUATED,
  PUSH_LARGE_BUY,
  PUSH_LARGE_SELL,
  PUSH_SINCE_LISTED,
  PUSH_THESIS,
} from "../world/writing.ts";
import { fillKept } from "./fills.ts";
import { nameOf } from "./names.ts";
import { poolPrice } from "./pool-quotes.ts";
import { short } from "./thesis-facts.ts";
import { thesisKept, writtenOf } from "./thesis-rows.ts";
import { dollars, type View } from "./view.ts";

const KINDS = 8;
const PREVIEW = 90;

export function pushItem(view: View, row: number): WirePushItem | undefined {
  const feed = view.tables.pushFeed.columns;
  const kind = feed.kind.get(row);
  const number = feed.number.get(row);
  const at = Math.floor(feed.at.get(row));
  const push = textOf(view, kind, number, at);
  if (!push) return undefined;
  return {
    eventId: view.ids.pushEvent.encode(number * KINDS + kind),
    notificationType: push.type,
    title: push.title,
    text: push.text,
    userId: push.trader ? view.userId(push.trader.index) : null,
    handle: push.trader?.handle ?? null,
    token: push.token,
    at,
  };
}

interface PushText {
  type: string | null;
  title: string;
  text: string;
  trader: WorldTrader | null;
  token: WireToken | null;
}

function textOf(view: View, kind: number, number: number, at: number): PushText | undefined {
  if (kind === PUSH_GRADUATED) {
    const token = view.context.tokens.get(number);
    const text = `${token.name} left its bonding curve at ${short(poolPrice(view.context, token, at) * token.supply)} market cap`;
    return {
      type: "TOKEN_GRADUATED",
      title: `${token.symbol} graduated 🎓`,
      text,
      trader: null,
      token: view.token(token),
    };
  }
  if (kind === PUSH_THESIS) return thesisPush(view, number);
  if (!fillKept(view, number)) return undefined;
  const fills = view.tables.fills.columns;
  const fill = number % view.tables.fills.capacity;
  const trader = view.context.population.get(fills.trader.get(fill));
  const token = view.context.tokens.get(fills.token.get(fill));
  return fillPush(view, kind, {
    number,
    trader,
    token,
    usd: fills.usd.get(fill),
    sells: fills.kind.get(fill) === SELL,
    at,
  });
}

function thesisPush(view: View, number: number): PushText | undefined {
  if (!thesisKept(view, number)) return undefined;
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  const trader = view.context.population.get(theses.trader.get(row));
  const token = view.context.tokens.get(theses.token.get(row));
  const { text } = writtenOf(view, number);
  return {
    type: "NEW_THESIS",
    title: `${nameOf(view, trader)} on ${token.symbol}`,
    text: text.length > PREVIEW ? `${[...text].slice(0, PREVIEW).join("")}…` : text,
    trader,
    token: view.token(token),
  };
}

function fillPush(
  view: View,
  kind: number,
  fill: { number: number; trader: WorldTrader; token: WorldToken; usd: number; sells: boolean; at: number },
): PushText {
  const { trader, token, at } = fill;
  const name = nameOf(view, trader);
  const size = short(dollars(fill.usd));
  const price = poolPrice(view.context, token, at);
  const capital = short(price * token.supply);
  const about = { trader, token: view.token(token) };
  const deed = fill.sells ? "sold" : "bought";
  if (kind === PUSH_LARGE_BUY) {
    return {
      type: "LARGE_BUY",
      title: `🐋 ${size} buy on ${token.symbol}`,
      text: `${name} bought ${size} at ${capital} market cap`,
      ...about,
    };
  }
  if (kind === PUSH_LARGE_SELL) {
    return {
      type: "LARGE_SELL",
      title: `${size} of ${token.symbol} sold`,
      text: `${name} sold ${size} at ${capital} market cap`,
      ...about,
    };
  }
  if (kind === PUSH_FOLLOWED_TRADE) {
    return {
      type: "NEW_FOLLOWER_TRADE",
      title: `${name} ${deed} ${token.symbol}`,
      text: `${size} at ${capital} market cap`,
      ...about,
    };
  }
  if (kind === PUSH_SINCE_LISTED) {
    const multiple = (price / Math.exp(token.price.launchLogPrice)).toFixed(1);
    const text = `${token.name} is up ${multiple}x since it was listed, now at ${capital}`;
    return {
      type: "PRICE_SINCE_LISTED",
      title: `${token.symbol} ${multiple}x 🚀`,
      text,
      trader: null,
      token: about.token,
    };
  }
  const title = chosen(
    ["People are talking", "Worth a look", "Busy on the tape", "Don't miss this"],
    view.context.key,
    fill.number,
    71,
  );
  return {
    type: null,
    title,
    text: `${token.symbol} is seeing trades at ${capital} market cap`,
    trader: null,
    token: about.token,
  };
}
