// The result of copying one trader in one pool, by the formulas of docs/replay.md and without any of the product's code.

/** A constant-product pool's reserves, in whole tokens and in dollars. */
export interface PoolHolds {
  tokens: number;
  usd: number;
}

/** A buy for this many dollars, or a sell of a share of the holding, in the pool's given state. */
export type HandOrder = { pool: PoolHolds } & ({ spendUsd: number } | { share: number });

/** The final profit, with nothing held at the end; `fee` is a share of each order, `networkFeeUsd` is on top. */
export function followByHand(orders: readonly HandOrder[], fee: number, networkFeeUsd: number): number {
  let [cash, tokens] = [0, 0];
  for (const { pool, ...order } of orders) {
    const price = pool.usd / pool.tokens;
    cash -= networkFeeUsd;
    if ("spendUsd" in order) {
      const paid = order.spendUsd * (1 - fee);
      tokens += paid / (price * (1 + paid / pool.usd));
      cash -= order.spendUsd;
    } else {
      const value = order.share * tokens * price;
      tokens -= order.share * tokens;
      cash += (value * (1 - fee)) / (1 + value / pool.usd);
    }
  }
  return cash;
}
