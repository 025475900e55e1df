// Theses, comments and the links in them. A link that a browser must not follow is left out of its list.
import type { Comment, Link, Thesis } from "../../model/thesis.ts";
import { handle } from "./keys.ts";
import {
  amount,
  count,
  type Fields,
  fields,
  flag,
  goodRows,
  Malformed,
  name,
  orNull,
  prose,
  time,
  uuid,
  webAddress,
  word,
} from "./read.ts";
import { token } from "./token.ts";

const MAX_LINKS = 100;

export function thesis(value: unknown): Thesis {
  const from = fields(value);
  return {
    id: word(from, "id"),
    tradeId: uuid(from, "tradeId"),
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    displayName: name(from, "displayName"),
    avatar: webAddress(from, "avatar"),
    text: prose(from, "text"),
    likes: orNull(from, "likes", count),
    replies: count(from, "replies"),
    links: links(from),
    isDev: flag(from, "isDev"),
    equityUsd: amount(from, "equityUsd"),
    tradeUsd: amount(from, "tradeUsd"),
    realizedPnlUsd: amount(from, "realizedPnlUsd"),
    unrealizedPnlUsd: amount(from, "unrealizedPnlUsd"),
    token: token(from.token),
    createdAt: time(from, "createdAt"),
  };
}

export function comment(value: unknown): Comment {
  const from = fields(value);
  return {
    id: word(from, "id"),
    tradeId: uuid(from, "tradeId"),
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    text: prose(from, "text"),
    likes: count(from, "likes"),
    parentId: orNull(from, "parentId", word),
    links: links(from),
    createdAt: time(from, "createdAt"),
  };
}

function links(from: Fields): Link[] {
  // A text is whole without a link of its that can not be used, so these are not counted as dropped rows.
  return goodRows(from, "links", MAX_LINKS, link, () => {});
}

function link(value: unknown): Link {
  const from = fields(value);
  const target = webAddress(from, "link");
  if (target === null) throw new Malformed("link");
  return { text: name(from, "text"), link: target, provider: orNull(from, "provider", name) };
}
