// Tokens that somebody sent to wallets of the roster, and that nobody of it ever chose to buy or sell. They are kept in the
// books and left out of boards, holdings and searches: whatever has no price that can be trusted, claims to be worth more than
// the pool that prices it holds, or bears somebody else's name.
import { foldName, pretends } from "../prices/look-alike.ts";
import type { SeenPrice } from "../prices/observed.ts";
import type { LivePositions, LiveToken } from "./live-positions.ts";

export function isSpam(
  live: Pick<LivePositions, "hasTraded">,
  of: LiveToken,
  quote: SeenPrice | null,
): boolean {
  if (of.swappers > 0) return false;
  if (quote === null || pretends(of.known)) return true;
  if (quote.depthUsd !== null && claimOf(of, quote.priceUsd) > quote.depthUsd) return true;
  return live.hasTraded(foldName(of.known.symbol));
}

/** What the largest holder's part of it would be worth. */
function claimOf({ holders }: LiveToken, priceUsd: number): number {
  let largest = 0;
  for (const { held } of holders.values()) largest = Math.max(largest, held);
  return largest * priceUsd;
}
