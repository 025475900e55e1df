// Paper follows: copy a trader from now on under the terms of a replay, without money. Managing them is free; orders are
// charged.
import { z } from "zod";
import { FOLLOW, FOLLOW_PRICE } from "../follows.ts";
import { formed } from "../parts.ts";
import { defineRoute, FREE, NO_CACHE } from "../route.ts";
import { Follow, FollowOrdersAnswer, FollowsAnswer } from "../shapes/follows.ts";
import { exitHasRules, replayTerms, sizesAgree } from "./replays.ts";

const own = { access: "key", price: FREE, cache: NO_CACHE, tag: "Traders" } as const;

export const createFollow = defineRoute({
  ...own,
  id: "createFollow",
  method: "POST",
  path: "/v2/follows",
  summary: "Follow a trader on paper",
  description:
    "An account without money that copies the trader from now on, with the terms and the code of a replay: after a month, it has the same result as a replay of that month. " +
    "It continues on its own, across restarts, without missing or repeating an order. " +
    `It costs ${FOLLOW_PRICE.credits} credits for each ${FOLLOW_PRICE.orders} filled orders begun; without credits it waits, and resumes where it was once there are some. ` +
    `An account may have ${FOLLOW.perAccountMax} active. docs/replay.md says more.`,
  body: replayTerms
    .omit({ window: true, from: true, to: true })
    .refine(...sizesAgree)
    .refine(...exitHasRules),
  status: 201,
  answer: Follow,
  errors: ["not_found", "upstream_timeout"],
  example: { body: { trader: "{handle}", stopLossPct: 20, size: { mode: "fixed", value: 50 } } },
});

export const listFollows = defineRoute({
  ...own,
  id: "listFollows",
  path: "/v2/follows",
  summary: "The account's paper follows",
  description: `Each with its state. Stopped ones are kept for ${FOLLOW.stoppedKeptDays} days.`,
  answer: FollowsAnswer,
  example: {},
});

const params = z.strictObject({
  followId: formed(/^flw_[A-Za-z0-9]{1,60}$/, "must be the id of a follow, flw_…", "The follow's id."),
});
const byId = { ...own, params, errors: ["not_found"] } as const;
const example = { params: { followId: "{followId}" } };

export const getFollow = defineRoute({
  ...byId,
  id: "getFollow",
  path: "/v2/follows/{followId}",
  summary: "A paper follow of yours",
  description: "Its holdings and profit. Holdings are valued every few minutes; asOf says when.",
  answer: Follow,
  example,
});

export const stopFollow = defineRoute({
  ...byId,
  id: "stopFollow",
  method: "DELETE",
  path: "/v2/follows/{followId}",
  summary: "Stop a paper follow",
  description: `It books nothing more, but can be read for ${FOLLOW.stoppedKeptDays} days. Stopping it again changes nothing.`,
  answer: Follow,
  example,
});

export const listFollowOrders = defineRoute({
  ...byId,
  id: "listFollowOrders",
  path: "/v2/follows/{followId}/orders",
  summary: "Every order of a paper follow",
  description:
    "Filled and skipped, in the order they were booked, 100 a page, each with its reason and the tick that it was priced by. A retracted fill of the trader's " +
    "becomes a correction: the change to the account, as if the fill had never happened.",
  params,
  query: z.strictObject({
    cursor: formed(
      /^(start|\d{1,9})$/,
      "must be start, or nextCursor of an earlier page",
      "start, or nextCursor of the previous page; on the last page, use its total to get later orders.",
    ).default("start"),
  }),
  answer: FollowOrdersAnswer,
  example,
});
