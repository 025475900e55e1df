// Listens to a platform server for hints that a feed moved. One socket for all listeners, reopened after a growing, jittered
// pause when it closes, stays silent for too long or sends malformed messages; plus a steady local hint, so that a server
// that never sends any costs only freshness.
import type { Kit } from "../../kit/kit.ts";
import { createLoop, LOOP_DONE, type Loop, runLoop } from "../../kit/loop.ts";
import { FEEDS, type FeedName } from "../../protocol/shapes/event.ts";

/** Feeds are read at least this often, whatever the socket says. */
const POLL_MS = 1_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 15_000;
/** The protocol repeats every hint every ten seconds: three missed ones mean a dead connection. */
const QUIET_MS_MAX = 30_000;
/** A hint is about 40 characters; a longer message is not one. */
const HINT_LENGTH_MAX = 1_024;

/** Bun's, which accepts headers and can be terminated; the DOM types hide it. */
const BunWebSocket = WebSocket as unknown as new (
  url: string,
  options: Bun.WebSocketOptions,
) => Bun.WebSocket;

interface HintsParts extends Pick<Kit, "clock" | "log" | "random"> {
  url(): string;
  headers: Record<string, string>;
  pollMs?: number;
}

interface Hints {
  watch(onMove: (feed: FeedName) => void): () => void;
  close(): void;
}

export function createFeedHints(parts: HintsParts): Hints {
  const { clock, random, log } = parts;
  const listeners = new Set<(feed: FeedName) => void>();
  let running: Loop[] = [];

  const tell = (feed: FeedName) => {
    for (const listener of listeners) listener(feed);
  };
  const poll = () =>
    createLoop({
      failure: "a listener to feed hints failed",
      everyMs: parts.pollMs ?? POLL_MS,
      clock,
      log,
      round: () => {
        for (const feed of FEEDS) tell(feed);
      },
    });
  const listen = () =>
    createLoop({
      failure: () => log.debug("upstream hints are not connected; polling meanwhile"),
      backoff: { firstMs: FIRST_PAUSE_MS, msMax: PAUSE_MS_MAX, random },
      clock,
      log,
      async round(signal, works) {
        if (await oneConnection(parts, signal, tell)) works();
        throw new Error("the connection ended");
      },
    });
  const stop = () => {
    for (const loop of running) void loop.stop();
    running = [];
  };
  return {
    watch: (onMove) => {
      // A new wrapper each time, so that one function may watch twice.
      const listener = (feed: FeedName) => onMove(feed);
      listeners.add(listener);
      if (running.length === 0) {
        running = [poll(), listen()];
        for (const loop of running) loop.start();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close: () => {
      listeners.clear();
      stop();
    },
  };
}

/** Resolves when the connection ends, to whether any hint arrived on it. */
function oneConnection(
  { url, headers, clock, log }: HintsParts,
  signal: AbortSignal,
  tell: (feed: FeedName) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const over = new AbortController();
    let heardAt: number | undefined;
    const socket = new BunWebSocket(url(), { headers });
    const finish = () => {
      if (over.signal.aborted) return;
      over.abort();
      signal.removeEventListener("abort", finish);
      socket.terminate();
      resolve(heardAt !== undefined);
    };
    socket.onmessage = ({ data }) => {
      const feed = readHint(data);
      if (!feed) return finish();
      heardAt = clock.now();
      tell(feed);
    };
    socket.onclose = finish;
    socket.onerror = finish;
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) return finish();
    const openedAt = clock.now();
    void runLoop(
      {
        failure: "the guard of the feed hints failed",
        clock,
        log,
        round() {
          const quietMs = clock.now() - (heardAt ?? openedAt);
          if (quietMs < QUIET_MS_MAX) return QUIET_MS_MAX - quietMs;
          finish();
          return LOOP_DONE;
        },
      },
      over.signal,
    );
  });
}

function readHint(data: unknown): FeedName | undefined {
  if (typeof data !== "string" || data.length > HINT_LENGTH_MAX) return undefined;
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null || !("feed" in message)) return undefined;
    return FEEDS.find((feed) => feed === message.feed);
  } catch {
    return undefined;
  }
}
