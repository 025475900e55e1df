// What following a trader would have earned.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const COPY_WINDOWS = ["24h", "7d", "30d"] as const;
export const COPY_EXITS = ["mirror", "firstSell"] as const;
const COPY_VERDICTS = ["copyable", "fades", "not_copyable", "too_few"] as const;
const COPY_DOUBTS = ["roundTrips", "coverage", "chance"] as const;
export const COPY_SKIPS = [
  "chain",
  "leaderSize",
  "leaderPriceUnknown",
  "notFirstBuy",
  "noPrice",
  "depth",
  "moved",
  "maxOpen",
  "belowMin",
  "capital",
  "afterWindow",
  "nothingHeld",
  "ownRules",
] as const;

const share = (description: string, example: number) =>
  leaf.number(`${description}, as a share of 1.`, example);

const CopyTerms = shape("CopyTerms", "How the follower copies.", {
  sizeUsd: leaf.usd("Spent on each buy", 100),
  capitalUsd: leaf.usd("The account's starting capital", 1_000),
  delaySeconds: leaf.count("From the leader's fill to the follower's.", 5),
  exit: leaf.oneOf("What is sold when the leader sells.", COPY_EXITS),
  botFeeBps: leaf.count("The bot's fee on each order, in basis points.", 100),
  networkFeeUsd: leaf.nullInSample(
    leaf.usd("For each order; null: the leader's median on that chain in the window", 0.02),
  ),
});

const CopyLeader = shape("CopyLeader", "The trader who is copied.", {
  pnlUsd: leaf.usd("The leader's profit in the window, net of fees, as in /pnl", 1290.75),
  roi: share("Per dollar invested; null when none was", 0.21).nullable(),
});

const CopyFollower = shape("CopyFollower", "The imagined account that copies.", {
  pnlUsd: leaf.usd("What is left after everything", 204.1),
  roi: share("Relative to the most cash ever invested; null when nothing was bought", 0.204).nullable(),
  maxDrawdownPct: leaf.percent("The account's largest drawdown, by the points of the curve", 6.1),
  winRate: share("Round trips that gained; null without any", 0.58).nullable(),
  profitFactor: leaf.number("Gains divided by losses; null without a loss.", 1.7).nullable(),
  sharpe: leaf.number("Daily returns, annualized; null under 20 days.", 1.9).nullable(),
  sortino: leaf.number("The same with downside deviation only; null under 20 days.", 2.6).nullable(),
  exposurePct: leaf.percent("Share of the window with open positions", 83),
  orders: leaf.count("Orders that were filled.", 96),
  roundTrips: leaf.count("Positions that were opened and sold.", 41),
  medianHoldSeconds: leaf.number("How long they were held; null without any.", 5_400).nullable(),
});

const CopyBridge = shape("CopyBridge", "From the leader's profit to the follower's.", {
  leaderUsd: leaf.usd("Every order of the leader's at the leader's prices and the follower's sizes", 500),
  skippedUsd: leaf.usd("Orders that were not copied", -20),
  delayUsd: leaf.usd("The pool's price at the follower's time instead", -180.3),
  impactUsd: leaf.usd("The follower's own orders move the price", -22.4),
  feesUsd: leaf.usd("Pool, bot and network", -73.2),
  netUsd: leaf.usd("What is left: the sum of the above, to the cent", 204.1),
});

const CopyRung = shape("CopyRung", "The same terms at another delay.", {
  delaySeconds: leaf.count("The delay.", 5),
  pnlUsd: leaf.usd("What is left at it", 204.1),
  roi: share("Relative to the most cash ever invested", 0.204).nullable(),
  tape: share("Orders priced by the tape; null without orders", 0.98).nullable(),
});

const CopyCoverage = shape("CopyCoverage", "The basis of the orders' prices.", {
  tape: share("Orders priced by a tick", 0.97),
  candle: share("By a candle", 0),
  leader: share("By the leader's own price, without either", 0.03),
});

const CopyTape = shape("CopyTape", "The tape behind the answer.", {
  ticks: leaf.count("Pool states that were read.", 20_412),
  hours: leaf.number("Hours containing orders, rules and marks, over all tokens.", 310),
  coveredHours: leaf.number("How much of that the platform covers.", 301.5),
  coveredFrom: leaf.time("Where the first covered range starts; null without any.").nullable(),
  coveredTo: leaf.time("Where the last one ends.").nullable(),
});

const CopySkips = shape("CopySkips", "The leader's orders that were not copied.", {
  reason: leaf.oneOf("Why.", COPY_SKIPS, "capital"),
  count: leaf.count("How many orders.", 3),
});

const CopyPoint = shape("CopyPoint", "The account at one moment.", {
  t: leaf.time("The moment."),
  pnlUsd: leaf.usd("Earned by then, with open positions sold", 88.2),
});

/** The figures of every replay. */
export const REPLAY_FIGURES = {
  verdict: leaf.oneOf("Whether it was worth following; too_few when the figures can't say.", COPY_VERDICTS),
  doubts: z
    .array(z.enum(COPY_DOUBTS))
    .meta({ description: "Why it is too few; else empty.", examples: [[]] }),
  low90Usd: leaf.usd("Nine draws of ten by token earned more than this", 61.5).nullable(),
  high90Usd: leaf.usd("and less than this; null when nothing was copied", 352.8).nullable(),
  leader: CopyLeader,
  follower: CopyFollower,
  bridge: CopyBridge,
  captured: share(
    "The follower's return divided by the leader's at the same sizes; null where the leader lost",
    0.41,
  ).nullable(),
  ladder: z.array(CopyRung).describe("The same at 0, 2, 5, 15, 60 and 300 seconds."),
  breakEvenDelaySeconds: leaf.nullInSample(
    leaf.count("The first delay at which no profit is left; null if there still is some at 300 s.", 42),
  ),
  capacityUsd: leaf
    .usd(
      "The largest order of 100·2^k whose return is at least half of that at $100; null when $100 loses",
      1_600,
    )
    .nullable(),
  skipped: z.array(CopySkips).describe("Empty when everything was copied."),
  coverage: CopyCoverage.nullable().describe("null without orders."),
  tape: CopyTape,
  dead: leaf.count(
    "Holdings at the end that count as worth nothing: no tick for 24 hours, and less than $50 of depth.",
    0,
  ),
  leaderMovedTokens: leaf.count("Times the leader sent tokens away; the follower kept its own.", 0),
  perps: leaf.count("The leader's perpetual positions, which are left out.", 0),
  curve: z.array(CopyPoint).describe("By hour up to two days, else by day; the last is asOf."),
};

export const CopyAnswer = shape(
  "CopyAnswer",
  "What following a trader would have earned, and where the difference went.",
  {
    handle: leaf.handle(),
    userId: leaf.userId(),
    window: leaf.oneOf("The requested window, which does not matter for one trade.", COPY_WINDOWS),
    tradeId: leaf.tradeId("The requested position; null for all of them.").nullable(),
    from: leaf.time("Where the window starts."),
    asOf: leaf.time("The end of the range."),
    logSeq: leaf.count("The log's newest event at the time of the answer.", 48_210),
    available: leaf.available(),
    terms: CopyTerms,
    ...REPLAY_FIGURES,
    source: leaf.oneOf("Whether the platform's own books were read just now.", ["live-upstream", "captured"]),
    note: leaf.note(),
  },
);

const CopyBoardRow = shape(
  "CopyBoardRow",
  "What following one trader would have left, under the standard terms.",
  {
    rank: leaf.count("The place, from 1.", 1),
    handle: leaf.handle(),
    displayName: leaf.text("The name shown next to the handle.", "Night Owl"),
    userId: leaf.userId(),
    avatar: leaf.text("A picture; null without one.", "https://…/avatar.svg").nullable(),
    asOf: leaf.time("The time up to which this trader was replayed."),
    verdict: leaf.oneOf("Whether it was worth following.", COPY_VERDICTS),
    doubts: z
      .array(leaf.oneOf("A reason.", COPY_DOUBTS))
      .meta({ description: "Why it is too few; empty otherwise.", examples: [[]] }),
    low90Usd: leaf.usd("What a follower is left with is above this in 19 draws of 20, by token", 41.3),
    high90Usd: leaf.usd("and below this in 19 of 20", 371.8),
    pnlUsd: leaf.usd("What a follower was left with after everything", 204.1),
    roi: share("Relative to the most cash ever invested", 0.204).nullable(),
    orders: leaf.count("Orders that were filled.", 96),
    roundTrips: leaf.count("Positions that were opened and sold.", 41),
    covered: share("Orders that the tape could price", 0.97),
  },
);

export const CopyBoardAnswer = shape("CopyBoardAnswer", "Who was worth following.", {
  window: leaf.oneOf("The window.", COPY_WINDOWS, "30d"),
  asOf: leaf.time("The newest replay among these rows; null without any.").nullable(),
  count: leaf.count("How many rows follow.", 50),
  terms: CopyTerms,
  traders: z
    .array(CopyBoardRow)
    .describe("By low90Usd, largest first; those with too few round trips or too little tape come last."),
  replayed: leaf.count("Traders replayed so far.", 1_204),
  of: leaf.count("Traders to replay: the busiest of the last 30 days.", 2_000),
  complete: leaf.complete("Whether all were replayed at least once; the others are not in the list yet."),
  note: leaf.note(),
});
