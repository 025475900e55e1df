// Asks Redis to run a script, within a deadline. While Redis does not answer, nobody waits for it: the answer is null, and
// it is tried again after a pause.
import { RedisClient } from "bun";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import type { Script } from "./rate-scripts.ts";

export interface RedisLink {
  /** Null when Redis is away. */
  ask(
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown[] | null>;
  isAway(): boolean;
  close(): void;
}

/** A healthy Redis answers in well under a millisecond; past this the request goes on without it. */
const DEADLINE_MS = 100;
/** After a failure, how long a node counts for itself before it asks again. */
const AWAY_MS = 1_000;

export interface RedisLinkParts {
  url: string;
  clock: Clock;
  log: Log;
  /** How long a request waits for Redis; tests that count exactly wait longer, as they share a machine with others. */
  deadlineMs?: number;
}

export function createRedisLink(parts: RedisLinkParts): RedisLink {
  const { url, clock, log, deadlineMs = DEADLINE_MS } = parts;
  const redis = new RedisClient(url, { enableOfflineQueue: false, connectionTimeout: 2_000 });
  let awayUntil = Number.NEGATIVE_INFINITY;
  let away = false;
  return {
    async ask(script, keys, values) {
      if (clock.now() < awayUntil) return null;
      const rest = [String(keys.length), ...keys, ...values.map(String)];
      try {
        if (!redis.connected) await inTime(redis.connect(), deadlineMs);
        const answer = await inTime(
          redis.send("EVALSHA", [script.sha, ...rest]).catch((problem: unknown) => {
            if (!String(problem).includes("NOSCRIPT")) throw problem;
            return redis.send("EVAL", [script.text, ...rest]);
          }),
          deadlineMs,
        );
        if (away) log.info("rate limits are shared again");
        away = false;
        return answer as unknown[];
      } catch (problem) {
        awayUntil = clock.now() + AWAY_MS;
        if (!away) log.warn("rate limits count on this node alone", { problem });
        away = true;
        return null;
      }
    },
    isAway: () => away,
    close: () => redis.close(),
  };
}

function inTime<T>(answer: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Redis did not answer in time.")), deadlineMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
