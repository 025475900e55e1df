// Activity: the alert feed, which reads the same log as the socket, and the mobile pushes.
import { z } from "zod";
import { ALERT_FILTER } from "../filters.ts";
import { instant } from "../instants.ts";
import { cursor, formed, limit, oneOf } from "../parts.ts";
import { defineRoute, NO_CACHE, price } from "../route.ts";
import { AlertsAnswer, NotificationsAnswer } from "../shapes/activity.ts";

const walk = {
  since: instant(
    "Only items that happened or arrived then or later, so late arrivals are not missed.",
  ).optional(),
  cursor: cursor("Only newer rows: an earlier answer's `nextCursor`, or `start` for the oldest.").optional(),
  before: cursor(
    "Only older rows: an earlier answer's `oldestCursor`. May be combined with `cursor`.",
  ).optional(),
  order: oneOf(
    ["desc", "asc"],
    "`desc` (default): newest first. `asc`: oldest first, to walk forward from `cursor`.",
  ).optional(),
};

export const listAlerts = defineRoute({
  id: "listAlerts",
  path: "/v2/alerts",
  tag: "Activity",
  summary: "The alert feed",
  description:
    "Buys, sells, theses and more as the app showed them, newest first; the REST version of /ws/alerts. " +
    "Works without a key: then it is free, limited by address and 60 seconds late. With a key it is as fresh as the plan. " +
    "An alert about a trade that a re-org undid is left out from then on; on /ws/alerts a `retract` names it.",
  access: "keyless",
  price: price(125),
  errors: ["unknown_filter"],
  cache: NO_CACHE,
  query: z.strictObject({
    limit: limit(1, 100, 50),
    ...ALERT_FILTER,
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
    "What the platform pushed to phones, newest first. Some have no type; filtering by type leaves those out.",
  access: "key",
  price: price(125),
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
