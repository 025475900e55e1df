// Tells connected readers how far each feed has come. It is a hint and never the data: hints about one feed are
// merged so that at most one goes out in each interval, and all are repeated now and then so that silence means trouble.
import type { Server, WebSocketHandler } from "bun";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { FeedName, Platform, PlatformApi } from "../../protocol/protocol.ts";

const FEEDS: readonly FeedName[] = ["app", "push", "chain"];
const TOPIC = "live";
/** 200 hints a second is more than a reader's round trips could use, and costs nothing to send. */
const LEAST_INTERVAL_MS = 5;
/** A reader that hears nothing for three of these may take the connection for dead. */
const LIVE_BEAT_MS = 10_000;
export const MAX_LIVE_SOCKETS = 1_000;
/** A hint is 40 bytes; whoever leaves this much unread is gone. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Readers have nothing to say. */
const MAX_MESSAGE_BYTES = 1_024;

interface Live {
  websocket: WebSocketHandler<undefined>;
  sockets(): number;
  start(server: Server<undefined>): void;
  stop(): void;
}

export function createLive(platform: Platform, clock: Clock, log: Log, isSilent: () => boolean): Live {
  const stopped = new AbortController();
  const resting = new Set<FeedName>();
  const waiting = new Set<FeedName>();
  let sockets = 0;
  let stopListening = () => {};
  let publish = (_text: string) => {};

  const tell = (feed: FeedName) => {
    if (sockets > 0 && !isSilent()) publish(hint(platform.api, feed));
  };
  const moved = async (feed: FeedName) => {
    if (resting.has(feed)) {
      waiting.add(feed);
      return;
    }
    resting.add(feed);
    try {
      do {
        waiting.delete(feed);
        tell(feed);
        await clock.sleep(LEAST_INTERVAL_MS, stopped.signal);
      } while (waiting.has(feed) && !stopped.signal.aborted);
    } finally {
      resting.delete(feed);
    }
  };
  const beat = async () => {
    while (!stopped.signal.aborted) {
      await clock.sleep(LIVE_BEAT_MS, stopped.signal);
      if (!stopped.signal.aborted) for (const feed of FEEDS) tell(feed);
    }
  };

  return {
    websocket: {
      maxPayloadLength: MAX_MESSAGE_BYTES,
      backpressureLimit: MAX_UNREAD_BYTES,
      closeOnBackpressureLimit: true,
      open: (socket) => {
        sockets += 1;
        socket.subscribe(TOPIC);
        if (!isSilent()) for (const feed of FEEDS) socket.send(hint(platform.api, feed));
      },
      close: () => {
        sockets -= 1;
      },
      message: () => {},
    },
    sockets: () => sockets,
    start: (server) => {
      publish = (text) => void server.publish(TOPIC, text);
      stopListening = platform.onMove((feed) => {
        moved(feed).catch((error) => log.error("a hint could not be told", { feed, error }));
      });
      beat().catch((error) => log.error("hints are not repeated any more", { error }));
    },
    stop: () => {
      stopListening();
      stopped.abort();
    },
  };
}

function hint(api: PlatformApi, feed: FeedName): string {
  return JSON.stringify({ feed, newest: newest(api, feed) });
}

function newest(api: PlatformApi, feed: FeedName): number {
  const beyondAll = Number.MAX_SAFE_INTEGER;
  if (feed === "app") return api.appFeed(beyondAll, 1).newest;
  return feed === "push" ? api.pushFeed(beyondAll, 1).newest : api.chainFeed(beyondAll, 1).newest;
}
