// Wakes a follower when its feed may have moved. A hint that arrives while the follower is busy is not lost: it waits
// only if nothing moved since the mark it took before it read.
import type { Clock } from "../../kit/clock.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";

export interface Wakers {
  moved(feed: FeedName): void;
  mark(feed: FeedName): number;
  /** Resolves when the feed moved after the mark, when the time is up, or when the signal aborts. */
  wait(feed: FeedName, mark: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export function createWakers(clock: Clock): Wakers {
  const moves: Record<FeedName, number> = { app: 0, push: 0, chain: 0 };
  const wakers: Record<FeedName, Set<() => void>> = { app: new Set(), push: new Set(), chain: new Set() };
  return {
    moved(feed) {
      moves[feed] += 1;
      for (const wake of wakers[feed]) wake();
    },
    mark: (feed) => moves[feed],
    async wait(feed, mark, timeoutMs, signal) {
      if (signal.aborted || moves[feed] !== mark) return;
      const woken = new AbortController();
      const wake = () => woken.abort();
      wakers[feed].add(wake);
      signal.addEventListener("abort", wake, { once: true });
      await clock.sleep(timeoutMs, woken.signal);
      signal.removeEventListener("abort", wake);
      wakers[feed].delete(wake);
    },
  };
}
