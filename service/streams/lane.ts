// One delay's view of the log. Events are delivered in log order, each once, none before its time: `delivered` is
// the position up to which every socket of the lane is served. An event is delivered within one
// turn of the event loop, so joining at a position is exact: everything after it, nothing before.

import type { StreamName } from "../../contract/frames.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import type { FeedEntry } from "../feed/entry.ts";
import { PAGE_EVENTS, POLL_MS, type Tail } from "../feed/tail.ts";
import { createTopics, type Topics } from "./topics.ts";

/** Sends before the event loop gets its turn: some 10 ms. Fewer would cost a system call more for each socket. */
const SENDS_A_TURN = 16_000;
/** Bytes to one topic before it does: what fits into a socket of the system at once, so that no good reader falls behind. */
const BYTES_A_TURN = 131_072;
/** Events due within this time of each other leave together; a delayed feed loses nothing by it. */
const GATHER_MS = 20;
const RETRY_MS = 500;
/** Polls that may be missed before the log counts as unread. */
const POLLS_MISSED = 3;

interface Joiner {
  seq: number;
  enter(): void;
}

export interface Lane {
  delayMs: number;
  topics: Topics;
  delivered(): number;
  /** When the stream's last event that was visible here was captured; null when none is in memory. */
  lastEventAt(stream: StreamName): number | null;
  /**
   * How late frames are against the lane's own schedule: the last one, or the next one if it is overdue; and how
   * long the log has been unreadable, if it is.
   */
  lagMs(): number;
  /** Starts, or restarts after the log was rebuilt. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** There is something new. */
  wake(): void;
  /**
   * Calls `enter` when everything up to `seq`, and nothing after it, is delivered: now, or later. Returns how to
   * cancel. A position that the lane has passed is the caller's mistake.
   */
  enterAt(seq: number, enter: () => void): () => void;
}

export interface LaneParts extends Pick<Kit, "clock" | "log"> {
  delayMs: number;
  tail: Tail;
  publish(topic: string, text: string): void;
  /** Before an event captured at this time is delivered: a socket that may not see it yet has to leave now. */
  beforeEvent(capturedAt: number): void;
}

export function createLane({ delayMs, tail, clock, log, publish, beforeEvent }: LaneParts): Lane {
  const topics = createTopics(String(delayMs));
  const lastEventAt: Record<StreamName, number | null> = { alerts: null, trades: null };
  const joiners = new Set<Joiner>();
  let nextJoin = Number.POSITIVE_INFINITY;
  let delivered = 0;
  let deliveredCapturedAt = 0;
  let latenessMs = 0;
  /** A page that was read before the lane restarted belongs to another log. */
  let beginnings = 0;
  /** Whether it rests until a time, and not until there is something new. */
  let isTimed = false;

  const letIn = () => {
    for (const joiner of [...joiners]) {
      if (joiner.seq > delivered) continue;
      joiners.delete(joiner);
      joiner.enter();
    }
    nextJoin = Number.POSITIVE_INFINITY;
    for (const { seq } of joiners) nextJoin = Math.min(nextJoin, seq);
  };

  const deliver = (entry: FeedEntry, turn: { sends: number; bytes: number }) => {
    beforeEvent(entry.capturedAt);
    const matching = entry.isNews ? topics.of(entry) : [];
    if (matching.length > 0) turn.bytes += entry.text(false).length;
    for (const topic of matching) {
      publish(topic.name, entry.text(false));
      turn.sends += topic.sockets;
    }
    if (entry.isNews) lastEventAt[entry.stream] = entry.capturedAt;
    deliveredCapturedAt = entry.capturedAt;
    latenessMs = Math.max(0, clock.now() - delayMs - entry.capturedAt);
    delivered = entry.seq;
    if (delivered >= nextJoin) letIn();
  };

  /** Delivers all that is due. Returns the time until more is, or null if that is up to new events. */
  const pump = async (signal: AbortSignal): Promise<number | null> => {
    while (!signal.aborted) {
      const begun = beginnings;
      const page = tail.recent(delivered, PAGE_EVENTS) ?? (await tail.older(delivered, tail.newest()));
      if (page.length === 0) return null;
      let turn = { sends: 0, bytes: 0 };
      for (const entry of page) {
        // Realtime checks no clock: the one that stamped the event may run a little ahead of ours.
        const early = delayMs === 0 ? 0 : shownAt(entry) + delayMs - clock.now();
        if (early > 0) return Math.max(early, GATHER_MS);
        if (begun !== beginnings) return 0;
        deliver(entry, turn);
        if (turn.sends < SENDS_A_TURN && turn.bytes < BYTES_A_TURN) continue;
        turn = { sends: 0, bytes: 0 };
        await nextTurn();
        if (signal.aborted) return null;
      }
      if (page.length === PAGE_EVENTS) await nextTurn();
    }
    return null;
  };

  const pumping = createLoop({
    failure(error) {
      isTimed = true;
      log.warn("a feed could not read the log", { delayMs, error });
    },
    everyMs: RETRY_MS,
    clock,
    log,
    async round(signal) {
      isTimed = false;
      const waitMs = await pump(signal);
      isTimed = waitMs !== null;
      return waitMs ?? Number.POSITIVE_INFINITY;
    },
  });

  return {
    delayMs,
    topics,
    delivered: () => delivered,
    lastEventAt: (stream) => lastEventAt[stream],
    lagMs() {
      const now = clock.now();
      const unreadMs = now - tail.caughtUpAt();
      if (unreadMs > POLLS_MISSED * POLL_MS) return unreadMs;
      if (delivered >= tail.newest()) return latenessMs;
      const next = tail.recent(delivered, 1)?.[0];
      return Math.max(latenessMs, now - delayMs - (next?.capturedAt ?? deliveredCapturedAt));
    },
    async start() {
      beginnings++;
      // Everything due now was due before anyone listened.
      delivered = delayMs === 0 ? tail.newest() : await tail.positionAt(clock.now() - delayMs);
      lastEventAt.alerts = tail.lastUpTo("alerts", delivered)?.capturedAt ?? null;
      lastEventAt.trades = tail.lastUpTo("trades", delivered)?.capturedAt ?? null;
      pumping.start();
    },
    stop: () => pumping.stop(),
    wake() {
      // A timed rest waits for an event that already exists; new ones are due after it.
      if (!isTimed) pumping.wake();
    },
    enterAt(seq, enter) {
      if (delivered > seq) throw new RangeError(`the lane is at ${delivered}, past ${seq}`);
      const joiner = { seq, enter };
      joiners.add(joiner);
      nextJoin = Math.min(nextJoin, seq);
      if (delivered >= seq) letIn();
      return () => void joiners.delete(joiner);
    },
  };
}

/** No socket here could see the event before this node had read it, however late that was. */
const shownAt = (entry: FeedEntry) => Math.max(entry.capturedAt, entry.readAt);

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
