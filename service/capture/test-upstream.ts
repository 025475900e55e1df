// For capture's tests: an upstream whose feeds hold what a test put into them and answer as a test says. Everything
// but its feeds answers that it knows nothing.
import { UNDECLARED } from "../../protocol/capabilities.ts";
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";
import type { FeedBatch, FeedItem, Outcome, Upstream } from "../upstream/port.ts";

export interface ScriptedUpstream extends Upstream {
  put(feed: FeedName, ...events: (FeedEvent | { refused: string })[]): void;
  /** Forgets all up to this position. */
  forget(feed: FeedName, upTo: number): void;
  /** Starts over, empty. */
  reset(): void;
  /** Changes or replaces each answer of a feed. */
  spoil(how: ((feed: FeedName, batch: FeedBatch) => Outcome<FeedBatch>) | null): void;
  reads(feed: FeedName): number;
}

export function scriptedUpstream(): ScriptedUpstream {
  let items: Record<FeedName, FeedItem[]> = { app: [], push: [], chain: [] };
  let forgotten: Record<FeedName, number> = { app: 0, push: 0, chain: 0 };
  const reads: Record<FeedName, number> = { app: 0, push: 0, chain: 0 };
  let spoil: ((feed: FeedName, batch: FeedBatch) => Outcome<FeedBatch>) | null = null;
  const watchers = new Set<(feed: FeedName) => void>();
  const unknown = async () => ({ kind: "notFound" }) as const;
  const failing = async () => ({ kind: "failed", reason: "unreachable" }) as const;
  return {
    name: "scripted",
    put(feed, ...events) {
      for (const event of events) {
        const position = items[feed].length + 1;
        items[feed].push(
          "refused" in event
            ? { position, refused: { reason: event.refused, sample: `{"position":${position}}` } }
            : { position, event },
        );
      }
      for (const watcher of watchers) watcher(feed);
    },
    forget(feed, upTo) {
      forgotten = { ...forgotten, [feed]: upTo };
    },
    reset() {
      items = { app: [], push: [], chain: [] };
      forgotten = { app: 0, push: 0, chain: 0 };
    },
    spoil(how) {
      spoil = how;
    },
    reads: (feed) => reads[feed],
    async feed(feed, after, limit) {
      reads[feed] += 1;
      const first = Math.max(after, forgotten[feed]);
      const batch = {
        items: items[feed].slice(first, first + limit),
        oldest: Math.min(forgotten[feed] + 1, items[feed].length + 1),
        newest: items[feed].length,
      };
      return spoil ? spoil(feed, batch) : { kind: "found", value: batch };
    },
    watch(onMove) {
      watchers.add(onMove);
      return () => watchers.delete(onMove);
    },
    ping: async () => ({ kind: "found", value: { users: 0, tokens: 0, capabilities: UNDECLARED } }),
    capabilities: async () => ({ kind: "found", value: UNDECLARED }),
    users: async () => ({ kind: "found", value: { rows: [], nextCursor: null } }),
    tokens: async () => ({ kind: "found", value: { rows: [], nextCursor: null } }),
    theses: async () => ({ kind: "found", value: { rows: [], nextCursor: null } }),
    search: async () => ({ kind: "found", value: { traders: [], tokens: [] } }),
    traderByHandle: unknown,
    traderById: unknown,
    trades: unknown,
    balances: unknown,
    following: unknown,
    followers: unknown,
    spotlight: unknown,
    swaps: unknown,
    trade: unknown,
    comments: unknown,
    books: unknown,
    tokenTheses: unknown,
    userTheses: unknown,
    token: unknown,
    tokenStats: unknown,
    tokenDevs: unknown,
    leaderboard: failing,
    ranking: failing,
    board: failing,
    candles: unknown,
    ticks: unknown,
    quotes: failing,
    image: unknown,
    close: async () => {},
  };
}
