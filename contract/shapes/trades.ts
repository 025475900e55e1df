// Positions and their parts: fills, transfers, comments. A captured row contains the whole position;
// a feed row is one recent trade as the app showed it.
import { z } from "zod";
import { asked, Link, ThesisOfTrade, Token } from "./common.ts";
import * as leaf from "./leaves.ts";
import { EXACT_AMOUNTS, pricing } from "./pricing.ts";
import { shape } from "./shape.ts";

export const SIDES = ["buy", "sell"] as const;
const POSITION_STATUSES = ["open", "closed"] as const;

const everyRow = {
  token: Token,
  side: leaf.oneOf(
    "The direction of the trade; of a position, buy while it is open and sell once it is closed.",
    SIDES,
  ),
  sizeUsd: leaf.usd("How large it is", 427.5).nullable(),
  realizedPnlUsd: leaf.usd("Realized profit or loss, net of fees; null when it is not known", 0).nullable(),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  ts: leaf.time("When it last changed; sort by this."),
};

export const Position = shape(
  "Position",
  "One trader in one token, from the first token in to the last one out.",
  {
    ...everyRow,
    source: z.literal("captured").describe("A whole position."),
    tradeId: leaf.tradeId(),
    userId: leaf.userId(),
    status: leaf.oneOf("Whether it is still held.", POSITION_STATUSES),
    amount: leaf.amount(
      "Held now: boughtAmount − soldAmount + transferredInAmount − transferredOutAmount",
      125000.5,
    ),
    avgEntryPrice: leaf.price("costBasisUsd ÷ boughtAmount; null exactly when nothing was bought").nullable(),
    avgExitPrice: leaf.nullInSample(
      leaf.price("The average price received; null when nothing was sold", 0.0051),
    ),
    unrealizedPnlUsd: leaf.usd("Unrealized profit or loss", 57.2).nullable(),
    pnlUsd: leaf
      .usd("Profit or loss, taken and open, net of fees; null when it is not known", 53.6)
      .nullable(),
    grossPnlUsd: leaf.usd("The same before fees", 57.2).nullable(),
    feesUsd: leaf.usd("What the app and the network took", 3.6).nullable(),
    costBasisUsd: leaf
      .usd("What the bought tokens cost, without fees; null when it is not known", 427.5)
      .nullable(),
    boughtAmount: leaf.amount("Bought in all", 125000.5),
    soldAmount: leaf.amount("Sold in all", 0),
    transferredInAmount: leaf.amount("Received from elsewhere", 0),
    transferredOutAmount: leaf.amount("Sent elsewhere", 0),
    avgTransferInPrice: leaf.nullInSample(leaf.price("The average price when received")),
    avgTransferOutPrice: leaf.nullInSample(leaf.price("The average price when sent")),
    priceUsd: leaf.price("The current price", 0.00388).nullable(),
    ...pricing(EXACT_AMOUNTS),
    createdAt: leaf.time("When the position was opened."),
    closedAt: leaf.nullInSample(leaf.time("When it was closed; null while open.")),
    spam: leaf.flag(
      "Whether it was sent unsolicited: it is then listed only on request, and counts for nothing.",
    ),
  },
);

export const FeedTrade = shape("FeedTrade", "One recent trade of an active trader.", {
  ...everyRow,
  source: z.literal("feed").describe("One recent trade, from the live feed."),
  userId: leaf.userId().nullable(),
  tradeId: leaf.tradeId().nullable(),
  swapId: leaf.uuid("The fill's id.").nullable(),
  amount: leaf.amount("How much was traded", 1200).nullable(),
  priceUsd: leaf.price("The price of this trade").nullable(),
  txHash: leaf.txHash().nullable(),
});

export const TradeRow = z
  .discriminatedUnion("source", [Position, FeedTrade])
  .meta({ id: "TradeRow", description: "A captured position, or a recent trade from the feed." });

const walk = {
  available: leaf.available(),
  nextCursor: leaf.nextCursor(),
  truncated: leaf.truncated(),
  complete: leaf.complete(
    "Whether these rows are all there is; false on a walk that continues, and always with deep.",
  ),
  note: leaf.note(),
};

export const TradesAnswer = shape(
  "TradesAnswer",
  "A trader's trade history, a page at a time or fanned out.",
  {
    ...asked,
    count: leaf.count("How many rows follow.", 31),
    trades: z.array(TradeRow).describe("Chains are interleaved: sort by ts."),
    openCount: leaf.count("Open positions among them; they are on the first page only.", 6),
    closedCount: leaf.count("Closed positions among them.", 25),
    ...walk,
    asOf: leaf.pricedAt(),
    closedTotalOnUpstream: leaf.notInSample(
      leaf
        .count("With deep: closed positions that upstream says exist; null when it does not.", 604)
        .nullable(),
    ),
    perChainClosedTotal: leaf.notInSample(
      z.record(z.string(), z.int().nonnegative()).describe("With deep: the same, per chain name."),
    ),
    upstreamCalls: leaf.notInSample(
      leaf.count("With deep: upstream calls that answered; the charge is based on this.", 12),
    ),
    partial: leaf.notInSample(leaf.flag("With deep: whether some of the calls did not answer.")),
  },
);

export const PositionsAnswer = shape("PositionsAnswer", "A trader's captured positions.", {
  ...asked,
  count: leaf.count("How many rows follow.", 25),
  positions: z.array(Position),
  openCount: leaf.count("How many of these rows are open.", 10),
  closedCount: leaf.count("How many of these rows are closed.", 15),
  openTotal: leaf.count("How many open positions of this trader were captured.", 10),
  closedTotal: leaf.count("How many closed ones were captured.", 240),
  closedTotalOnUpstream: leaf
    .count("How many closed ones upstream says there are; null while unknown.", 312)
    .nullable(),
  ...walk,
  asOf: leaf.pricedAt(),
});

const SwapLeg = shape("SwapLeg", "One side of a fill.", {
  address: leaf.address("The token's address."),
  symbol: leaf.text("The ticker.", "SOL"),
  amount: leaf.amount("How much of it", 2.5),
  amountRaw: leaf.amountRaw(),
  decimals: leaf.decimals(),
  usd: leaf.usd("What that was worth", 427.5).nullable(),
});

export const Swap = shape("Swap", "One fill.", {
  swapId: leaf.uuid("The fill's id."),
  side: leaf.oneOf("Whether the position grew or shrank.", SIDES),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  tokenIn: SwapLeg.describe("What was paid."),
  tokenOut: SwapLeg.describe("What was received."),
  priceUsd: leaf.price("The price of the traded token").nullable(),
  ...pricing(EXACT_AMOUNTS),
  feeUsd: leaf.usd("The fee", 0.42).nullable(),
  txHash: leaf.txHash(),
  block: leaf.count("The block it is in.", 298441207).nullable(),
  tradeIdIn: leaf.tradeId("The position that was paid from; null when that token is money.").nullable(),
  tradeIdOut: leaf.tradeId("The position that was paid into; null when that token is money.").nullable(),
  at: leaf.time("When it was made."),
});

export const SwapsAnswer = shape("SwapsAnswer", "A trader's fills, newest first.", {
  ...asked,
  count: leaf.count("How many rows follow.", 100),
  swaps: z.array(Swap),
  ...walk,
});

export const Transfer = shape("Transfer", "Tokens received or sent without a trade.", {
  transferId: leaf.uuid("The transfer's id."),
  direction: leaf.oneOf("Into or out of the position.", ["in", "out"]),
  amount: leaf.amount("How much", 5000),
  priceUsd: leaf.price("The price then").nullable(),
  valueUsd: leaf.usd("What it was worth then", 17.1).nullable(),
  counterparty: leaf.address("The other wallet.").nullable(),
  txHash: leaf.txHash(),
  at: leaf.time("When it was made."),
});

export const TradeDetail = shape("TradeDetail", "A position with everything it is made of.", {
  ...Position.shape,
  trader: z.strictObject({ handle: leaf.handle(), userId: leaf.userId() }),
  isDev: leaf.flag("Whether the trader deployed the token or is an insider of it."),
  thesis: ThesisOfTrade.nullable(),
  swapCount: leaf.count("Fills in all.", 3),
  transferCount: leaf.count("Transfers in all.", 0),
  swaps: z.array(Swap).max(200).describe("At most 200 here; cursor gives the rest."),
  transfers: z.array(Transfer).max(200).describe("At most 200 here; cursor gives the rest."),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete("Whether all fills and transfers are here."),
  asOf: leaf.pricedAt(),
});

export const Comment = shape("Comment", "What someone said under a trade.", {
  id: leaf.uuid("The comment's id."),
  text: leaf.text("What was written.", "Same read here."),
  userId: leaf.userId(),
  handle: leaf.handle(),
  likes: leaf.count("How many liked it.", 3).nullable(),
  createdAt: leaf.time("When it was written."),
  parentId: leaf.uuid("The comment it answers; null at the top.").nullable(),
  isReply: leaf.flag("Whether it answers another comment."),
  links: z.array(Link),
});

export const CommentsAnswer = shape("CommentsAnswer", "Comments under a trade.", {
  tradeId: leaf.tradeId(),
  count: leaf.count("How many comments follow.", 8),
  comments: z.array(Comment),
  available: leaf.supported(),
  note: leaf.notInSample(leaf.note()),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete("Whether these are all, from the first to the last."),
});

const TraderFill = shape("TraderFill", "One fill and its trader.", {
  ...Swap.shape,
  userId: leaf.userId("Who made it."),
  handle: leaf.handle("Their name now; null while it is not known.").nullable(),
  cursor: leaf.text("Pass it as cursor to continue after this row.", "fillsasc:1773500966535:7c0f6a52"),
});

export const FillsAnswer = shape("FillsAnswer", "Everybody's fills.", {
  order: leaf.oneOf("Oldest or newest first.", ["asc", "desc"]),
  count: leaf.count("How many rows follow.", 100),
  fills: z.array(TraderFill),
  coveredFrom: leaf.time("From then on every fill is here; of older ones, those that were still there."),
  coveredTo: leaf.time(
    "Until then every fill is here; later ones may still arrive and are left for the next call.",
  ),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete(
    "Whether this is the end, and the whole requested range is between coveredFrom and coveredTo.",
  ),
  note: leaf.note(),
});
