// Whether to believe a node that reports a different balance from the books.
import { createLru } from "../kit/lru.ts";

/** The value that more than half of the providers report; null without such a majority. */
export function majorityAmount(said: readonly bigint[]): bigint | null {
  const votes = new Map<bigint, number>();
  for (const amount of said) votes.set(amount, (votes.get(amount) ?? 0) + 1);
  const [most] = [...votes].sort(([, a], [, b]) => b - a);
  return most && most[1] * 2 > said.length ? most[0] : null;
}

/** A few megabytes; an evicted position waits one look longer. */
const LOOKS_KEPT_MAX = 20_000;

export interface SecondLooks {
  /** The part of the difference that the last look at this position found too; null on the first look. */
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
      // Balances that grow with every block differ by more on each look.
      return isFall === difference < before ? before : difference;
    },
    forget: first.delete,
  };
}
