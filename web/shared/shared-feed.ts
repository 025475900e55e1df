// One socket for all tabs that follow the same feed: the tab that holds the browser's lock connects and passes on what it
// reads, the others listen. When it closes, the next one continues after the last event it saw. Browsers without locks or
// channels use one socket per tab.
import type { StreamPosition } from "../../client/src/stream/position.ts";
import { SECOND_MS } from "../../kit/units.ts";
import { keyOfTab } from "./api.ts";
import { now } from "./clock.ts";
import { type Feed, type FeedOptions, type FeedView, openFeed, type TapeEvent } from "./feed.ts";

type Passed =
  | { kind: "event"; event: TapeEvent }
  | { kind: "retract"; eventId: string }
  | { kind: "gap"; words: string }
  | { kind: "view"; view: FeedView }
  /** A newly opened tab asks for the feed's state. */
  | { kind: "hello" };

interface TabChannel {
  postMessage(message: Passed): void;
  onmessage: ((message: { data: Passed }) => void) | null;
  close(): void;
}

/** The browser APIs in use; a test has its own. */
export interface TabsOfBrowser {
  channel(name: string): TabChannel;
  /** Runs `hold` once no other tab does; rejects when another tab steals the lock. */
  lock(
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void>;
  open(options: FeedOptions): Feed;
  now(): number;
  every(milliseconds: number, run: () => void): () => void;
}

/** A heartbeat comes every 20 s and is passed on: a tab that misses three connects itself, since the other tab may be frozen. */
const SILENT_MS_MAX = 65 * SECOND_MS;
const LOOK_EVERY_MS = 10 * SECOND_MS;

export function openSharedFeed(options: FeedOptions, tabs: TabsOfBrowser | null = ofBrowser()): Feed {
  if (tabs === null) return openFeed(options);
  const name = `crowdtape-feed ${nameOf(options)}`;
  const channel = tabs.channel(name);
  const stopping = new AbortController();
  let own: Feed | null = null;
  let letGo: () => void = () => {};
  let view: FeedView | null = null;
  let position: StreamPosition | null = null;
  let heardAt = tabs.now();

  const apply = (passed: Passed) => {
    heardAt = tabs.now();
    if (passed.kind === "gap") return options.onGap?.(passed.words);
    if (passed.kind === "retract") return options.onRetract?.(passed.eventId);
    if (passed.kind === "view") {
      view = passed.view;
      return options.onView(passed.view);
    }
    if (passed.kind !== "event") return;
    const { seq, ts } = passed.event;
    if (view?.epoch) position = { epoch: view.epoch, seq: Math.max(position?.seq ?? 0, seq), ts };
    options.onEvent?.(passed.event);
  };
  channel.onmessage = ({ data }) => {
    if (data.kind === "hello") {
      if (own && view) channel.postMessage({ kind: "view", view });
    } else if (own === null) apply(data);
  };

  const connect = () => {
    let isOver = false;
    const both = (passed: Passed) => {
      if (isOver) return;
      apply(passed);
      channel.postMessage(passed);
    };
    const feed = tabs.open({
      ...options,
      ...(position ? { resume: position } : {}),
      onEvent: (event) => both({ kind: "event", event }),
      onRetract: (eventId) => both({ kind: "retract", eventId }),
      onGap: (words) => both({ kind: "gap", words }),
      onView: (next) => both({ kind: "view", view: next }),
    });
    own = {
      drop: () => feed.drop(),
      stop() {
        isOver = true;
        own = null;
        feed.stop();
      },
    };
  };

  const lead = (how: { steal: true } | { signal: AbortSignal }): void => {
    const held = tabs.lock(name, how, () => {
      if (stopping.signal.aborted) return Promise.resolve();
      connect();
      return new Promise((resolve) => {
        letGo = resolve;
      });
    });
    held.catch(() => {
      // The lock was stolen: this tab's events now come from the tab that has it.
      own?.stop();
      if (!stopping.signal.aborted) lead({ signal: stopping.signal });
    });
  };

  lead({ signal: stopping.signal });
  channel.postMessage({ kind: "hello" });
  const stopLooking = tabs.every(LOOK_EVERY_MS, () => {
    if (own !== null || tabs.now() - heardAt < SILENT_MS_MAX) return;
    heardAt = tabs.now();
    lead({ steal: true });
  });
  return {
    drop: () => own?.drop(),
    stop() {
      stopping.abort();
      stopLooking();
      own?.stop();
      letGo();
      channel.close();
      if (view) options.onView({ ...view, state: "stopped" });
    },
  };
}

/** Tabs share a feed only if they would have requested it with the same credentials. */
function nameOf({ stream = "alerts", filter, mode }: FeedOptions): string {
  const asked = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([stream, mode, keyOfTab(), asked]);
}

function ofBrowser(): TabsOfBrowser | null {
  if (typeof BroadcastChannel === "undefined" || !navigator.locks) return null;
  return {
    channel: (name) => new BroadcastChannel(name) as unknown as TabChannel,
    lock: async (name, options, hold) => void (await navigator.locks.request(name, options, hold)),
    open: openFeed,
    now,
    every(milliseconds, run) {
      const timer = setInterval(run, milliseconds);
      return () => clearInterval(timer);
    },
  };
}
