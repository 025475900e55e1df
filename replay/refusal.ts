// The size of a buy, or the reason to skip it. Reasons are checked in the order a person would give them: what the
// leader did, what the pool looks like, what the account allows.
import { type Micro, toMicro } from "../accounting/money.ts";
import type { CopyableMove } from "./leader.ts";
import type { CopyFilters, ReplayTerms, SkipReason } from "./terms.ts";

/**
 * Dollars to spend, before it is known whether the order can be made; null when the leader's own size is not known.
 * `equityUsd` is what the account is worth, where the size depends on it.
 */
export function spendOf(
  { mode, value, maxUsd }: ReplayTerms["size"],
  leaderUsd: number | null,
  equityUsd: number,
): number | null {
  const base = mode === "fixed" ? 100 : mode === "equity" ? equityUsd : leaderUsd;
  if (base === null) return null;
  const wanted = (value * base) / 100;
  return Math.max(0, maxUsd !== null && wanted > maxUsd ? maxUsd : wanted);
}

/** The leader's opening holdings count at their value then. */
export function leaderUsdOf({ usd, isOpening, amount }: CopyableMove, priceUsd: number): number | null {
  return isOpening && !Number.isNaN(priceUsd) ? amount * priceUsd : usd;
}

export function refusedByLeader(
  filters: CopyFilters,
  move: CopyableMove,
  networkId: number,
  leaderUsd: number | null,
): SkipReason | null {
  const { networkIds, minLeaderUsd, maxLeaderUsd, firstBuyOnly } = filters;
  if (networkIds !== null && !networkIds.includes(networkId)) return "chain";
  if (minLeaderUsd !== null || maxLeaderUsd !== null) {
    if (leaderUsd === null) return "leaderPriceUnknown";
    if (minLeaderUsd !== null && leaderUsd < minLeaderUsd) return "leaderSize";
    if (maxLeaderUsd !== null && leaderUsd > maxLeaderUsd) return "leaderSize";
  }
  return firstBuyOnly && !move.isFirst ? "notFirstBuy" : null;
}

/** A depth that is not known is infinite. */
export function refusedByPool(
  { minDepthUsd, maxMovePct }: CopyFilters,
  leaderPrice: number | null,
  priceUsd: number,
  depthUsd: number,
): SkipReason | null {
  if (!(priceUsd > 0)) return "noPrice";
  if (!(depthUsd > 0)) return "depth";
  if (minDepthUsd !== null && !(depthUsd >= minDepthUsd && depthUsd < Number.POSITIVE_INFINITY))
    return "depth";
  const risen = leaderPrice === null ? 0 : priceUsd / leaderPrice - 1;
  return maxMovePct !== null && risen > maxMovePct / 100 ? "moved" : null;
}

/** `cash` is what is left to spend, after the network's fee. */
export function refusedByAccount(
  { filters: { maxOpen }, size: { minUsd } }: ReplayTerms,
  spendUsd: number | null,
  isHeld: boolean,
  open: number,
  cash: Micro,
): SkipReason | null {
  if (!isHeld && maxOpen !== null && open >= maxOpen) return "maxOpen";
  if (spendUsd === null) return "leaderPriceUnknown";
  const spend = toMicro(spendUsd);
  if (spend <= 0 || (minUsd !== null && spendUsd < minUsd)) return "belowMin";
  return spend > cash ? "capital" : null;
}
