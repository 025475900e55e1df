// Notifies connected readers of each feed's newest position. It is a hint and never the data: hints about one feed are
// merged so that at most one is sent per interval, and all are repeated periodically so that silence means trouble.
import type { Server, ServerWebSocket, WebSocketHandler } from "bun";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import { KIB } from "../../kit/units.ts";
import { type Platform, type PlatformApi, UNSUPPORTED } from "../platform.ts";
import { FEEDS, type FeedName } from "../shapes/event.ts";

const TOPIC = "live";
/** 200 hints a second is more than a reader's round trips could use, and costs nothing to send. */
const INTERVAL_MS_MIN = 5;
/** A reader that receives nothing for three of these may consider the connection dead. */
const LIVE_BEAT_MS = 10_000;
export const LIVE_SOCKETS_MAX = 1_000;
/** A hint is 40 bytes; a reader that leaves this much unread is considered gone. */
const UNREAD_BYTES_MAX = 64 * KIB;
/** Readers send nothing. */
const MESSAGE_BYTES_MAX = 1_024;

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

  const tell = async (feed: FeedName) => {
    if (sockets === 0 || isSilent()) return;
    const text = await hint(platform.api, feed);
    if (text !== null) publish(text);
  };
  const greet = async (socket: ServerWebSocket<undefined>) => {
    if (isSilent()) return;
    for (const feed of FEEDS) {
      const text = await hint(platform.api, feed);
      if (text !== null) socket.send(text);
    }
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
        await tell(feed);
        await clock.sleep(INTERVAL_MS_MIN, stopped.signal);
      } while (waiting.has(feed) && !stopped.signal.aborted);
    } finally {
      resting.delete(feed);
    }
  };
  const beat = createLoop({
    failure: "hints were not repeated",
    everyMs: LIVE_BEAT_MS,
    first: "later",
    clock,
    log,
    async round() {
      for (const feed of FEEDS) await tell(feed);
    },
  });

  return {
    websocket: {
      maxPayloadLength: MESSAGE_BYTES_MAX,
      backpressureLimit: UNREAD_BYTES_MAX,
      closeOnBackpressureLimit: true,
      open: (socket) => {
        sockets += 1;
        socket.subscribe(TOPIC);
        greet(socket).catch((error) => log.error("a reader could not be greeted", { error }));
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
        moved(feed).catch((error) => log.error("a hint was not sent", { feed, error }));
      });
      beat.start();
    },
    stop: () => {
      stopListening();
      stopped.abort();
      void beat.stop();
    },
  };
}

async function hint(api: PlatformApi, feed: FeedName): Promise<string | null> {
  const read = { app: api.appFeed, push: api.pushFeed, chain: api.chainFeed }[feed];
  const page = await read?.(Number.MAX_SAFE_INTEGER, 1);
  return page === undefined || page === UNSUPPORTED ? null : JSON.stringify({ feed, newest: page.newest });
}
