// Asks Redis to run a script, within a deadline. While Redis does not answer, no request waits for it: the answer is null,
// and it is tried again after a pause.
import type { Kit } from "../../../kit/kit.ts";
import { createRedisLink } from "../../bus/redis-link.ts";
import type { RedisScript } from "./rate-scripts.ts";

export interface SharedScripts {
  /** Null when Redis is down. */
  ask(
    script: RedisScript,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown[] | null>;
  isAway(): boolean;
  close(): void;
}

/** A healthy Redis answers in well under a millisecond; past this the request continues without it. */
const DEADLINE_MS = 100;
/** After a failure, how long a node counts on its own before it asks again. */
const AWAY_MS = 1_000;

export interface SharedScriptsParts extends Pick<Kit, "clock" | "log"> {
  url: string;
  /** How long a request waits for Redis; tests that count exactly wait longer, as they share a machine with others. */
  deadlineMs?: number;
}

export function createSharedScripts(parts: SharedScriptsParts): SharedScripts {
  const { url, clock, log, deadlineMs = DEADLINE_MS } = parts;
  const redis = createRedisLink({ url, clock, answerMs: deadlineMs });
  let awayUntil = Number.NEGATIVE_INFINITY;
  let away = false;
  return {
    async ask(script, keys, values) {
      if (clock.now() < awayUntil) return null;
      const rest = [String(keys.length), ...keys, ...values.map(String)];
      try {
        await redis.connect();
        const answer = await redis.send("EVALSHA", [script.sha, ...rest]).catch((error: unknown) => {
          if (!String(error).includes("NOSCRIPT")) throw error;
          return redis.send("EVAL", [script.text, ...rest]);
        });
        if (away) log.info("rate limits are shared again");
        away = false;
        // A call sent before the failure: while limits are reported as shared, it must not be counted locally.
        awayUntil = Number.NEGATIVE_INFINITY;
        return answer as unknown[];
      } catch (error) {
        awayUntil = clock.now() + AWAY_MS;
        if (!away) log.warn("rate limits are local to this node", { error });
        away = true;
        return null;
      }
    },
    isAway: () => away,
    close: redis.drop,
  };
}
