// Tabs that follow the same feed share one socket, and lose nothing when the tab that has it closes.
import { expect, test } from "bun:test";
import type { FeedOptions, FeedView, TapeEvent } from "./feed.ts";
import { openSharedFeed, type TabsOfBrowser } from "./shared-feed.ts";

const VIEW = { state: "live", epoch: "e", seq: 1 } as FeedView;
const event = (seq: number) => ({ seq, ts: seq }) as TapeEvent;
const settled = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

/** A browser with one lock and one channel, and a clock that the test controls. */
function browser() {
  type Waiting = { grant: () => void; lose: () => void };
  let holder: Waiting | null = null;
  const queue: Waiting[] = [];
  const channels = new Set<ReturnType<TabsOfBrowser["channel"]>>();
  const sockets: { options: FeedOptions; isOpen: boolean }[] = [];
  const timers = new Set<() => void>();
  let at = 0;
  const tabs: TabsOfBrowser = {
    channel() {
      const own: ReturnType<TabsOfBrowser["channel"]> = {
        onmessage: null,
        postMessage: (data) => {
          for (const other of channels) if (other !== own) other.onmessage?.({ data });
        },
        close: () => void channels.delete(own),
      };
      channels.add(own);
      return own;
    },
    lock: (_name, { steal, signal }, hold) =>
      new Promise((resolve, reject) => {
        const own: Waiting = {
          grant: () => {
            holder = own;
            void hold().then(() => {
              if (holder !== own) return;
              holder = null;
              queue.shift()?.grant();
              resolve();
            });
          },
          lose: () => reject(new Error("taken")),
        };
        signal?.addEventListener("abort", () => {
          const place = queue.indexOf(own);
          if (place >= 0) queue.splice(place, 1);
          if (place >= 0) reject(new Error("stopped"));
        });
        if (steal) {
          const before: Waiting | null = holder;
          own.grant();
          before?.lose();
        } else if (holder === null) own.grant();
        else queue.push(own);
      }),
    open(options) {
      const socket = { options, isOpen: true };
      sockets.push(socket);
      return {
        drop: () => {},
        stop() {
          socket.isOpen = false;
        },
      };
    },
    now: () => at,
    every(_milliseconds, run) {
      timers.add(run);
      return () => timers.delete(run);
    },
  };
  const tab = () => {
    const seen: number[] = [];
    const undone: string[] = [];
    const views: string[] = [];
    const feed = openSharedFeed(
      {
        filter: {},
        mode: "open",
        onEvent: ({ seq }) => seen.push(seq),
        onRetract: (eventId) => undone.push(eventId),
        onView: ({ state }) => views.push(state),
      },
      tabs,
    );
    return { seen, undone, views, feed };
  };
  const pass = (milliseconds: number) => {
    at += milliseconds;
    for (const run of timers) run();
  };
  return { tab, sockets, pass, open: () => sockets.filter(({ isOpen }) => isOpen) };
}

test("three tabs have one socket and see the same; when its tab closes another continues after the last event", async () => {
  const { tab, sockets, open } = browser();
  const [first, second, third] = [tab(), tab(), tab()];
  expect(open().length).toBe(1);
  sockets[0]?.options.onView(VIEW);
  sockets[0]?.options.onEvent?.(event(5));
  sockets[0]?.options.onRetract?.("five");
  for (const { seen, undone, views } of [first, second, third]) {
    expect([seen, undone]).toEqual([[5], ["five"]]);
    expect(views).toEqual(["live"]);
  }
  const late = tab();
  expect(late.views).toEqual(["live"]);
  first.feed.stop();
  await settled();
  expect(open().length).toBe(1);
  expect(sockets[1]?.options.resume).toMatchObject({ epoch: "e", seq: 5 });
  sockets[1]?.options.onEvent?.(event(6));
  expect([first.seen, second.seen, third.seen, late.seen]).toEqual([[5], [5, 6], [5, 6], [6]]);
  third.feed.stop();
  second.feed.stop();
  late.feed.stop();
  await settled();
  expect(open().length).toBe(0);
});

test("a tab that receives nothing for a minute connects itself, and the silent one listens again", async () => {
  const { tab, sockets, pass, open } = browser();
  const [frozen, other] = [tab(), tab()];
  sockets[0]?.options.onView(VIEW);
  pass(30_000);
  expect(sockets.length).toBe(1);
  pass(40_000);
  await settled();
  expect(open().length).toBe(1);
  expect(sockets[0]?.isOpen).toBe(false);
  sockets[1]?.options.onView(VIEW);
  sockets[1]?.options.onEvent?.(event(7));
  // Further messages from the old one reach no one.
  sockets[0]?.options.onEvent?.(event(99));
  expect([frozen.seen, other.seen]).toEqual([[7], [7]]);
});
