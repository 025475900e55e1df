// Reads one upstream feed in order. Items that could not be stored yet are kept and returned again, so nothing is
// requested twice; a failure or an answer from before our position is waited out here.
import { createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Log } from "../../kit/log.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { FeedBatch, Upstream } from "../upstream/port.ts";
import type { JointAppend } from "./joint-append.ts";
import { secondLook } from "./second-look.ts";
import type { FeedStatus } from "./status.ts";
import type { Wakers } from "./wakers.ts";

const FEED_DEADLINE_MS = 10_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 10_000;
/** This many answers in a row that end before our position mean that upstream started over; one may be a mistake. */
const ANSWERS_TO_BELIEVE_A_RESTART = 3;

interface ReaderParts extends Pick<Kit, "clock" | "random"> {
  feed: FeedName;
  upstream: Upstream;
  logger: Log;
  wakers: Wakers;
  joint: JointAppend;
  status: FeedStatus;
}

interface FeedAnswer {
  batch: FeedBatch;
  /** Taken before upstream was asked: later changes are not in the batch. */
  mark: number;
}

export interface FeedReader {
  /**
   * What follows on the position, `limit` items at most. Null when there is nothing to go by now, after a wait; "restarted"
   * when the feed started over.
   */
  next(after: number, limit: number, signal: AbortSignal): Promise<FeedAnswer | "restarted" | null>;
}

export function createFeedReader(parts: ReaderParts): FeedReader {
  const { feed, clock, logger, status, wakers } = parts;
  const backoff = createBackoff(parts.random, RETRY_MS_MIN, RETRY_MS_MAX);
  let kept: FeedAnswer | null = null;
  let restarts = 0;

  const ask = async (after: number, limit: number, signal: AbortSignal): Promise<FeedAnswer | null> => {
    const mark = wakers.mark(feed);
    const call = { deadlineMs: FEED_DEADLINE_MS, signal };
    const outcome = await parts.upstream.feed(feed, after, limit, call);
    if (signal.aborted) return null;
    if (outcome.kind !== "found") {
      parts.joint.rests(feed);
      status.failures += 1;
      status.lastFailure = outcome.kind === "failed" ? outcome.reason : outcome.kind;
      if (backoff.failures() === 0) logger.warn("feed read failed", { feed, why: status.lastFailure });
      await clock.sleep(backoff.nextMs(), signal);
      return null;
    }
    if (backoff.failures() > 0) logger.info("feed can be read again", { feed, failures: backoff.failures() });
    backoff.reset();
    status.lastReadAt = clock.now();
    const batch = await secondLook(parts.upstream, feed, outcome.value, call);
    status.newest = batch.newest;
    return { batch, mark };
  };

  return {
    async next(after, limit, signal) {
      const left = kept && followingOn(kept, after, limit);
      if (left) return left;
      kept = await ask(after, limit, signal);
      if (kept === null || kept.batch.newest >= after) {
        restarts = 0;
        return kept;
      }
      const { newest } = kept.batch;
      kept = null;
      restarts += 1;
      if (restarts < ANSWERS_TO_BELIEVE_A_RESTART) {
        parts.joint.rests(feed);
        await clock.sleep(backoff.nextMs(), signal);
        return null;
      }
      restarts = 0;
      logger.warn("feed started over, reading it from its start", { feed, after, newest });
      return "restarted";
    },
  };
}

/** The rest of an answer after the position; null when it is used up. */
function followingOn({ batch, mark }: FeedAnswer, after: number, limit: number): FeedAnswer | null {
  const start = batch.items.findIndex(({ position }) => position > after);
  if (start < 0 || batch.items[start]?.position !== after + 1) return null;
  return { batch: { ...batch, items: batch.items.slice(start, start + limit) }, mark };
}
