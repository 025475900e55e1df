// Presenting a replay: the figures that all routes share, and single orders.
import { roiOf } from "../../../accounting/figures.ts";
import { toUsd } from "../../../accounting/money.ts";
import type { Chains } from "../../../contract/chains.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import type { Token } from "../../../protocol/shapes/token.ts";
import type { ReplayOrder } from "../../../replay/order.ts";
import type { ReplayAnswer } from "../../../replay/replay.ts";
import type { ReplayTerms, SkipReason } from "../../../replay/terms.ts";
import { iso, isoOrNull } from "../present/common.ts";
import type { Followed } from "./follow.ts";
import type { FollowedLeader } from "./leader.ts";
import type { ReadTape } from "./tape.ts";

export function presentFollowed({ answer, leader, tape }: Followed, leaders: readonly FollowedLeader[]) {
  const { orders: _, turnoverUsd: __, skipped, curve, ...rest } = answer;
  return {
    ...rest,
    leader: { pnlUsd: toUsd(leader.net), roi: roiOf(leader) },
    tape: presentTape(tape),
    perps: leaders.reduce((sum, { copied }) => sum + copied.perps, 0),
    skipped: (Object.entries(skipped) as [SkipReason, number][])
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    curve: curve.map(({ at, pnlUsd }) => ({ t: iso(at), pnlUsd })),
    source: leaders.every(({ books }) => books.isLive) ? ("live-upstream" as const) : ("captured" as const),
  };
}

function presentTape({ ticks, wishedMs, coveredMs, coveredFrom, coveredTo }: ReadTape) {
  return {
    ticks,
    hours: wishedMs / HOUR_MS,
    coveredHours: coveredMs / HOUR_MS,
    coveredFrom: isoOrNull(coveredFrom),
    coveredTo: isoOrNull(coveredTo),
  };
}

const DOUBT_SENTENCES: Record<ReplayAnswer["doubts"][number], string> = {
  roundTrips: "Fewer than 30 positions were opened and sold.",
  coverage: "Fewer than 80 % of the orders could be priced by the tape.",
  chance: "What was earned may be chance: by token, nine draws of ten don't agree on its sign.",
};

/** Caveats that a reader of the answer should know; null without any. */
export function noteOf(
  leaders: readonly FollowedLeader[],
  {
    answer: { doubts, follower },
    unpriced,
  }: { answer: Pick<ReplayAnswer, "doubts" | "follower">; unpriced: number },
  { costs }: Pick<ReplayTerms, "costs">,
  chains: Chains,
): string | null {
  if (leaders.length > 0 && leaders.every(({ books }) => !books.available))
    return "Nothing was captured for this trader, and the platform's books can't be read.";
  const leftOut =
    unpriced === 0
      ? []
      : [`${unpriced} of the leader's positions are left out of its profit: a price or a cost is not known.`];
  if (follower.orders === 0) return ["There was nothing to copy in this window.", ...leftOut].join(" ");
  const sentences = [...doubts.map((doubt) => DOUBT_SENTENCES[doubt]), ...leftOut];
  const free = costs.networkFeeUsd === null ? chainsWithoutFee(leaders) : [];
  if (free.length > 0)
    sentences.push(
      `What the network took is not known on ${free.map((id) => chains.nameOf(id)).join(", ")}, and counts as 0 there.`,
    );
  return sentences.join(" ") || null;
}

/** Chains on which the leaders traded but none of their fees is known: usually with captured books. */
function chainsWithoutFee(leaders: readonly FollowedLeader[]): number[] {
  const isKnown = new Map<number, boolean>();
  for (const { position, later } of leaders.flatMap(({ copied }) => copied.books)) {
    const fills = later.filter(({ kind }) => kind === "buy" || kind === "sell");
    if (fills.length === 0) continue;
    const { networkId } = position.token;
    const isSaid = fills.some(({ networkFeeUsd }) => networkFeeUsd !== null);
    isKnown.set(networkId, isSaid || isKnown.get(networkId) === true);
  }
  return [...isKnown].filter(([, known]) => !known).map(([networkId]) => networkId);
}

export function presentOrder(
  order: Omit<ReplayOrder, "position">,
  index: number,
  token: Pick<Token, "address" | "symbol" | "networkId">,
  chains: Chains,
) {
  return {
    index,
    side: order.side,
    cause: order.cause,
    tokenAddress: token.address,
    symbol: token.symbol,
    networkId: token.networkId,
    chain: chains.nameOf(token.networkId),
    leaderAt: isoOrNull(order.leaderAt),
    txHash: order.txHash,
    leaderPriceUsd: order.basisUsd,
    at: iso(order.at),
    skipped: order.skipped,
    spendUsd: order.spendUsd,
    share: order.share,
    source: order.source,
    tickAt: isoOrNull(order.seenAt),
    priceUsd: order.priceUsd,
    depthUsd: order.depthUsd,
    feeShare: order.feeShare,
    amount: order.amount,
    usd: toUsd(order.usd),
    feeUsd: toUsd(order.fee),
  };
}
