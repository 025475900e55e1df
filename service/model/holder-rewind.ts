// How many traders held a token earlier, computed backwards from current holders: undoing a fill, newest first, gives its
// trader back the amount sold or removes the amount bought.
import type { Fill } from "../../protocol/shapes/position.ts";

/** Binary fractions leave dust where decimal figures cancel exactly; dust is not a holding. */
const DUST_SHARE = 1e-9;

export interface HolderRewind {
  holders(): number;
  undo(fill: Pick<Fill, "userId" | "side" | "tokenIn" | "tokenOut">): void;
}

export function createHolderRewind(held: ReadonlyMap<string, number>): HolderRewind {
  const amounts = new Map(held);
  let holders = [...amounts.values()].filter((amount) => amount > 0).length;
  return {
    holders: () => holders,
    undo({ userId, side, tokenIn, tokenOut }) {
      const traded = side === "buy" ? tokenOut.amount : tokenIn.amount;
      const after = amounts.get(userId) ?? 0;
      const left = side === "buy" ? after - traded : after + traded;
      // Below zero: some of it came by a transfer, which is not undone.
      const before = left <= traded * DUST_SHARE ? 0 : left;
      amounts.set(userId, before);
      holders += Number(before > 0) - Number(after > 0);
    },
  };
}
