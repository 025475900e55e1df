// Backfills what happened before the log began, behind live events: all feeds together from the newest item down, in roughly
// time order. Every batch is derived, then stored with the position it reaches, so a crash anywhere repeats a little.
import { createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Log } from "../../kit/log.ts";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { rest } from "../../kit/pace.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";
import { type Lease, LeaseLost } from "../store/captured/lease.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { FeedExtent, HistoryLeft } from "../store/captured/log-history.ts";
import type { Refusal } from "../store/captured/progress.ts";
import type { FeedItem, Upstream } from "../upstream/port.ts";
import { secondLook } from "./second-look.ts";

/** This much is read before live events, in a second or two; more would delay them. */
const READ_FIRST_MAX = 2_000;
const DEADLINE_MS = 10_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 10_000;
/** All of capture waits until the log has begun, so this is retried sooner. */
const BEGIN_RETRY_MS_MAX = 1_000;
/** One answer may be spoilt on its way; this many in a row are not. */
const HOLES_MAX = 12;

export interface Backfilling extends Pick<Kit, "clock" | "random"> {
  source: string;
  upstream: Upstream;
  log: LogStore;
  lease: Lease;
  logger: Log;
  /** The most events in one transaction. */
  batch: number;
  /** Items of a feed that are read at once. */
  page: number;
  catchUpShare: number;
  /** This many items are still to be read. */
  onLeft(items: number): void;
  /** Stores data derived from these events. Repeated after a crash. */
  derive(events: readonly FeedEvent[]): Promise<void>;
}

/** Starts a new log with live events if there is much history. Otherwise the feeds are read from their beginning. */
export async function beginWithNews(
  { source, upstream, log, lease, clock, random }: Backfilling,
  feeds: readonly FeedName[],
  signal: AbortSignal,
): Promise<void> {
  if ((await log.head()).seq > 0) return;
  const backoff = createBackoff(random, RETRY_MS_MIN, BEGIN_RETRY_MS_MAX);
  const extents: FeedExtent[] = [];
  while (extents.length < feeds.length) {
    const feed = feeds[extents.length] as FeedName;
    const page = await upstream.feed(feed, 0, 1, { deadlineMs: DEADLINE_MS, signal });
    if (signal.aborted) return;
    if (page.kind === "found") {
      extents.push({ feed, oldest: Math.max(1, page.value.oldest), newest: page.value.newest });
      backoff.reset();
    } else await clock.sleep(backoff.nextMs(), signal);
  }
  const history = extents.reduce((sum, { oldest, newest }) => sum + newest - oldest + 1, 0);
  if (history > READ_FIRST_MAX) await log.begin(lease, { source, extents, at: clock.now() });
}

/** Items of one feed that were read but not stored yet: the last of `items` happened last. */
interface HistoryReading extends HistoryLeft {
  items: FeedItem[];
  /** Consecutive answers without anything further. */
  holes: number;
}

/** Runs until all history is read, or the signal aborts. Rejects when the lease is lost. */
export async function backfill(parts: Backfilling, signal: AbortSignal): Promise<void> {
  const { log, clock, logger, source } = parts;
  const readingsLeft = async (): Promise<HistoryReading[]> =>
    (await log.historyLeft(source)).map((left) => ({ ...left, items: [], holes: 0 }));
  let readings = await readingsLeft();
  parts.onLeft(countOf(readings));
  if (readings.length === 0) return;
  const backoff = createBackoff(parts.random, RETRY_MS_MIN, RETRY_MS_MAX);
  /** Items taken from the readings but not stored are read again, from the stored position. */
  let isTorn = false;

  const readOn = async (): Promise<number | typeof LOOP_DONE> => {
    const beganAt = clock.now();
    if (isTorn) readings = await readingsLeft();
    isTorn = false;
    if (!readings.some(isLeft)) {
      logger.info("what happened before the log began is read");
      return LOOP_DONE;
    }
    isTorn = true;
    const batch = await nextBatch(parts, readings, signal);
    if (signal.aborted) return LOOP_DONE;
    if (batch === null) {
      isTorn = false;
      return backoff.nextMs();
    }
    await parts.derive(batch.events);
    await nextTurn();
    const left = readings.map(({ feed, next, oldest }) => ({ feed, next, oldest }));
    await log.appendHistory(parts.lease, { source, ...batch, left });
    isTorn = false;
    parts.onLeft(countOf(left));
    backoff.reset();
    await rest(clock, clock.now() - beganAt, parts.catchUpShare, signal);
    return 0;
  };
  await runLoop(
    {
      failure: "a part of the history could not be stored",
      backoff: { firstMs: RETRY_MS_MIN, msMax: RETRY_MS_MAX, random: parts.random },
      isFatal: (error) => error instanceof LeaseLost,
      clock,
      log: logger,
      round: readOn,
    },
    signal,
  );
}

function countOf(left: readonly HistoryLeft[]): number {
  return left.reduce((sum, { next, oldest }) => sum + Math.max(0, next - oldest + 1), 0);
}

function isLeft({ next, oldest }: HistoryLeft): boolean {
  return next >= oldest;
}

/** The latest items of all feeds that are left; null when upstream does not answer. */
async function nextBatch(
  parts: Backfilling,
  readings: HistoryReading[],
  signal: AbortSignal,
): Promise<{ events: FeedEvent[]; refusals: Refusal[] } | null> {
  const events: FeedEvent[] = [];
  const refusals: Refusal[] = [];
  // Taken from the newest down, but stored in the order they happened.
  const taken = () => ({ events: events.reverse(), refusals });
  while (events.length + refusals.length < parts.batch) {
    for (const reading of readings) {
      if (!isLeft(reading) || reading.items.length > 0) continue;
      if (!(await read(parts, reading, signal))) return events.length > 0 ? taken() : null;
      await nextTurn();
    }
    const latest = readings.filter(isLeft).reduce<HistoryReading | null>(later, null);
    const item = latest?.items.pop();
    if (!latest || !item) break;
    latest.next = item.position - 1;
    if ("event" in item) events.push(item.event);
    else refusals.push({ feed: latest.feed, ...item.refused });
  }
  return taken();
}

/** The feed whose next item happened later; unreadable items go first, because they have no time. */
function later(best: HistoryReading | null, reading: HistoryReading): HistoryReading | null {
  const timeOf = ({ items }: HistoryReading) => {
    const item = items.at(-1);
    return item && "event" in item ? item.event.at : Number.POSITIVE_INFINITY;
  };
  if (reading.items.length === 0) return best;
  return best === null || timeOf(reading) > timeOf(best) ? reading : best;
}

/**
 * Reads up to the feed's next position without a gap, in as many pages as upstream returns. False when it does
 * not answer so; a hole that stays is left out in the end.
 */
async function read(parts: Backfilling, reading: HistoryReading, signal: AbortSignal): Promise<boolean> {
  const { upstream, logger } = parts;
  const { feed, next } = reading;
  const call = { deadlineMs: DEADLINE_MS, signal };
  const after = Math.max(reading.oldest - 1, next - parts.page);
  const items: FeedItem[] = [];
  for (let reached = after; reached < next; ) {
    const page = await upstream.feed(feed, reached, next - reached, call);
    if (page.kind !== "found") return false;
    const looked = await secondLook(upstream, feed, page.value, call);
    const answered = new Map(looked.items.map((item) => [item.position, item]));
    const before = reached;
    // It has pruned older items: there are no more.
    reading.oldest = Math.max(reading.oldest, page.value.oldest);
    reached = Math.max(reached, reading.oldest - 1);
    for (let item = answered.get(reached + 1); item && reached < next; item = answered.get(reached + 1)) {
      items.push(item);
      reached++;
    }
    if (reached > before) continue;
    reading.holes++;
    if (reading.holes < HOLES_MAX) return false;
    logger.warn("a part of the history has a hole", { feed, after, next });
    break;
  }
  reading.holes = 0;
  reading.items = items;
  if (items.length === 0) reading.next = after;
  return true;
}
