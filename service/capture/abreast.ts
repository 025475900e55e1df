// Keeps feeds that have a backlog abreast of each other in time, so that after a first start or a break the log tells
// what happened in about the order it happened in. The one furthest back always goes on; nobody waits for the idle.
import { FEEDS, type Feed } from "../model/event.ts";

export interface Abreast {
  /** How far in event time a feed has come, and whether more of it waits; an idle or failing feed holds up nobody. */
  report(feed: Feed, cameTo: number | null, more: boolean): void;
  /** Resolves when no feed with a backlog is further back, or when the signal aborts. */
  turn(feed: Feed, signal: AbortSignal): Promise<void>;
}

export function createAbreast(): Abreast {
  const backlog = new Map<Feed, number>();
  const waiting = new Set<() => void>();
  const mayGo = (feed: Feed) => {
    const mine = backlog.get(feed);
    return mine === undefined || FEEDS.every((other) => (backlog.get(other) ?? mine) >= mine);
  };
  return {
    report(feed, cameTo, more) {
      if (more && cameTo !== null) backlog.set(feed, cameTo);
      else backlog.delete(feed);
      for (const look of [...waiting]) look();
    },
    turn: (feed, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          waiting.delete(look);
          signal.removeEventListener("abort", finish);
          resolve();
        };
        const look = () => {
          if (mayGo(feed)) finish();
        };
        waiting.add(look);
        signal.addEventListener("abort", finish, { once: true });
        if (signal.aborted) finish();
        else look();
      }),
  };
}
