// A replay under the caller's own terms: its status, its results, and every order behind them.
import { z } from "zod";
import { COPY_SKIPS, COPY_WINDOWS, REPLAY_FIGURES } from "./copy.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const SELECT_EVERY = ["1d", "7d"] as const;
export const SIZE_MODES = ["fixed", "share", "equity"] as const;
export const REPLAY_EXITS = ["mirror", "firstSell", "rules"] as const;
const REPLAY_STATUSES = ["running", "done", "failed", "cancelled"] as const;
export const ORDER_CAUSES = ["leader", "opening", "stopLoss", "takeProfit", "trailing", "maxHold"] as const;

const optionalUsd = (description: string, example: number) =>
  leaf.nullInSample(leaf.usd(`${description}; null without one`, example));
const optionalPct = (description: string, example: number) =>
  leaf.nullInSample(leaf.percent(`${description}; null without one`, example));

const ReplaySize = shape("ReplaySize", "How large each buy is.", {
  mode: leaf.oneOf("Dollars, percent of the leader's order, or percent of the account's value.", SIZE_MODES),
  value: leaf.number("How much of that.", 100),
  minUsd: optionalUsd("Smaller orders are skipped", 10),
  maxUsd: optionalUsd("Larger orders are capped", 500),
});

const ReplayFilters = shape("ReplayFilters", "Which buys are copied.", {
  chains: leaf.nullInSample(
    z.array(z.string()).meta({ description: "Only these; null for all.", examples: [["solana"]] }),
  ),
  minLeaderUsd: optionalUsd("Only buys of at least this", 50),
  maxLeaderUsd: optionalUsd("Only buys of at most this", 5_000),
  firstBuyOnly: leaf.flag("Only buys of tokens the leader did not hold."),
  minDepthUsd: optionalUsd("Only pools of at least this depth", 10_000),
  maxMovePct: optionalPct("Only while the price has risen by at most this since the leader bought", 5),
  maxOpen: leaf.nullInSample(leaf.count("Positions at once; null for any number.", 10)),
});

const ReplaySelect = shape("ReplaySelect", "How leaders are chosen.", {
  board: leaf.oneOf("By profit over so long.", COPY_WINDOWS, "7d"),
  top: leaf.count("How many are followed.", 5),
  every: leaf.oneOf("How often it is chosen.", SELECT_EVERY),
});

export const ReplayTermsShown = shape(
  "ReplayTerms",
  "How the follower copies, with every default filled in.",
  {
    select: ReplaySelect.nullable().describe("null unless leaders are chosen."),
    window: leaf.nullInSample(
      leaf.oneOf("The requested window; null when from and to were given.", COPY_WINDOWS),
    ),
    capitalUsd: leaf.usd("The account's starting capital", 1_000),
    size: ReplaySize,
    delaySeconds: leaf.count("From the leader's fill to the follower's.", 5),
    exit: leaf.oneOf("What is sold when the leader sells.", REPLAY_EXITS),
    stopLossPct: optionalPct("Sells all when the price is this far below the price paid", 20),
    takeProfitPct: optionalPct("and this far above it", 50),
    trailingPct: optionalPct("and this far below its highest since the buy", 15),
    maxHoldSeconds: leaf.nullInSample(leaf.count("Sells all after this long; null without one.", 86_400)),
    filters: ReplayFilters,
    costs: z.strictObject({
      networkFeeUsd: optionalUsd("For each order; without one the leader's median on that chain", 0.02),
      botFeeBps: leaf.count("The bot's fee on each order, in basis points.", 100),
    }),
    copyOpen: leaf.flag("Whether to buy the leader's holdings at the start."),
  },
);

const ReplayLeader = shape("ReplayLeader", "A trader who is copied.", {
  handle: leaf.handle("The trader's name; null for one who has left.").nullable(),
  userId: leaf.userId("The trader's stable id; null for one who has left.").nullable(),
  fills: leaf.count("Buys and sells in the window that may be copied.", 412),
});

const ReplayChoice = shape("ReplayChoice", "The leaders at a moment, by what had happened before it.", {
  at: leaf.time("When it was chosen."),
  traders: z
    .array(
      z.strictObject({
        handle: leaf.handle("The trader's name; null for one who has left.").nullable(),
        userId: leaf.userId("The trader's stable id; null for one who has left.").nullable(),
        pnlUsd: leaf.usd(
          "Profit over the board's window up to then, by the captured fills before it",
          3_120.5,
        ),
      }),
    )
    .describe("The most profitable first."),
});

const ReplayFigures = shape(
  "ReplayFigures",
  "What following would have earned, and where the difference went.",
  {
    ...REPLAY_FIGURES,
    source: leaf.oneOf("Whether the platform's own books were read.", ["live-upstream", "captured"]),
  },
);

export const Replay = shape("Replay", "A replay under your own terms.", {
  id: leaf.text("A hash of terms and log position: the same request has the same id.", "rpl_5b1e…"),
  status: leaf.oneOf("Whether it is done.", REPLAY_STATUSES, "done"),
  progressPct: leaf.count("Progress, from 0 to 100.", 100),
  handle: leaf.handle("The trader's name; null where several are copied.").nullable(),
  userId: leaf.userId("The trader's stable id; null where several are.").nullable(),
  leaders: z.array(ReplayLeader).describe("All copied traders; with select, empty until it is done."),
  choices: leaf.nullInSample(
    z.array(ReplayChoice).describe("With select, each choice; null without, and until it is done."),
  ),
  terms: ReplayTermsShown,
  from: leaf.time("Where the window starts."),
  asOf: leaf.time("The end of the range."),
  logSeq: leaf.count("The log's position at the time of the request.", 48_211),
  fills: leaf.count("The leader's buys and sells in the window.", 412),
  orders: leaf.count("The follower's orders, filled and skipped; 0 until it is done.", 398),
  creditsCharged: leaf.count("What it cost; reading it again is free.", 1_250),
  createdAt: leaf.time("When it was requested."),
  answer: ReplayFigures.nullable().describe("null until it is done."),
  note: leaf.note(),
});

export const ReplayOrder = shape(
  "ReplayOrder",
  "One order, filled or skipped, with the basis of its price.",
  {
    index: leaf.count("Its place, from 0.", 0),
    handle: leaf.handle("Who is copied; null for one who has left.").nullable(),
    side: leaf.oneOf("Which way.", ["buy", "sell"]),
    cause: leaf.oneOf("The leader's fill, the leader's opening holdings, or a rule.", ORDER_CAUSES),
    tokenAddress: leaf.address("The token."),
    symbol: leaf.text("The token's symbol.", "OAKLEAF"),
    networkId: leaf.chainId(),
    chain: leaf.chain(),
    leaderAt: leaf.time("When the leader traded; null for a rule.").nullable(),
    txHash: leaf.txHash("The leader's transaction; null for a rule or when unknown.").nullable(),
    leaderPriceUsd: leaf
      .price("The leader's own price; for a rule, the price that triggered it; null when unknown")
      .nullable(),
    at: leaf.time("When the follower's order is executed."),
    skipped: leaf.nullInSample(leaf.oneOf("Why it was not made; null when it was.", COPY_SKIPS, "capital")),
    spendUsd: leaf.usd("For a buy, the amount to spend; null for a sell or when unknown", 100).nullable(),
    share: leaf.number("Of a sell, how much of the holding, from 0 to 1.", 0),
    source: leaf
      .oneOf("What it was priced by; null without a price.", ["tape", "candle", "leader"])
      .nullable(),
    tickAt: leaf.time("When that was seen: the tick's, the candle's or the leader's own moment.").nullable(),
    priceUsd: leaf.price("The price it met").nullable(),
    depthUsd: leaf.usd("The depth it met; null when not known: then it moves no price", 51_200).nullable(),
    feeShare: leaf.number("Pool and bot together, as a share of 1.", 0.013),
    amount: leaf.amount("Tokens bought or sold"),
    usd: leaf.usd("To or from the pool, without fees", 98.7),
    feeUsd: leaf.usd("Pool, bot and network", 1.32),
  },
);

export const ReplayOrdersAnswer = shape("ReplayOrdersAnswer", "A page of a replay's orders.", {
  id: leaf.text("The replay.", "rpl_5b1e…"),
  count: leaf.count("Orders on this page.", 100),
  total: leaf.count("Orders of the replay.", 398),
  orders: z.array(ReplayOrder).describe("In the order of execution."),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete(),
});
