// Presents a paper follow and its orders.
import { toMicro, toUsd } from "../../../accounting/money.ts";
import type { Chains } from "../../../contract/chains.ts";
import { FOLLOW_PRICE } from "../../../contract/follows.ts";
import type { AnswerOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { copiesToCome, type PaperOrder, type PaperState, type PaperTerms } from "../../../replay/paper.ts";
import type { SkipReason } from "../../../replay/terms.ts";
import type { StoredFollow } from "../../store/money/follows.ts";
import { presentOrder } from "../copy/present.ts";
import { iso, isoOrNull } from "../present/common.ts";
import { type Correction, type KeptPaper, readKept } from "./kept.ts";
import type { PaperTokenName } from "./moves.ts";

export type FollowBody = AnswerOf<Routes["getFollow"]>;
export type PaperOrderBody = AnswerOf<Routes["listFollowOrders"]>["orders"][number];

/** The stored terms: as they are shown, and as the fold takes them. */
export interface KeptTerms {
  shown: FollowBody["terms"];
  fold: PaperTerms;
}

export function presentFollow(follow: StoredFollow, chains: Chains): FollowBody {
  const { state, tokens } = readKept(follow.state);
  const { shown, fold } = JSON.parse(follow.terms) as KeptTerms;
  return {
    id: follow.followId,
    status: follow.status,
    waitingFor: follow.status === "active" ? follow.waitingFor : null,
    handle: follow.handle,
    userId: follow.userId,
    terms: shown,
    from: iso(state.from),
    asOf: iso(state.at),
    logSeq: follow.position,
    ...figuresOf(state, fold),
    orders: follow.orders,
    holdings: holdingsOf(state, tokens, chains),
    creditsCharged: follow.paidBlocks * FOLLOW_PRICE.credits,
    createdAt: iso(follow.createdAt),
    stoppedAt: isoOrNull(follow.stoppedAt),
    note: follow.note,
  };
}

function figuresOf(state: PaperState, { capitalUsd }: PaperTerms) {
  const { filled, sources, trips, wins, skipped } = state;
  return {
    pnlUsd: toUsd(state.net),
    roi: state.peak > 0 ? state.net / state.peak : null,
    cashUsd: toUsd(toMicro(capitalUsd) - state.spent),
    filled,
    waiting: copiesToCome(state).length,
    roundTrips: trips,
    winRate: trips === 0 ? null : wins / trips,
    skipped: (Object.entries(skipped) as [SkipReason, number][])
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    coverage:
      filled === 0
        ? null
        : { tape: sources.tape / filled, candle: sources.candle / filled, leader: sources.leader / filled },
    leaderMovedTokens: state.sends,
  };
}

function holdingsOf({ holdings }: PaperState, tokens: KeptPaper["tokens"], chains: Chains) {
  return holdings.map(({ token, networkId, amount, cost, value, openedAt }) => ({
    ...shownToken(tokens[token], networkId, chains),
    amount,
    costUsd: toUsd(cost),
    valueUsd: toUsd(value),
    openedAt: iso(openedAt),
  }));
}

const shownToken = (name: PaperTokenName | undefined, networkId: number, chains: Chains) => ({
  tokenAddress: name?.address ?? "",
  symbol: name?.symbol ?? "",
  networkId,
  chain: chains.nameOf(networkId),
});

export function presentPaperOrder(
  order: PaperOrder,
  index: number,
  name: PaperTokenName,
  bookedAt: number,
  chains: Chains,
): PaperOrderBody {
  return { ...presentOrder(order, index, name, chains), bookedAt: iso(bookedAt), correction: null };
}

export function presentCorrection(
  { move, amount, cashUsd }: Correction,
  index: number,
  name: PaperTokenName,
  bookedAt: number,
  chains: Chains,
): PaperOrderBody {
  return {
    index,
    side: move.kind === "sell" ? "sell" : "buy",
    cause: "retracted",
    ...shownToken(name, name.networkId, chains),
    leaderAt: iso(move.at),
    txHash: move.txHash,
    leaderPriceUsd: move.usd === null ? null : move.usd / move.amount,
    at: iso(bookedAt),
    skipped: null,
    spendUsd: null,
    share: 0,
    source: null,
    tickAt: null,
    priceUsd: null,
    depthUsd: null,
    feeShare: 0,
    amount: 0,
    usd: 0,
    feeUsd: 0,
    bookedAt: iso(bookedAt),
    correction: { amount, cashUsd },
  };
}
