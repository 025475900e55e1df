// A trader's best trades, by profit so far. Nobody writes about trades on a chain, so there are no theses.
import type { WirePosition, WireSpotlight, WireTradesPage } from "../../protocol/shapes/position.ts";

const SPOTLIGHT_TRADES = 5;

/** From the open ones and the most profitable closed ones. Those without a known profit are left out. */
export function spotlightOf({ open, closed }: Pick<WireTradesPage, "open" | "closed">): WireSpotlight {
  const ranked = [...open, ...closed]
    .map((position) => ({ position, earned: earnedBy(position) }))
    .filter(({ earned }) => earned > 0)
    .sort((a, b) => b.earned - a.earned);
  return { bestTrades: ranked.slice(0, SPOTLIGHT_TRADES).map(({ position }) => position), bestTheses: [] };
}

function earnedBy({ realizedPnlUsd, unrealizedPnlUsd, spam }: WirePosition): number {
  if (spam || realizedPnlUsd === null || unrealizedPnlUsd === null) return 0;
  return realizedPnlUsd + unrealizedPnlUsd;
}
