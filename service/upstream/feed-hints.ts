// Hears from a platform server that a feed moved. One socket for all listeners, opened again after a growing, jittered
// pause when it closes, when it says nothing for too long or talks out of form; and a steady hint of its own, so that a
// server which says nothing at all costs freshness only.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Random } from "../../kit/random.ts";
import { FEEDS, type Feed } from "../model/event.ts";

/** Feeds are read at least this often, whatever the socket says. */
const POLL_MS = 1_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** The protocol repeats every hint each ten seconds: three of those missed is a dead connection. */
const LONGEST_QUIET_MS = 30_000;
/** A hint is some 40 characters; a longer message is not one. */
const MAX_HINT_LENGTH = 1_024;

/** Bun's, which takes headers and can be cut; the DOM types hide it. */
const BunWebSocket = WebSocket as unknown as new (
  url: string,
  options: Bun.WebSocketOptions,
) => Bun.WebSocket;

interface HintsOptions {
  url: string;
  headers: Record<string, string>;
  clock: Clock;
  random: Random;
  log: Log;
  pollMs?: number;
}

interface Hints {
  watch(onMove: (feed: Feed) => void): () => void;
  close(): void;
}

export function createFeedHints(options: HintsOptions): Hints {
  const { clock, random, log } = options;
  const listeners = new Set<(feed: Feed) => void>();
  let running: AbortController | undefined;

  const tell = (feed: Feed) => {
    for (const listener of listeners) listener(feed);
  };
  const poll = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      for (const feed of FEEDS) tell(feed);
      await clock.sleep(options.pollMs ?? POLL_MS, signal);
    }
  };
  const listen = async (signal: AbortSignal) => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const heard = await oneConnection(options, signal, tell);
      if (heard) pauseMs = FIRST_PAUSE_MS;
      if (signal.aborted) return;
      log.debug("upstream hints are not connected; polling meanwhile", { pauseMs });
      await clock.sleep(pauseMs * (0.5 + random.next() / 2), signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  const stop = () => {
    running?.abort();
    running = undefined;
  };
  return {
    watch: (onMove) => {
      // A listener of its own each time, so that one function may watch twice.
      const listener = (feed: Feed) => onMove(feed);
      listeners.add(listener);
      if (!running) {
        running = new AbortController();
        void poll(running.signal);
        void listen(running.signal);
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

/** Resolves when the connection is over: whether it was ever of use. */
function oneConnection(
  { url, headers, clock }: HintsOptions,
  signal: AbortSignal,
  tell: (feed: Feed) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const over = new AbortController();
    let heardAt: number | undefined;
    const socket = new BunWebSocket(url, { headers });
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
    const guard = async () => {
      const openedAt = clock.now();
      while (!over.signal.aborted) {
        const quietMs = clock.now() - (heardAt ?? openedAt);
        if (quietMs >= LONGEST_QUIET_MS) return finish();
        await clock.sleep(LONGEST_QUIET_MS - quietMs, over.signal);
      }
    };
    void guard();
  });
}

function readHint(data: unknown): Feed | undefined {
  if (typeof data !== "string" || data.length > MAX_HINT_LENGTH) return undefined;
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null || !("feed" in message)) return undefined;
    return FEEDS.find((feed) => feed === message.feed);
  } catch {
    return undefined;
  }
}
