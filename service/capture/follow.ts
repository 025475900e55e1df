// Follows one feed of upstream into the log: reads a batch, has it stored with the position it reaches, and only then
// reads on. Whatever upstream answers, nothing is skipped silently: pruned items become a recorded gap.

import { createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Log } from "../../kit/log.ts";
import { runLoop } from "../../kit/loop.ts";
import { rest } from "../../kit/pace.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { LogEvent } from "../model/event.ts";
import type { Refusal } from "../store/captured/progress.ts";
import type { FeedBatch, FeedItem, Upstream } from "../upstream/port.ts";
import { createFeedReader } from "./feed-reader.ts";
import type { JointAppend, Offer, Stored } from "./joint-append.ts";
import type { FeedStatus } from "./status.ts";
import type { Wakers } from "./wakers.ts";

/** Wakers wake a follower at once; this is how stale it gets when they are lost. */
const POLL_MS = 1_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 10_000;
/** Far beyond the longest delay of any plan, and beyond how late an item can be. */
const HISTORY_MS = 10 * MINUTE_MS;

export interface Following extends Pick<Kit, "clock" | "random"> {
  feed: FeedName;
  upstream: Upstream;
  /** The saved position; null when this feed was never read. */
  from: number | null;
  logger: Log;
  wakers: Wakers;
  joint: JointAppend;
  /** The most items in one answer. */
  batch: number;
  /** The share of time that catching up may take; the rest is left for serving. */
  catchUpShare: number;
  status: FeedStatus;
  /** The batch is stored; these are the events of it that were new. */
  onStored(appended: LogEvent[], refusals: readonly Refusal[]): void;
}

/** Runs until the signal aborts. Rejects only when the lease is lost. */
export function follow(following: Following, signal: AbortSignal): Promise<void> {
  const { feed, clock, logger: log, status, joint } = following;
  const reader = createFeedReader(following);
  const backoff = createBackoff(following.random, RETRY_MS_MIN, RETRY_MS_MAX);
  let saved = following.from;
  status.position = saved;

  return runLoop({ failure: "a feed was not followed", isFatal: () => true, clock, log, round }, signal);

  /** Reads and stores one batch, waits until there may be more, and resolves to how long to rest after that. */
  async function round(): Promise<number> {
    const read = await reader.next(saved ?? 0, following.batch, signal);
    if (signal.aborted) return 0;
    if (read === "restarted") saved = null;
    if (read === "restarted" || read === null) return 0;
    const { batch, mark } = read;
    const offer = offerOf(feed, saved, batch, following.from === null ? clock.now() - HISTORY_MS : 0);
    if (offer.items.length === 0 && offer.from === saved) {
      joint.rests(feed);
      await following.wakers.wait(feed, mark, POLL_MS, signal);
      return 0;
    }
    const stored = await joint.store(offer, signal);
    if (stored === null) {
      // Offered again from the saved position: items that were stored are deduplicated.
      return backoff.nextMs();
    }
    backoff.reset();
    saved = stored.position;
    note(following, offer, stored);
    if (saved >= batch.newest) await following.wakers.wait(feed, mark, POLL_MS, signal);
    else await rest(clock, stored.wroteMs, following.catchUpShare, signal);
    return 0;
  }
}

/** Reports what was just stored, to the feed's status, the log and the deriver. */
function note(following: Following, { gaps }: Offer, { position, appended, refusals }: Stored): void {
  const { status, logger } = following;
  status.position = position;
  const last = appended.at(-1);
  if (last) status.lastEventAt = last.at;
  status.gaps += gaps.length;
  for (const gap of gaps) logger.warn("upstream no longer has a part of the feed", { ...gap });
  following.onStored(appended, refusals);
}

/** The items after the saved position up to the first gap; those after a gap are requested again. */
function offerOf(feed: FeedName, saved: number | null, batch: FeedBatch, historyEnds: number): Offer {
  const from = Math.max(saved ?? 0, batch.oldest - 1);
  // Before our first start nothing was promised, so nothing is missing.
  const isMissing = saved !== null && from > saved;
  const gaps = isMissing ? [{ feed, fromPosition: saved + 1, toPosition: from }] : [];
  const items: FeedItem[] = [];
  let position = from;
  for (const item of batch.items) {
    if (item.position <= position) continue;
    if (item.position !== position + 1) break;
    items.push(item);
    position = item.position;
  }
  return { feed, saved, from, items, gaps, hasMore: batch.newest > position, historyEnds };
}
