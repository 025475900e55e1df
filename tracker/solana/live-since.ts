// The slot from which each wallet is read live. Everything up to it is history, left to a back-fill; stored before the first
// live read, so that the two meet without a gap or an overlap.
import type { Sink } from "../chain.ts";

export interface LiveSince {
  load(): Promise<void>;
  /** New wallets begin after this slot, which is final; removed ones are dropped. Returns whether any is new. */
  follow(wallets: ReadonlySet<string>, final: number): Promise<boolean>;
  of(wallet: string): number | null;
}

export function createLiveSince(sink: Sink, name: string): LiveSince {
  let slots = new Map<string, number>();
  return {
    async load() {
      const text = await sink.cursor(name);
      slots = new Map(text === null ? [] : (JSON.parse(text) as [string, number][]));
    },
    async follow(wallets, final) {
      const isSame = wallets.size === slots.size && [...wallets].every((wallet) => slots.has(wallet));
      if (isSame) return false;
      const hasNew = [...wallets].some((wallet) => !slots.has(wallet));
      const next = new Map([...wallets].map((wallet) => [wallet, slots.get(wallet) ?? final]));
      await sink.apply([], { name, value: JSON.stringify([...next]) });
      slots = next;
      return hasNew;
    },
    of: (wallet) => slots.get(wallet) ?? null,
  };
}
