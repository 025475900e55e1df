// This node's one reader of the log for all its webhooks: it follows the end, woken by the bus and by a slow poll, and hands
// each new alert on once. While nobody needs it, it reads nothing.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogStore } from "../store/captured/log.ts";

export interface Follower {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The log moved, or somebody needs it now. */
  wake(): void;
  /** Everything up to here was handed on. */
  newest(): number;
  epoch(): string;
  /** Whether every new event is handed on; else it will jump to the log's end first. */
  isFollowing(): boolean;
}

export interface FollowerParts {
  log: LogStore;
  clock: Clock;
  logger: Log;
  isNeeded(): boolean;
  /** An alert that is news, in the order of the log. */
  onAlert(event: LogEvent): void;
  /** The log was rebuilt: positions are void. */
  onRebuilt(): void;
}

/** About a millisecond of reading. */
const PAGE_EVENTS = 256;
/** A lost hint costs this much freshness and nothing else. */
const POLL_MS = 1_000;

export function createFollower(parts: FollowerParts): Follower {
  const { log, clock, logger, isNeeded, onAlert, onRebuilt } = parts;
  let epoch = "";
  let newest = 0;
  let isResting = true;

  const begin = async () => {
    const head = await log.head();
    const isRebuilt = epoch !== "" && head.epoch !== epoch;
    ({ epoch } = head);
    newest = head.seq;
    if (isRebuilt) onRebuilt();
  };

  const round = async (signal: AbortSignal) => {
    if (!isNeeded()) {
      isResting = true;
      return;
    }
    // Nobody was live meanwhile, so nobody misses what lies in between.
    if (isResting) await begin();
    isResting = false;
    for (let isFull = true; isFull && !signal.aborted; ) {
      const page = await log.readAfter(newest, { limit: PAGE_EVENTS });
      for (const event of page) {
        newest = event.seq;
        if (isAlertNews(event)) onAlert(event);
      }
      isFull = page.length === PAGE_EVENTS;
      if (isFull) await nextTurn();
    }
    if ((await log.head()).epoch !== epoch) {
      logger.warn("the log was rebuilt; webhooks go on from its end");
      await begin();
    }
  };

  const loop = createLoop({
    failure: "webhooks could not read the log",
    everyMs: POLL_MS,
    clock,
    log: logger,
    round,
  });
  return {
    async start() {
      await begin();
      loop.start();
    },
    stop: loop.stop,
    wake: loop.wake,
    newest: () => newest,
    epoch: () => epoch,
    isFollowing: () => !isResting,
  };
}

/** What had happened before the log began is sent to nobody as news. */
export function isAlertNews(event: LogEvent): boolean {
  return event.feed !== "chain" && event.isHistory !== true;
}
