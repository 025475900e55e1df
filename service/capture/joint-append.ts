// Stores what the followers of all feeds have read, in the order it happened, in one transaction for all that is ready. A
// feed with a backlog is waited for, so that after a first start or a break the log is still in order; an idle or
// failing feed delays no other.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { nextTurn } from "../../kit/turn.ts";
import { FEEDS, type FeedEvent, type FeedName } from "../../protocol/shapes/event.ts";
import type { LogEvent } from "../model/event.ts";
import { type Lease, LeaseLost } from "../store/captured/lease.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { FeedGap, Refusal } from "../store/captured/progress.ts";
import type { FeedItem } from "../upstream/port.ts";

/** A batch shrinks to this when writing is slow: still many enough to share a commit. */
const BATCH_MIN = 50;
/** Slower than this the store is not keeping up, and smaller batches let others have it in between. */
const SLOW_WRITE_MS = 250;
const QUICK_WRITE_MS = 100;

/** What a feed has next. */
export interface Offer {
  feed: FeedName;
  /** The saved position; null when this feed was never read. */
  saved: number | null;
  /** The position before the first item: past the saved one if upstream has pruned the items after it. */
  from: number;
  /** Without a hole. */
  items: readonly FeedItem[];
  gaps: readonly Omit<FeedGap, "source">[];
  /** Upstream has more after these. */
  hasMore: boolean;
  /** What happened before this time is history. */
  historyEnds: number;
}

export interface Stored {
  position: number;
  /** The events that were new. */
  appended: LogEvent[];
  refusals: Refusal[];
  wroteMs: number;
}

export interface JointAppend {
  /** The feed has nothing to store now. */
  rests(feed: FeedName): void;
  /**
   * Resolves when all of the offer, or a first part of it, is stored. Null when the store could not accept it now, or the
   * signal aborted. Rejects when the lease is lost.
   */
  store(offer: Offer, signal: AbortSignal): Promise<Stored | null>;
}

interface JointParts {
  /** Whose positions these are. */
  source: string;
  log: LogStore;
  lease: Lease;
  clock: Clock;
  logger: Log;
  /** The most events in one transaction. */
  batch: number;
}

interface WaitingOffer {
  offer: Offer;
  resolve(stored: Stored | null): void;
  reject(error: unknown): void;
}

export function createJointAppend(parts: JointParts, feeds: readonly FeedName[] = FEEDS): JointAppend {
  /** Feeds with a backlog that are being read. Until its first answer, each may be the furthest back. */
  const awaited = new Set<FeedName>(feeds);
  const waiting = new Map<FeedName, WaitingOffer>();
  const append = createAppend(parts);
  let isStoring = false;

  const storeReady = async () => {
    if (isStoring) return;
    isStoring = true;
    while (awaited.size === 0 && waiting.size > 0) {
      const taken = take([...waiting.values()], append.limit());
      if (taken.count > BATCH_MIN) await nextTurn();
      const wroteMs = await append.write(taken).catch((error) => failed(taken, error));
      if (wroteMs !== null) settle(taken, wroteMs);
    }
    isStoring = false;
  };
  const settle = (taken: Taken, wroteMs: number) => {
    for (const part of taken.parts) {
      const { offer, resolve } = part.of;
      waiting.delete(offer.feed);
      if (offer.hasMore || part.count < offer.items.length) awaited.add(offer.feed);
      resolve({ ...part.stored, position: positionOf(part), wroteMs });
    }
  };
  const failed = (taken: Taken, error: unknown): null => {
    const isLost = error instanceof LeaseLost;
    if (!isLost) parts.logger.warn("batch was not stored", { feeds: taken.parts.length, error });
    for (const one of isLost ? [...waiting.values()] : taken.parts.map(({ of }) => of)) {
      waiting.delete(one.offer.feed);
      if (isLost) one.reject(error);
      else one.resolve(null);
    }
    return null;
  };

  return {
    rests(feed) {
      awaited.delete(feed);
      void storeReady();
    },
    store: (offer, signal) =>
      new Promise((settled, reject) => {
        const { feed } = offer;
        const abort = () => {
          waiting.delete(feed);
          resolve(null);
        };
        const resolve = (stored: Stored | null) => {
          signal.removeEventListener("abort", abort);
          settled(stored);
        };
        signal.addEventListener("abort", abort, { once: true });
        awaited.delete(feed);
        waiting.set(feed, { offer, resolve, reject });
        if (signal.aborted) abort();
        void storeReady();
      }),
  };
}

/** What is stored of one offer. */
interface OfferPart {
  of: WaitingOffer;
  count: number;
  stored: Pick<Stored, "appended" | "refusals">;
}

interface Taken {
  parts: OfferPart[];
  events: FeedEvent[];
  isHistory: boolean;
  count: number;
}

/**
 * The earliest items of all offers, up to the limit or to where one of them ends and its feed continues. History and live events never
 * share a batch.
 */
function take(waiting: readonly WaitingOffer[], limit: number): Taken {
  const parts = waiting.map((of): OfferPart => ({ of, count: 0, stored: { appended: [], refusals: [] } }));
  const taken: Taken = { parts: [], events: [], isHistory: false, count: 0 };
  while (taken.count < limit && !parts.some(isUsedUp)) {
    const next = parts.reduce(earlier, null);
    const item = next && nextOf(next);
    if (!next || !item) break;
    const { offer } = next.of;
    if ("event" in item) {
      const isHistory = item.event.at < offer.historyEnds;
      if (taken.events.length > 0 && isHistory !== taken.isHistory) break;
      taken.isHistory = isHistory;
      taken.events.push(item.event);
    } else next.stored.refusals.push({ feed: offer.feed, ...item.refused });
    next.count += 1;
    taken.count += 1;
  }
  taken.parts = parts.filter(({ count, of }) => count > 0 || of.offer.from !== of.offer.saved);
  return taken;
}

const nextOf = ({ of, count }: OfferPart): FeedItem | undefined => of.offer.items[count];
/** The feed's next item is unknown, and may precede the others. */
const isUsedUp = (part: OfferPart) => part.of.offer.hasMore && nextOf(part) === undefined;
const positionOf = ({ of, count }: OfferPart) => of.offer.items[count - 1]?.position ?? of.offer.from;

/** Unreadable items have no time and are stored at once. */
function earlier(best: OfferPart | null, part: OfferPart): OfferPart | null {
  const timeOf = (item: FeedItem) => ("event" in item ? item.event.at : Number.NEGATIVE_INFINITY);
  const [item, bestItem] = [nextOf(part), best && nextOf(best)];
  if (!item) return best;
  return !bestItem || timeOf(item) < timeOf(bestItem) ? part : best;
}

function createAppend({ source, log, lease, clock, batch }: JointParts) {
  let limit = batch;
  return {
    limit: () => limit,
    /**
     * How long it took. Events from long before this log began are history: they count as captured when they
     * happened, so that a delayed plan does not wait for history, and retention counts from the event.
     */
    async write({ parts, events, isHistory }: Taken): Promise<number> {
      const beganAt = clock.now();
      const appended = await log.append(lease, {
        events,
        capturedAt: isHistory ? events.reduce((latest, { at }) => Math.max(latest, at), 0) : clock.now,
        isHistory,
        positions: parts.map((part) => ({ source, feed: part.of.offer.feed, position: positionOf(part) })),
        gaps: parts.flatMap(({ of }) => of.offer.gaps.map((gap) => ({ source, ...gap }))),
        refusals: parts.flatMap(({ stored }) => stored.refusals),
      });
      for (const part of parts)
        part.stored.appended = appended.filter(({ feed }) => feed === part.of.offer.feed);
      // Resolved in the order of the log.
      parts.sort((a, b) => lastSeq(a) - lastSeq(b));
      const wroteMs = clock.now() - beganAt;
      // Half as many after a slow write, twice as many after a quick one.
      if (wroteMs > SLOW_WRITE_MS) limit = Math.max(Math.min(BATCH_MIN, batch), Math.floor(limit / 2));
      else if (wroteMs < QUICK_WRITE_MS) limit = Math.min(batch, limit * 2);
      return wroteMs;
    },
  };
}

const lastSeq = ({ stored }: OfferPart) => stored.appended.at(-1)?.seq ?? 0;
