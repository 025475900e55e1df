// The node's one reader of the log's end: streams and webhooks both listen to it. It follows the head, woken by the bus and
// by a slow poll, and keeps the newest events in memory; older ones are read from the store through the same door, in order,
// none left out.
import type { Chains } from "../../contract/chains.ts";
import type { StreamName } from "../../contract/frames.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { Bus } from "../bus/port.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { TraderStore } from "../store/captured/traders.ts";
import { createEnrich } from "./enrich.ts";
import type { FeedEntry } from "./entry.ts";
import { createRecentEntries, ENTRIES_MAX } from "./recent-entries.ts";
import { createReplayReads, createTurns, type ReplayReads } from "./replay-reads.ts";

/** About a millisecond of reading, so that a long catch-up never blocks the rest of the process. */
export const PAGE_EVENTS = 256;
/** A lost hint costs this much freshness and nothing else. */
export const POLL_MS = 1_000;
/** Pruning moves the oldest position by minutes a minute; no caller needs it more exactly. */
const OLDEST_TRUSTED_MS = 60_000;

export interface Tail extends ReplayReads {
  /** Fills the memory with the newest events and starts following. */
  start(): Promise<void>;
  stop(): Promise<void>;
  listen(listener: TailListener): void;
  epoch(): string;
  /** Whether this log has ever given out the position. */
  issued(position: { epoch: string; seq: number }): Promise<boolean>;
  /** The newest position read: every listener has received everything up to here. */
  newest(): number;
  /** When we last found that we had read the whole log. */
  caughtUpAt(): number;
  /** The next entries after a position if memory reaches back that far, else undefined. */
  recent(after: number, limit: number): FeedEntry[] | undefined;
  /** The same from the store, up to and including a position. For lanes. */
  older(after: number, upTo: number): Promise<FeedEntry[]>;
  /** The stream's newest entry in memory that is not after a position. */
  lastUpTo(stream: StreamName, seq: number): FeedEntry | undefined;
  oldestKept(): Promise<number>;
  /** The same as of at most a minute ago, without a read. */
  oldestKnown(): number;
  positionAt(capturedAt: number): Promise<number>;
}

export interface TailListener {
  /** New entries, in the order of the log; they are in memory already. */
  onEntries(entries: readonly FeedEntry[]): void;
  /** The log was rebuilt: all earlier positions are void, and reading continued from the new log's end. */
  onRebuilt(): void | Promise<void>;
}

export interface TailParts extends Pick<Kit, "clock" | "log"> {
  store: { log: LogStore; traders: Pick<TraderStore, "byIds"> };
  bus: Pick<Bus, "listen" | "onState">;
  chains: Chains;
  /** How many of the newest entries stay in memory. */
  entriesMax?: number;
}

export function createTail(parts: TailParts): Tail {
  const {
    store: { log: store, traders },
    bus,
    chains,
    clock,
    log,
    entriesMax = ENTRIES_MAX,
  } = parts;
  const enrich = createEnrich({ logStore: store, traders, chains, clock });
  const memory = createRecentEntries(clock, entriesMax);
  const listeners: TailListener[] = [];
  let epoch = "";
  let caughtUpAt = 0;
  let polledAt = 0;
  let oldestKnown = 0;
  let oldestReadAt = 0;
  // A lane that fell behind serves all its live sockets: it never queues behind a crowd of resumes.
  const laneTurns = createTurns();
  const replays = createReplayReads({ store, enrich });

  const oldestKept = async () => {
    oldestReadAt = clock.now();
    const { seq, isFirst } = await store.oldest();
    oldestKnown = isFirst ? 1 : seq;
    return oldestKnown;
  };

  /** Reads until the store has no more; what is added meanwhile is announced, or found by the next poll. */
  const catchUp = async (signal: AbortSignal | null, onEntries: (entries: readonly FeedEntry[]) => void) => {
    for (let full = true; full && !signal?.aborted; ) {
      const askedAt = clock.now();
      const page = await store.readAfter(memory.newest(), { limit: PAGE_EVENTS });
      full = page.length === PAGE_EVENTS;
      if (page.length > 0) {
        const entries = await enrich(page);
        const readAt = signal ? clock.now() : 0;
        for (const entry of entries) entry.readAt = readAt;
        // Atomically with the listeners: at any time they have everything in memory.
        memory.add(entries);
        onEntries(entries);
        if (full) await nextTurn();
      }
      if (!full) caughtUpAt = askedAt;
    }
  };

  const begin = async () => {
    const head = await store.head();
    epoch = head.epoch;
    memory.reset(Math.max(head.seq - entriesMax, (await oldestKept()) - 1));
    await catchUp(null, () => {});
  };

  const poll = async () => {
    if ((await store.head()).epoch !== epoch) {
      log.warn("the log was rebuilt; all positions are void");
      await begin();
      for (const listener of listeners) await listener.onRebuilt();
    }
    if (clock.now() - oldestReadAt >= OLDEST_TRUSTED_MS) await oldestKept();
    polledAt = clock.now();
  };

  const following = createLoop({
    // The lag in every heartbeat shows it; the next poll tries again.
    failure: "the log could not be read",
    everyMs: POLL_MS,
    first: "later",
    clock,
    log,
    async round(signal) {
      await catchUp(signal, (entries) => {
        for (const listener of listeners) listener.onEntries(entries);
      });
      if (clock.now() - polledAt >= POLL_MS) await poll();
    },
  });
  const stopHearing = [
    bus.listen((message) => message.kind === "moved" && message.seq > memory.newest() && following.wake()),
    bus.onState((state) => state === "up" && following.wake()),
  ];

  return {
    ...replays,
    async start() {
      await begin();
      polledAt = clock.now();
      following.start();
    },
    async stop() {
      for (const stop of stopHearing) stop();
      await following.stop();
    },
    listen: (listener) => void listeners.push(listener),
    epoch: () => epoch,
    issued: async (position) =>
      position.epoch === epoch &&
      (position.seq <= memory.newest() || position.seq <= (await store.head()).seq),
    newest: memory.newest,
    caughtUpAt: () => caughtUpAt,
    recent: memory.after,
    older: (after, upTo) =>
      laneTurns(async () => enrich(await store.readAfter(after, { limit: PAGE_EVENTS, upTo }))),
    lastUpTo: memory.lastUpTo,
    oldestKept,
    oldestKnown: () => oldestKnown,
    positionAt: (capturedAt) => store.positionAt(capturedAt),
  };
}
