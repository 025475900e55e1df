// What copying one trader in one pool comes to, by the formulas of docs/replay.md and nothing of the product's code.

/** What a pool of constant product holds, in whole tokens and in dollars. */
export interface PoolHolds {
  tokens: number;
  usd: number;
}

/** A buy for so many dollars, or a sell of a share of what is held, in the pool as it is found. */
export type HandOrder = { pool: PoolHolds } & ({ spendUsd: number } | { share: number });

/** What is left of it all, with nothing held at the end; `fee` is a share of each order, `networkFeeUsd` is on top. */
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
