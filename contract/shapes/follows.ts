// A paper follow: an account that copies a trader from now on, without money; and its orders.
import { z } from "zod";
import { COPY_SKIPS } from "./copy.ts";
import * as leaf from "./leaves.ts";
import { ORDER_CAUSES, ReplayOrder, ReplayTermsShown } from "./replays.ts";
import { shape } from "./shape.ts";

const FOLLOW_STATUSES = ["active", "stopped"] as const;

const FollowHolding = shape("FollowHolding", "What a paper follow holds of a token.", {
  tokenAddress: leaf.address("The token."),
  symbol: leaf.text("The token's symbol.", "OAKLEAF"),
  networkId: leaf.chainId(),
  chain: leaf.chain(),
  amount: leaf.amount("How much of it"),
  costUsd: leaf.usd("What it cost without fees", 98.7),
  valueUsd: leaf.usd("What selling it would have brought at asOf", 104.2),
  openedAt: leaf.time("When the first of it was bought."),
});

const FollowTerms = ReplayTermsShown.omit({ window: true, select: true }).meta({
  id: "FollowTerms",
  description: "How a paper follow copies, with every default filled in.",
});

export const Follow = shape(
  "Follow",
  "A paper follow: an account that copies a trader live, without money.",
  {
    id: leaf.text("The follow's id.", "flw_8Zk2mQ4f0a9cX1"),
    status: leaf.oneOf("Whether it continues.", FOLLOW_STATUSES),
    waitingFor: leaf.nullInSample(
      leaf.oneOf("What it waits for before it continues where it was; null for nothing.", ["credits"]),
    ),
    handle: leaf.handle("Who is followed."),
    userId: leaf.userId("The same, by id."),
    terms: FollowTerms,
    from: leaf.time("When it started: earlier trades are not copied."),
    asOf: leaf.time("Up to when everything is decided, and the moment that its figures are of."),
    logSeq: leaf.count("Up to which position of the log the trader's doings are in it.", 48_211),
    pnlUsd: leaf.usd("Its profit, with holdings at what selling them would bring", 20.41),
    roi: leaf
      .number("The same by the most cash that was ever in; null before the first order.", 0.2)
      .nullable(),
    cashUsd: leaf.usd("What is left to spend", 900.2),
    orders: leaf.count("Orders and corrections booked, filled and skipped.", 12),
    filled: leaf.count("Orders that were filled: these are paid for.", 9),
    waiting: leaf.count("Orders whose time has not come yet.", 1),
    roundTrips: leaf.count("Positions opened and sold.", 3),
    winRate: leaf.number("How many of those gained, from 0 to 1; null without any.", 0.67).nullable(),
    skipped: z
      .array(
        z.strictObject({
          reason: leaf.oneOf("Why.", COPY_SKIPS),
          count: leaf.count("How many."),
        }),
      )
      .describe("Orders of the trader's that were not copied."),
    coverage: z
      .strictObject({
        tape: leaf.number("Priced by the tape.", 0.96),
        candle: leaf.number("By a candle.", 0),
        leader: leaf.number("By the trader's own price.", 0.04),
      })
      .nullable()
      .describe("Shares of the filled orders; null without any."),
    leaderMovedTokens: leaf.count("Times that the trader sent tokens away, which the follower keeps.", 0),
    holdings: z.array(FollowHolding).describe("What it holds."),
    creditsCharged: leaf.count("What it cost so far.", 125),
    createdAt: leaf.time("When it was made."),
    stoppedAt: leaf.nullInSample(leaf.time("When it was stopped; null while it continues.")),
    note: leaf.note(),
  },
);

export const FollowsAnswer = shape("FollowsAnswer", "The account's paper follows.", {
  count: leaf.count("How many.", 1),
  limit: leaf.count("How many an account may have active.", 10),
  follows: z.array(Follow).describe("The newest first."),
});

const PaperCorrection = shape(
  "PaperCorrection",
  "What the account has more or less of, as if the retracted fill had never happened.",
  {
    amount: leaf.amount("Tokens more or, below zero, fewer", -98.02),
    cashUsd: leaf.usd("Cash more or, below zero, less", 100.1),
  },
);

export const PaperOrder = ReplayOrder.omit({ handle: true })
  .extend({
    cause: leaf.oneOf(
      "The trader's fill, the trader's opening holdings, a rule, or a fill that was retracted.",
      [...ORDER_CAUSES, "retracted"],
    ),
    bookedAt: leaf.time("When it was written down."),
    correction: PaperCorrection.nullable().describe("null for an order."),
  })
  .meta({
    id: "PaperOrder",
    description: "One order of a paper follow, filled or skipped, or a correction.",
  });

export const FollowOrdersAnswer = shape("FollowOrdersAnswer", "A page of a paper follow's orders.", {
  id: leaf.text("The follow.", "flw_8Zk2mQ4f0a9cX1"),
  count: leaf.count("Orders on this page.", 12),
  total: leaf.count("Orders of the follow so far.", 12),
  orders: z.array(PaperOrder).describe("In the order they were booked."),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete(),
});
