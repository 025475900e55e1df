// Activity: the alert feed, which reads the same log as the socket, and the mobile pushes.
import { z } from "zod";
import { instant } from "../instants.ts";
import { chain, cursor, formed, limit, oneOf, traderKey, uuid, words } from "../parts.ts";
import { defineRoute, NO_CACHE, price } from "../route.ts";
import { ALERT_SOURCES, ALERT_TYPES, AlertsAnswer, NotificationsAnswer } from "../shapes/activity.ts";

const walk = {
  since: instant("Only what happened then or later.").optional(),
  cursor: cursor(
    "Only what is newer: an earlier answer's `nextCursor`, or `start` for the oldest there is.",
  ).optional(),
  before: cursor("Only what is older: an earlier answer's `oldestCursor`.").optional(),
};

const eitherWay = (query: { cursor?: string | undefined; before?: string | undefined }) =>
  query.cursor !== undefined && query.before !== undefined
    ? { param: "before", sentence: "before can not be combined with cursor: a walk goes one way." }
    : undefined;

export const listAlerts = defineRoute({
  id: "listAlerts",
  path: "/v2/alerts",
  tag: "Activity",
  summary: "The alert feed",
  description:
    "Buys, sells, theses and more as the app showed them, newest first; the REST twin of /ws/alerts. " +
    "Works without a key: then it is free, limited by address and 60 seconds late. With a key it is as fresh as the plan.",
  access: "keyless",
  price: price(125),
  check: (_params, query) => eitherWay(query),
  cache: NO_CACHE,
  query: z.strictObject({
    limit: limit(1, 100, 50),
    type: oneOf(ALERT_TYPES, "Only this kind.").optional(),
    chain: chain().optional(),
    trader: traderKey("Only this trader: a handle or userId.").optional(),
    userId: uuid("Only this trader, by id.").optional(),
    token: words(1, 64, "Only this token: a symbol or an address.").optional(),
    source: oneOf(ALERT_SOURCES, "Only the app's feed, or only pushes.").optional(),
    ...walk,
  }),
  answer: AlertsAnswer,
  example: { query: { type: "buy", limit: "10" } },
});

export const listNotifications = defineRoute({
  id: "listNotifications",
  path: "/v2/notifications",
  tag: "Activity",
  summary: "Mobile pushes",
  description:
    "What the platform pushed to phones, newest first. Some have no type; asking for a type leaves those out.",
  access: "key",
  price: price(125),
  check: (_params, query) => eitherWay(query),
  cache: NO_CACHE,
  query: z.strictObject({
    limit: limit(1, 100, 50),
    notificationType: formed(
      /^[A-Za-z0-9_-]{1,64}$/,
      "must be a type such as LARGE_BUY: 1 to 64 letters, digits, _ or -",
      "Only pushes of this type, such as `LARGE_BUY`.",
    ).optional(),
    ...walk,
  }),
  answer: NotificationsAnswer,
  example: { query: { limit: "10" } },
});
