// Which of a trader's holdings are listed, and their total value.
import type { Holding } from "../../protocol/shapes/token.ts";

/** Largest first. Unsolicited tokens are listed only on request and never counted. */
export function listHoldings(
  all: readonly Holding[],
  { networkId, withSpam }: { networkId: number | null; withSpam: boolean },
): { holdings: Holding[]; totalValueUsd: number | null } {
  const holdings = all
    .filter(({ token, spam }) => (networkId === null || token.networkId === networkId) && (withSpam || !spam))
    .sort((a, b) => (b.valueUsd ?? 0) - (a.valueUsd ?? 0));
  const counted = holdings.filter(({ spam }) => !spam);
  // One unknown price makes the sum unknown; it does not count as zero.
  const isKnown = counted.every(({ valueUsd }) => valueUsd !== null);
  return {
    holdings,
    totalValueUsd: isKnown ? counted.reduce((sum, { valueUsd }) => sum + (valueUsd ?? 0), 0) : null,
  };
}
