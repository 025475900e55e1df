// Follows one feed of upstream into the log: reads a batch, stores it with the position it reaches, and only then
// reads the next. Whatever upstream answers, nothing is skipped unsaid: what it no longer has becomes a recorded gap.

import { createBackoff } from "../../kit/backoff.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { rest } from "../../kit/pace.ts";
import type { Random } from "../../kit/random.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { CapturedEvent, Feed, LogEvent } from "../model/event.ts";
import type { Lease } from "../store/captured/lease.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { FeedGap, Refusal } from "../store/captured/progress.ts";
import type { FeedBatch, Upstream } from "../upstream/port.ts";
import type { Abreast } from "./abreast.ts";
import { secondLook } from "./second-look.ts";
import type { FeedStatus } from "./status.ts";
import type { Wakers } from "./wakers.ts";

/** A batch shrinks to this when writing is slow: still many enough to share a commit. */
const LEAST_BATCH = 50;
/** Slower than this the store is not keeping up, and smaller batches let others have it in between. */
const SLOW_WRITE_MS = 250;
const QUICK_WRITE_MS = 100;
/** Wakers wake a follower at once; this is how stale it gets when they are lost. */
const POLL_MS = 1_000;
const FEED_DEADLINE_MS = 10_000;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
/** Far beyond the longest delay of any plan, and beyond how late an item can be. */
const HISTORY_MS = 10 * 60_000;
/** So many answers in a row that end before our position mean that upstream began anew; one may be a mistake. */
const ANSWERS_TO_BELIEVE_A_RESTART = 3;

export interface Following {
  /** Whose positions these are. */
  source: string;
  feed: Feed;
  upstream: Upstream;
  log: LogStore;
  /** The saved position; null when this feed was never read. */
  from: number | null;
  lease: Lease;
  clock: Clock;
  logger: Log;
  random: Random;
  wakers: Wakers;
  abreast: Abreast;
  /** The most events in one transaction. */
  batch: number;
  /** The share of time that catching up may take; the rest is left to those who are served meanwhile. */
  catchUpShare: number;
  status: FeedStatus;
  /** The batch is stored; these are the events of it that were new. */
  onStored(appended: LogEvent[], refusals: readonly Refusal[]): void;
}

/** Runs until the signal aborts. Rejects only when the lease is lost. */
export async function follow(following: Following, signal: AbortSignal): Promise<void> {
  const { feed, upstream, clock, status, logger } = following;
  const backoff = createBackoff(following.random, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  const storeBackoff = createBackoff(following.random, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  let saved = following.from;
  let limit = following.batch;
  let restarts = 0;
  status.position = saved;

  while (!signal.aborted) {
    const hint = following.wakers.mark(feed);
    const after = saved ?? 0;
    const call = { deadlineMs: FEED_DEADLINE_MS, signal };
    const outcome = await upstream.feed(feed, after, limit, call);
    if (signal.aborted) return;
    if (outcome.kind !== "found") {
      following.abreast.report(feed, null, false);
      status.failures += 1;
      status.lastFailure = outcome.kind === "failed" ? outcome.reason : outcome.kind;
      if (backoff.failures() === 0) logger.warn("a feed can't be read", { feed, why: status.lastFailure });
      await clock.sleep(backoff.nextMs(), signal);
      continue;
    }
    if (backoff.failures() > 0)
      logger.info("a feed can be read again", { feed, failures: backoff.failures() });
    backoff.reset();
    status.lastReadAt = clock.now();
    const batch = await secondLook(upstream, feed, outcome.value, call);
    if (signal.aborted) return;
    status.newest = batch.newest;

    if (batch.newest < after) {
      restarts += 1;
      if (restarts >= ANSWERS_TO_BELIEVE_A_RESTART) {
        logger.warn("the feed started over; reading it from its start", {
          feed,
          after,
          newest: batch.newest,
        });
        saved = null;
        restarts = 0;
      } else await clock.sleep(backoff.nextMs(), signal);
      continue;
    }
    restarts = 0;

    const historyEnds = following.from === null ? clock.now() - HISTORY_MS : 0;
    let stored = sorted(feed, saved, batch, historyEnds);
    if (stored.position === saved) {
      following.abreast.report(feed, null, false);
      await following.wakers.wait(feed, hint, POLL_MS, signal);
      continue;
    }
    const first = stored.events[0]?.at ?? Number.NEGATIVE_INFINITY;
    const mayGoTo = await following.abreast.turn(feed, first, signal);
    if (signal.aborted) return;
    stored = sorted(feed, saved, batch, historyEnds, mayGoTo);
    if (batch.items.length > LEAST_BATCH) await nextTurn();
    const beganAt = clock.now();
    const appended = await store(following, stored, beganAt, historyEnds);
    if (appended === null) {
      // Asked for again from the saved position: what did get stored is recognised and not stored twice.
      await clock.sleep(storeBackoff.nextMs(), signal);
      continue;
    }
    storeBackoff.reset();
    saved = stored.position;
    note(following, stored, appended);
    const wroteMs = clock.now() - beganAt;
    const backlog = batch.newest - saved;
    limit = nextLimit(limit, wroteMs, following.batch);
    following.abreast.report(feed, stored.events.at(-1)?.at ?? null, backlog > 0);
    if (backlog === 0) await following.wakers.wait(feed, hint, POLL_MS, signal);
    else await rest(clock, wroteMs, following.catchUpShare, signal);
  }
}

/** What was just stored, in the feed's status, in the log and for whoever derives from it. */
function note(following: Following, stored: ReturnType<typeof sorted>, appended: LogEvent[]): void {
  const { status, logger } = following;
  status.position = stored.position;
  const last = appended.at(-1);
  if (last) status.lastEventAt = last.at;
  status.gaps += stored.gaps.length;
  for (const gap of stored.gaps) logger.warn("upstream no longer has a part of the feed", { ...gap });
  following.onStored(appended, stored.refusals);
}

/** Half as many after a slow write, twice as many after a quick one. */
function nextLimit(limit: number, wroteMs: number, most: number): number {
  if (wroteMs > SLOW_WRITE_MS) return Math.max(LEAST_BATCH, Math.floor(limit / 2));
  return wroteMs < QUICK_WRITE_MS ? Math.min(most, limit * 2) : limit;
}

/**
 * The events that were new, or null when the store could not take the batch now. What had happened long before this log
 * began is nobody's news: it counts as captured when it happened, so that a delayed plan does not wait for history, and
 * retention counts from the event.
 */
async function store(
  following: Following,
  batch: Sorted,
  now: number,
  historyEnds: number,
): Promise<LogEvent[] | null> {
  const newest = batch.events.reduce((latest, event) => Math.max(latest, event.at), 0);
  const isHistory = newest > 0 && newest < historyEnds;
  try {
    return await following.log.append(following.lease, {
      events: batch.events,
      capturedAt: isHistory ? newest : now,
      isHistory,
      positions: [{ source: following.source, feed: following.feed, position: batch.position }],
      gaps: batch.gaps.map((gap) => ({ source: following.source, ...gap })),
      refusals: batch.refusals,
    });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    following.logger.warn("a batch could not be stored", { feed: following.feed, error });
    return null;
  }
}

interface Sorted {
  position: number;
  events: CapturedEvent[];
  gaps: FeedGap[];
  refusals: Refusal[];
}

/**
 * Takes what follows on the saved position without a hole; what comes after a hole is asked for again. History and
 * news never share a batch, so that no feed's news overtakes another's history.
 */
function sorted(
  feed: Feed,
  saved: number | null,
  batch: FeedBatch,
  historyEnds: number,
  mayGoTo = Number.POSITIVE_INFINITY,
): Sorted {
  const after = saved ?? 0;
  const result: Sorted = { position: after, events: [], gaps: [], refusals: [] };
  if (batch.oldest > after + 1) {
    result.position = batch.oldest - 1;
    // Before our first start nothing was promised, so nothing is missing.
    if (saved !== null) result.gaps.push({ feed, fromPosition: after + 1, toPosition: batch.oldest - 1 });
  }
  for (const item of batch.items) {
    if (item.position !== result.position + 1) {
      if (item.position <= result.position) continue;
      break;
    }
    const isNews = "event" in item && item.event.at >= historyEnds;
    if (isNews && result.events.some((event) => event.at < historyEnds)) break;
    // What another feed has still to catch up with is asked for again; the first always goes.
    if ("event" in item && item.event.at > mayGoTo && result.events.length > 0) break;
    result.position = item.position;
    if ("event" in item) result.events.push(item.event);
    else result.refusals.push({ feed, ...item.refused });
  }
  return result;
}
