// One trade: its details, and its comments.
import { z } from "zod";
import { cursor, limit, uuid } from "../parts.ts";
import { defineRoute, price, shared } from "../route.ts";
import { CommentsAnswer, TradeDetail } from "../shapes/trades.ts";

const byId = z.strictObject({ tradeId: uuid("A position's id, from trades, theses or alerts.") });
const example = { params: { tradeId: "{tradeId}" } };

export const getTrade = defineRoute({
  id: "getTrade",
  path: "/v2/trades/{tradeId}",
  tag: "Trades",
  summary: "One trade in full",
  description:
    "The position with its fills, transfers, thesis and figures. Past 200 fills or transfers, `cursor` gives the rest.",
  access: "key",
  price: price(250),
  cache: shared(10, 10),
  params: byId,
  query: z.strictObject({ cursor: cursor("An earlier answer's `nextCursor`.").optional() }),
  answer: TradeDetail,
  errors: ["not_found", "upstream_timeout", "not_shown_yet"],
  example,
});

export const listComments = defineRoute({
  id: "listComments",
  path: "/v2/trades/{tradeId}/comments",
  tag: "Trades",
  summary: "Comments under a trade",
  description: "The comments, with `parentId` for replies.",
  access: "key",
  price: price(250),
  cache: shared(30, 30),
  params: byId,
  query: z.strictObject({
    limit: limit(1, 200, 50),
    cursor: cursor("`start`, or an earlier answer's `nextCursor`.").optional(),
  }),
  answer: CommentsAnswer,
  errors: ["not_found", "upstream_timeout"],
  example,
});
