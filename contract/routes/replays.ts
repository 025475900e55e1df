// Replays under the caller's own terms: requested once, charged once, read again for free.
import { z } from "zod";
import { instant } from "../instants.ts";
import {
  chain,
  formed,
  jsonFlag,
  jsonNumber,
  jsonObject,
  jsonWhole,
  oneOf,
  parameter,
  traderKey,
} from "../parts.ts";
import { defineRoute, FREE, NO_CACHE, price } from "../route.ts";
import { COPY_WINDOWS } from "../shapes/copy.ts";
import { REPLAY_EXITS, Replay, ReplayOrdersAnswer, SELECT_EVERY, SIZE_MODES } from "../shapes/replays.ts";

const USD_MAX = 100_000_000;
const DELAY_SECONDS_MAX = 3_600;
const BOT_FEE_BPS_MAX = 1_000;
const NETWORK_FEE_USD_MAX = 1_000;
const RISE_PCT_MAX = 1_000_000;
const HOLD_SECONDS_MAX = 180 * 86_400;
const CHAINS_MAX = 20;
const OPEN_MAX = 10_000;
/** The leader's fills per unit of price; also how many are replayed within the call. */
export const REPLAY_FILLS_A_UNIT = 5_000;
const REPLAY_CREDITS = 1_250;
export const REPLAY_DAYS_MAX = 180;

const TRADERS_MAX = 25;
/** Exactly one of these says who is copied. */
const WHO = ["trader", "traders", "select"] as const;

const usd = (least: number, description: string) => jsonNumber(least, USD_MAX, description);

const chains = parameter(z.array(chain()).min(1).max(CHAINS_MAX), {
  must: `must be a list of 1 to ${CHAINS_MAX} chains, by name or number`,
  description: "Only buys on these chains.",
  schema: { type: "array", minItems: 1, maxItems: CHAINS_MAX, items: { type: "string" } },
});

const traders = parameter(z.array(traderKey()).min(1).max(TRADERS_MAX), {
  must: `must be a list of 1 to ${TRADERS_MAX} traders, each a handle or a userId`,
  description: "Several, instead of trader: one account and its capital copies all of them.",
  schema: { type: "array", minItems: 1, maxItems: TRADERS_MAX, items: { type: "string" } },
});

const select = jsonObject(
  {
    board: oneOf(COPY_WINDOWS, "By profit over this window, as of each choice.").default("7d"),
    top: jsonWhole(1, TRADERS_MAX, "How many of its top traders are followed.").default(5),
    every: oneOf(SELECT_EVERY, "How often it is chosen.").default("1d"),
  },
  "Instead of trader: the top of the leaderboard, chosen again at intervals; each choice uses only what had happened by then.",
);

export const replayTerms = z.strictObject({
  trader: traderKey("Who is copied: a handle, in any case and with or without @, or a userId."),
  window: oneOf(COPY_WINDOWS, "The time range up to now; 30d unless from is given.").optional(),
  from: instant("The start, instead of window.").optional(),
  to: instant(`The end; defaults to now, and at most ${REPLAY_DAYS_MAX} days after from.`).optional(),
  capitalUsd: usd(1, "The account's starting capital; a buy that it can't pay for is skipped.").default(
    1_000,
  ),
  size: jsonObject(
    {
      mode: oneOf(
        SIZE_MODES,
        "`fixed` dollars, `share` in percent of the leader's order, `equity` in percent of the account's value.",
      ).default("fixed"),
      value: jsonNumber(0.01, USD_MAX, "Dollars or per cent.").default(100),
      minUsd: usd(0, "Smaller orders are skipped.").optional(),
      maxUsd: usd(0.01, "Larger orders are capped.").optional(),
    },
    "How large each buy is.",
  ).default({ mode: "fixed", value: 100 }),
  delaySeconds: jsonWhole(
    0,
    DELAY_SECONDS_MAX,
    "From the leader's fill to the follower's; at least a block.",
  ).default(5),
  exit: oneOf(
    REPLAY_EXITS,
    "`mirror` sells the same share as the leader, `firstSell` all at the first sell, `rules` by the follower's own rules only.",
  ).default("mirror"),
  stopLossPct: jsonNumber(
    0.1,
    100,
    "Sells all when a tick is this far below the average price paid.",
  ).optional(),
  takeProfitPct: jsonNumber(0.1, RISE_PCT_MAX, "Sells all when one is this far above it.").optional(),
  trailingPct: jsonNumber(0.1, 100, "Sells all when one is this far below the highest since.").optional(),
  maxHoldSeconds: jsonWhole(1, HOLD_SECONDS_MAX, "Sells all after so long.").optional(),
  filters: jsonObject(
    {
      chains: chains.optional(),
      minLeaderUsd: usd(0, "Only leader buys of at least this.").optional(),
      maxLeaderUsd: usd(0, "Only leader buys of at most this.").optional(),
      firstBuyOnly: jsonFlag("Only buys of tokens the leader did not hold.").default(false),
      minDepthUsd: usd(0, "Only in pools of at least this depth.").optional(),
      maxMovePct: jsonNumber(
        0,
        RISE_PCT_MAX,
        "Only while the price has risen by at most this since.",
      ).optional(),
      maxOpen: jsonWhole(1, OPEN_MAX, "Positions at once.").optional(),
    },
    "Which buys are copied.",
  ).default({ firstBuyOnly: false }),
  costs: jsonObject(
    {
      networkFeeUsd: jsonNumber(
        0,
        NETWORK_FEE_USD_MAX,
        "For each order; defaults to the leader's median on that chain in the window.",
      ).optional(),
      botFeeBps: jsonWhole(0, BOT_FEE_BPS_MAX, "The bot's fee on each order, in basis points.").default(100),
    },
    "Extra costs of each order.",
  ).default({ botFeeBps: 100 }),
  copyOpen: jsonFlag("Also buys the leader's holdings at the start.").default(false),
});

type ReplayTermsAsked = z.output<typeof replayTerms>;

/** Rules between fields, for everything that is copied under these terms. */
export const sizesAgree = [
  ({ size: { minUsd, maxUsd } }: Pick<ReplayTermsAsked, "size">) =>
    minUsd === undefined || maxUsd === undefined || minUsd <= maxUsd,
  { path: ["size", "maxUsd"], message: "size.maxUsd must be at least size.minUsd." },
] satisfies [unknown, unknown];

export const exitHasRules = [
  (
    body: Pick<ReplayTermsAsked, "exit" | "stopLossPct" | "takeProfitPct" | "trailingPct" | "maxHoldSeconds">,
  ) =>
    body.exit !== "rules" ||
    [body.stopLossPct, body.takeProfitPct, body.trailingPct, body.maxHoldSeconds].some(
      (rule) => rule !== undefined,
    ),
  {
    path: ["exit"],
    message: "exit can be rules only with stopLossPct, takeProfitPct, trailingPct or maxHoldSeconds.",
  },
] satisfies [unknown, unknown];

const manyLeaders = replayTerms.extend({
  trader: replayTerms.shape.trader.optional(),
  traders: traders.optional(),
  select: select.optional(),
});

export const createReplay = defineRoute({
  id: "createReplay",
  method: "POST",
  path: "/v2/replays",
  tag: "Traders",
  summary: "What following would have earned, under your own terms",
  description:
    "Sizes, exits, stops, filters and costs of your choice, for one trader, for several in one account, or for those who led the leaderboard at the time (`select`); docs/replay.md explains each. Up to 5,000 of the leader's fills are answered at once if the tape is at " +
    "hand; more, or a tape that takes longer, is a 202: poll the id until it is done. It is charged once, when it is done: 1,250 for each 5,000 fills begun, " +
    "or as a miss when there is too little data. The same terms at the same log position give the same id, answered again for free; a replay that failed or was cancelled costs nothing and can be requested again.",
  access: "key",
  price: price(REPLAY_CREDITS, "5,000 fills"),
  cache: NO_CACHE,
  body: manyLeaders
    .refine((body) => WHO.some((name) => body[name] !== undefined), {
      path: ["trader"],
      message: "trader is missing: say who is copied by trader, traders or select.",
    })
    .refine(({ trader, traders }) => trader === undefined || traders === undefined, {
      path: ["traders"],
      message: "traders can't be given together with trader.",
    })
    .refine(({ trader, traders, select }) => select === undefined || (trader ?? traders) === undefined, {
      path: ["select"],
      message: "select can't be given together with trader or traders.",
    })
    .refine(({ window, from }) => window === undefined || from === undefined, {
      path: ["window"],
      message: "window can't be given together with from.",
    })
    .refine(({ from, to }) => to === undefined || from !== undefined, {
      path: ["from"],
      message: "from is missing: with to, it must be given.",
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
      path: ["to"],
      message: "to must be after from.",
    })
    .refine(...sizesAgree)
    .refine(...exitHasRules),
  mayBeAccepted: true,
  answer: Replay,
  errors: ["not_found", "upstream_timeout"],
  example: {
    body: { trader: "{handle}", window: "7d", stopLossPct: 20, size: { mode: "fixed", value: 50 } },
  },
});

const own = { access: "key", price: FREE, cache: NO_CACHE, tag: "Traders", errors: ["not_found"] } as const;
const params = z.strictObject({
  replayId: formed(/^rpl_[A-Za-z0-9]{1,60}$/, "must be the id of a replay, rpl_…", "The replay's id."),
});
const example = { params: { replayId: "{replayId}" } };

export const getReplay = defineRoute({
  ...own,
  id: "getReplay",
  path: "/v2/replays/{replayId}",
  summary: "A replay of yours",
  description: "Its progress, and its result once it is done. Replays are kept for 30 days, 200 per account.",
  params,
  answer: Replay,
  example,
});

export const cancelReplay = defineRoute({
  ...own,
  id: "cancelReplay",
  method: "DELETE",
  path: "/v2/replays/{replayId}",
  summary: "Cancel a replay",
  description: "A running replay is stopped and costs nothing. A finished one is unchanged.",
  params,
  answer: Replay,
  example,
});

export const listReplayOrders = defineRoute({
  ...own,
  id: "listReplayOrders",
  path: "/v2/replays/{replayId}/orders",
  summary: "Every order of a replay",
  description:
    "Filled and skipped, in the order of execution, 100 a page, each with its reason and the tick that it was priced by, so that anyone can recompute the total.",
  params,
  query: z.strictObject({
    cursor: formed(
      /^(start|\d{1,7})$/,
      "must be start, or nextCursor of an earlier page",
      "start, or nextCursor of the previous page.",
    ).default("start"),
  }),
  answer: ReplayOrdersAnswer,
  example,
});
