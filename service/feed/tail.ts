// The node's one reader of the log. It follows the head, woken by the bus and by a slow poll, and keeps the newest
// events in memory; whoever needs older ones gets them from the store through the same door, in order, none left out.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { LogStore } from "../store/captured/log.ts";
import { readAlerts } from "./alerts.ts";
import type { Enrich } from "./enrich.ts";
import type { Entry } from "./entry.ts";
import type { Stream } from "./facts.ts";
import { EVERYTHING, type Filter, filterKey } from "./filter.ts";

/** A minute at 60 events a second, a busy hour, in some 12 MB. A feed that needs more reads the store. */
const KEPT_EVENTS = 4_096;
/** Twice the longest delay: older ones are needed by replays only, which read the store anyway. */
const KEPT_MS = 120_000;
/** Forgotten entries are cut off this many at a time, not one by one. */
const CUT_AT_EVENTS = 1_024;
/** About a millisecond of reading, so that a long catch-up never holds up the rest of the process. */
export const PAGE_EVENTS = 256;
/** The same by position. */
const SPAN_POSITIONS = 256;
/** A lost hint costs this much freshness and nothing else. */
export const POLL_MS = 1_000;
/** Pruning moves the oldest position by minutes a minute; nobody plans by it more closely. */
const OLDEST_TRUSTED_MS = 60_000;

export interface Tail {
  /** Fills the memory with the newest events and starts following. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The log moved to this position: look now. */
  wake(seq: number): void;
  epoch(): string;
  /** Whether this log has ever given out the position. */
  issued(position: { epoch: string; seq: number }): Promise<boolean>;
  /** The newest position read. */
  newest(): number;
  /** When the log was last found to hold nothing that we have not read. */
  caughtUpAt(): number;
  /** The next entries after a position if memory reaches back that far, else undefined. */
  recent(after: number, limit: number): Entry[] | undefined;
  /** The same from the store, up to and including a position. For lanes. */
  older(after: number, upTo: number): Promise<Entry[]>;
  /** From the store too, but only what may match a filter, with how far that reaches. For replays. */
  matching(after: number, upTo: number, stream: Stream, filter: Filter): Promise<Reach>;
  /** The stream's newest entry in memory that is not after a position. */
  lastUpTo(stream: Stream, seq: number): Entry | undefined;
  oldestKept(): Promise<number>;
  /** The same as of a while ago, for telling. */
  oldestKnown(): number;
  positionAt(capturedAt: number): Promise<number>;
}

export interface Reach {
  entries: Entry[];
  /** Nothing else up to here, this position included, can match. */
  reached: number;
}

export interface TailParts {
  store: LogStore;
  clock: Clock;
  log: Log;
  enrich: Enrich;
  /** New entries are in memory. */
  onMove(): void;
  /** The log was rebuilt: every position that was given out is void. */
  onRebuilt(): void | Promise<void>;
}

export function createTail({ store, clock, log, enrich, onMove, onRebuilt }: TailParts): Tail {
  const entries: Entry[] = [];
  /** Index of the oldest kept entry; the array is cut now and then, not at every event. */
  let first = 0;
  /** Memory holds everything after this position. */
  let floor = 0;
  let newest = 0;
  let epoch = "";
  let caughtUpAt = 0;
  let woken: (() => void) | null = null;
  let hinted = false;
  let stopped = false;
  let oldestKnown = 0;
  let oldestReadAt = 0;
  let following: Promise<void> = Promise.resolve();
  const replayTurns = createTurns();
  // A lane that fell behind serves everybody who is live on it: it never queues behind a crowd that resumes.
  const laneTurns = createTurns();

  const keep = (made: readonly Entry[]) => {
    // Pruning may have taken what came before the first since we looked.
    if (entries.length === 0) floor = (made[0]?.seq ?? floor + 1) - 1;
    entries.push(...made);
    newest = made[made.length - 1]?.seq ?? newest;
    const tooOld = clock.now() - KEPT_MS;
    for (let oldest = entries[first]; oldest; oldest = entries[first]) {
      if (entries.length - first <= KEPT_EVENTS && oldest.capturedAt >= tooOld) break;
      floor = oldest.seq;
      first++;
    }
    if (first < CUT_AT_EVENTS) return;
    entries.splice(0, first);
    first = 0;
  };

  const oldestKept = async () => {
    oldestReadAt = clock.now();
    const { seq, isFirst } = await store.oldest();
    oldestKnown = isFirst ? 1 : seq;
    return oldestKnown;
  };

  /** Reads until the store has no more; what is added meanwhile is announced, or found by the next poll. */
  const catchUp = async () => {
    for (let full = true; full && !stopped; ) {
      const askedAt = clock.now();
      const page = await store.readAfter(newest, { limit: PAGE_EVENTS });
      full = page.length === PAGE_EVENTS;
      if (page.length > 0) {
        keep(await enrich(page));
        onMove();
        if (full) await nextTurn();
      }
      if (!full) caughtUpAt = askedAt;
    }
  };

  const begin = async () => {
    const head = await store.head();
    epoch = head.epoch;
    entries.length = 0;
    first = 0;
    newest = floor = Math.max(head.seq - KEPT_EVENTS, (await oldestKept()) - 1);
    await catchUp();
  };

  const follow = async () => {
    let polledAt = clock.now();
    while (!stopped) {
      try {
        if (hinted || clock.now() - polledAt >= POLL_MS) {
          hinted = false;
          await catchUp();
        }
        if (clock.now() - polledAt >= POLL_MS) {
          polledAt = clock.now();
          if ((await store.head()).epoch !== epoch) {
            log.warn("The log was rebuilt; all stream positions are void.");
            await begin();
            await onRebuilt();
          }
          if (clock.now() - oldestReadAt >= OLDEST_TRUSTED_MS) await oldestKept();
        }
      } catch (problem) {
        // The lag in every heartbeat shows it; the next poll tries again.
        log.warn("The log could not be read.", { problem });
        polledAt = clock.now();
      }
      if (hinted) continue;
      const rest = new AbortController();
      woken = () => rest.abort();
      await clock.sleep(POLL_MS, rest.signal);
      woken = null;
    }
  };

  return {
    async start() {
      await begin();
      following = follow();
    },
    async stop() {
      stopped = true;
      woken?.();
      await following;
    },
    wake(seq) {
      if (seq <= newest) return;
      hinted = true;
      woken?.();
    },
    epoch: () => epoch,
    issued: async (position) =>
      position.epoch === epoch && (position.seq <= newest || position.seq <= (await store.head()).seq),
    newest: () => newest,
    caughtUpAt: () => caughtUpAt,
    recent(after, limit) {
      if (after < floor) return undefined;
      // Positions are consecutive, so the place is known without searching.
      const oldest = entries[first];
      const start = oldest ? first + Math.max(0, after - oldest.seq + 1) : first;
      return entries.slice(start, start + limit);
    },
    older: (after, upTo) =>
      laneTurns(async () => enrich(await store.readAfter(after, { limit: PAGE_EVENTS, upTo }))),
    matching: (after, upTo, stream, filter) =>
      replayTurns(async () => {
        if (stream === "trades" || filterKey(filter) === EVERYTHING_KEY) {
          // Bounded by positions: a stream that is quiet would make a bound on its own events a scan of the other.
          const reached = Math.min(upTo, after + SPAN_POSITIONS);
          const range = { limit: SPAN_POSITIONS, upTo: reached, feeds: FEEDS_OF[stream] };
          return { entries: await enrich(await store.readAfter(after, range)), reached };
        }
        const walk = { limit: PAGE_EVENTS, order: "asc", after, before: upTo + 1 } as const;
        const page = await readAlerts(store, filter, walk);
        const last = page.reached ?? page.events.at(-1)?.seq ?? upTo;
        return { entries: await enrich(page.events), reached: page.hasMore ? last : upTo };
      }),
    lastUpTo: (stream, seq) => entries.findLast((entry) => entry.stream === stream && entry.seq <= seq),
    oldestKept,
    oldestKnown: () => oldestKnown,
    positionAt: (capturedAt) => store.positionAt(capturedAt),
  };
}

const EVERYTHING_KEY = filterKey(EVERYTHING);
const FEEDS_OF = { alerts: ["app", "push"], trades: ["chain"] } as const;

/**
 * Reads of one kind, one in each turn of the event loop, in the order they came: a crowd that resumes takes turns among
 * itself and leaves the thread to everybody else in between.
 */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.then(nextTurn, nextTurn);
    return mine;
  };
}
