// A tape that follows the feed: the socket's frames and the REST feed's last page in one order, drawn at most thirty times a
// second however many arrive, and unchanged while paused.
import { useEffect, useRef, useState } from "preact/hooks";
import type { AlertsAnswer } from "../../client/src/generated.ts";
import { call, canRecover, type Failure, failureOf } from "../shared/api.ts";
import type { Feed, FeedView, TapeEvent } from "../shared/feed.ts";
import { usePage } from "../shared/query.tsx";
import { createRetry } from "../shared/retry.ts";
import { openSharedFeed } from "../shared/shared-feed.ts";
import { pathOf } from "./answers.ts";
import { createTapeStore, type TapeStore } from "./tape-store.ts";

/** Each new row is what costs: with frequent drawing, a busy market's rows come a few at a time and delay no frame. */
const DRAW_EVERY_MS = 33;

interface TapeBounds {
  max?: number;
  first?: number;
}

export interface Tape {
  store: TapeStore;
  /** Grows with each drawing. */
  version: number;
  status: FeedView | null;
  /** Arrived while it was paused. */
  waiting: number;
  paused: boolean;
  setPaused(paused: boolean): void;
  feed: Feed | null;
  /** Whether the REST feed has returned the past, or why it failed; until then an empty tape means nothing. */
  past: "unknown" | "known" | Failure;
}

/** `max` is its limit, `first` how much of the past it begins with. */
export function useTape(filter: Record<string, string>, { max, first: rows }: TapeBounds = {}): Tape {
  const page = usePage();
  const firstPath = alertsPath(filter, rows);
  const [store] = useState(() => {
    const made = createTapeStore(max);
    const first = page.loaded[firstPath];
    if (first && !failureOf(first)) made.add(eventsOf(first.body as AlertsAnswer));
    return made;
  });
  const [version, setVersion] = useState(0);
  const [status, setStatus] = useState<FeedView | null>(null);
  const [paused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const [past, setPast] = useState<Tape["past"]>(() => {
    const first = page.loaded[firstPath];
    return first && !failureOf(first) ? "known" : "unknown";
  });
  const feed = useRef<Feed | null>(null);
  const held = useRef<{ events: TapeEvent[]; paused: boolean; dropped: number }>({
    events: [],
    paused: false,
    dropped: 0,
  });
  const filterKey = JSON.stringify(filter);

  useEffect(() => {
    const limit = max ?? 5_000;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isFirst = true;
    let isGone = false;
    const draw = () => {
      timer = null;
      if (held.current.paused) return setWaiting(held.current.events.length + held.current.dropped);
      store.add(held.current.events);
      held.current.events = [];
      held.current.dropped = 0;
      setWaiting(0);
      setVersion((before) => before + 1);
    };
    const soon = () => {
      timer ??= setTimeout(draw, DRAW_EVERY_MS);
    };
    const take = (events: readonly TapeEvent[]) => {
      held.current.events.push(...events);
      // A tape that is paused for an hour keeps its limit too: the oldest waiting events are dropped.
      const over = held.current.events.length - limit;
      if (over > 0) {
        held.current.events.splice(0, over);
        held.current.dropped += over;
      }
      soon();
    };
    const loadPast = async () => {
      const loaded = await call(firstPath, page.mode);
      if (isGone) return;
      const failure = failureOf(loaded);
      if (failure === null) {
        retry.succeed();
        take(eventsOf(loaded.body as AlertsAnswer));
      } else if (canRecover(failure)) retry.fail(failure.retryAfterSeconds);
      setPast((before) => (failure === null || before === "known" ? "known" : failure));
    };
    const retry = createRetry(() => void loadPast());
    const opened = openSharedFeed({
      filter,
      mode: page.mode,
      onEvent: (event) => take([event]),
      onRetract: (eventId) => {
        store.remove(eventId);
        held.current.events = held.current.events.filter((event) => event.eventId !== eventId);
        soon();
      },
      onGap: (words) => {
        store.gap(words);
        soon();
      },
      onView: (next) => {
        setStatus(next);
        // Events in the log when the socket opened are read from the REST feed; the two overlap, and each event counts once.
        // If the socket is refused, the past can still be shown.
        if (isFirst && next.state !== "connecting" && next.state !== "stopped") {
          isFirst = next.state !== "live";
          void loadPast();
        }
      },
    });
    feed.current = opened;
    return () => {
      if (timer !== null) clearTimeout(timer);
      isGone = true;
      retry.stop();
      opened.stop();
      feed.current = null;
      store.clear();
      held.current.events = [];
      // Knowledge of the past is valid for one filter only.
      setPast("unknown");
    };
  }, [filterKey]);

  return {
    store,
    version,
    status,
    waiting,
    paused,
    past,
    feed: feed.current,
    setPaused(next) {
      held.current.paused = next;
      setPaused(next);
      if (next) return;
      store.add(held.current.events);
      if (held.current.dropped > 0) store.gap(`${held.current.dropped} more came while this was paused.`);
      held.current = { events: [], paused: false, dropped: 0 };
      setWaiting(0);
      setVersion((before) => before + 1);
    },
  };
}

export function alertsPath(filter: Record<string, string>, limit = 100): string {
  return pathOf("/v2/alerts", { limit, ...filter });
}

const eventsOf = (body: AlertsAnswer) => body.alerts as unknown as TapeEvent[];
