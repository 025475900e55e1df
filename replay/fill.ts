// How an order is filled in a pool of constant product. The follower's own impact lasts for its own order only: others
// trade it back before the next one.

/** Tokens for dollars, of which `fee` is a share that never reaches the pool. */
export function tokensFor(usd: number, priceUsd: number, depthUsd: number, fee: number): number {
  const paid = usd * (1 - fee);
  return paid / (priceUsd * (1 + paid / depthUsd));
}

/** Dollars for tokens, before fees. */
export function proceedsOf(amount: number, priceUsd: number, depthUsd: number): number {
  // A pool that was drained gives nothing, whatever the price that it last had.
  if (!(depthUsd > 0)) return 0;
  const value = amount * priceUsd;
  return value / (1 + value / depthUsd);
}
