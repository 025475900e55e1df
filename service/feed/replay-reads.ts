// What resumes read from the store: everything of a stream after a position, or what may match a filter. A crowd of resumes takes
// turns and leaves the thread to everyone else in between, and none waits for another one's search.
import type { StreamName } from "../../contract/frames.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { LogPage } from "../store/captured/log-page.ts";
import { readAlerts } from "./alerts.ts";
import type { Enrich } from "./enrich.ts";
import type { FeedEntry } from "./entry.ts";
import { EVERYTHING, type FeedFilter, filterKey } from "./filter.ts";

/**
 * One step of a replay, in events or in positions: reading, writing and sending them takes a few milliseconds in one turn, and
 * what they leave behind for the collector comes on top.
 */
export const REPLAY_EVENTS = 64;

export interface ReplayReads {
  /** What may match a filter, up to and including a position, with how far that reaches. Ends once its reader has gone. */
  matching(
    after: number,
    upTo: number,
    stream: StreamName,
    filter: FeedFilter,
    isGone: () => boolean,
  ): Promise<Reach>;
}

interface Reach {
  entries: FeedEntry[];
  /** Nothing else up to here, this position included, can match. */
  reached: number;
}

interface ReplayReadsParts {
  store: Pick<LogStore, "page" | "readAfter" | "retractionsAfter">;
  enrich: Enrich;
}

export function createReplayReads({ store, enrich }: ReplayReadsParts): ReplayReads {
  const walkTurns = createTurns();
  // A search may take many reads to find little. Each is a piece of its own, and walks, which need one a page, don't wait for them.
  const searchTurns = createTurns();
  const searchedFor = (isGone: () => boolean): Pick<LogStore, "page"> => ({
    page: (query) => searchTurns(async () => (isGone() ? NO_PAGE : store.page(query))),
  });

  return {
    async matching(after, upTo, stream, filter, isGone) {
      const complete = async (events: readonly LogEvent[], upToHere: number): Promise<Reach> => {
        const whole =
          stream === "alerts"
            ? await withRetractions(store, events, after, upToHere)
            : { events, reached: upToHere };
        return { entries: await enrich(whole.events), reached: whole.reached };
      };
      if (stream === "trades" || filterKey(filter) === EVERYTHING_KEY) {
        // Bounded by positions: a stream that is quiet would make a bound on its own events a scan of the other.
        const reached = Math.min(upTo, after + REPLAY_EVENTS);
        const range = { limit: REPLAY_EVENTS, upTo: reached, feeds: FEEDS_OF[stream] };
        return walkTurns(async () => complete(await store.readAfter(after, range), reached));
      }
      const walk = { limit: REPLAY_EVENTS, order: "asc", after, before: upTo + 1 } as const;
      const page = await readAlerts(searchedFor(isGone), filter, walk);
      if (isGone()) return { entries: [], reached: after };
      const last = page.reached ?? page.events.at(-1)?.seq ?? upTo;
      return searchTurns(() => complete(page.events, page.hasMore ? last : upTo));
    },
  };
}

/** Alerts of a stretch of the log, with the retractions of alerts in it, which no index of alerts leads to. */
async function withRetractions(
  store: Pick<LogStore, "retractionsAfter">,
  events: readonly LogEvent[],
  after: number,
  upTo: number,
): Promise<{ events: readonly LogEvent[]; reached: number }> {
  const found = await store.retractionsAfter(after, REPLAY_EVENTS);
  const isAll = found.length < REPLAY_EVENTS;
  const reached = isAll ? upTo : Math.min(upTo, found.at(-1)?.retract.seq ?? upTo);
  const ofAlerts = found.flatMap(({ retract, undone }) => (undone?.feed === "app" ? [retract] : []));
  if (isAll && ofAlerts.length === 0) return { events, reached };
  const within = [...events, ...ofAlerts].filter(({ seq }) => seq <= reached);
  return { events: within.sort((a, b) => a.seq - b.seq), reached };
}

const NO_PAGE: LogPage = { events: [], hasMore: false, reached: null };
const EVERYTHING_KEY = filterKey(EVERYTHING);
const FEEDS_OF = { alerts: ["app", "push"], trades: ["chain"] } as const;

/** Reads of one kind, one per turn of the event loop, in order of arrival. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.then(nextTurn, nextTurn);
    return mine;
  };
}
