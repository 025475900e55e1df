// Keeps feeds that have a backlog abreast of each other in time, so that after a first start or a break the log tells
// what happened in about the order it happened in. The one furthest back always goes on; nobody waits for the idle.
import { FEEDS, type Feed } from "../model/event.ts";

export interface Abreast {
  /** How far in event time a feed has come, and whether more of it waits; an idle or failing feed holds up nobody. */
  report(feed: Feed, cameTo: number | null, more: boolean): void;
  /**
   * Resolves when no feed with a backlog is further back than what this one has next, or when the signal aborts. The
   * answer is the time up to which this feed may then go, so that a batch of days does not overtake another's hours.
   */
  turn(feed: Feed, nextAt: number, signal: AbortSignal): Promise<number>;
}

/** How far one feed may be ahead of another: smaller makes more and smaller batches, larger mixes the order more. */
const AHEAD_MS = 10 * 60_000;

export function createAbreast(feeds: readonly Feed[] = FEEDS): Abreast {
  /** What a feed has next while it waits, else how far it has come. Before it told either, it may be furthest back. */
  const reached = new Map<Feed, number>(feeds.map((feed) => [feed, Number.NEGATIVE_INFINITY]));
  const waiting = new Set<() => void>();
  const lookAround = () => {
    for (const look of [...waiting]) look();
  };
  return {
    report(feed, cameTo, more) {
      if (more && cameTo !== null) reached.set(feed, cameTo);
      else reached.delete(feed);
      lookAround();
    },
    turn: (feed, nextAt, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          waiting.delete(look);
          signal.removeEventListener("abort", finish);
          const others = FEEDS.flatMap((other) => (other === feed ? [] : (reached.get(other) ?? [])));
          resolve(others.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...others) + AHEAD_MS);
        };
        const look = () => {
          if (feeds.every((other) => (reached.get(other) ?? nextAt) >= nextAt)) finish();
        };
        reached.set(feed, nextAt);
        waiting.add(look);
        signal.addEventListener("abort", finish, { once: true });
        if (signal.aborted) finish();
        else lookAround();
      }),
  };
}
