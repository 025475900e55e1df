// Whether a node is believed that says that a wallet holds something else than the books do.
import { createLru } from "../kit/lru.ts";

/** What more than half of the providers say; null where no such majority is. */
export function majorityAmount(said: readonly bigint[]): bigint | null {
  const votes = new Map<bigint, number>();
  for (const amount of said) votes.set(amount, (votes.get(amount) ?? 0) + 1);
  const [most] = [...votes].sort(([, a], [, b]) => b - a);
  return most && most[1] * 2 > said.length ? most[0] : null;
}

/** Some megabytes; a position that was pushed out waits one look longer. */
const LOOKS_KEPT_MAX = 20_000;

export interface SecondLooks {
  /** As much of the difference as the last look at this position found too; null at the first one. */
  confirmed(tradeId: string, difference: bigint): bigint | null;
  /** The books were right. */
  forget(tradeId: string): void;
}

export function createSecondLooks(): SecondLooks {
  const first = createLru<string, bigint>(LOOKS_KEPT_MAX);
  return {
    confirmed(tradeId, difference) {
      const before = first.get(tradeId);
      const isFall = difference < 0n;
      if (before === undefined || before < 0n !== isFall) {
        first.set(tradeId, difference);
        return null;
      }
      first.delete(tradeId);
      // Balances that grow with every block differ by more at each look.
      return isFall === difference < before ? before : difference;
    },
    forget: first.delete,
  };
}
