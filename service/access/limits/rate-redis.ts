// Rate windows, socket counts and requests under way that all nodes share, one script and one round trip for each question,
// on Redis's own clock. While Redis is away each node counts for itself and says that it is degraded.
import { RedisClient } from "bun";
import type { Clock } from "../../../kit/clock.ts";
import { freshUuid } from "../../../kit/ids.ts";
import type { Log } from "../../../kit/log.ts";
import { type RateLimiter, type RateVerdict, WINDOW_MS } from "./rate.ts";
import { createMemoryRate } from "./rate-memory.ts";
import { OPEN_SOCKET, type Script, SET_COUNT, TAKE } from "./rate-scripts.ts";

/** A healthy Redis answers in well under a millisecond; past this the request goes on without it. */
const DEADLINE_MS = 100;
/** After a failure, how long a node counts for itself before it asks again. */
const AWAY_MS = 1_000;
/** A node that died keeps its sockets counted for this long; living ones renew theirs three times as often. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** What a node said of its requests under way holds for so long; one that died is forgotten after it. */
const FLIGHT_LEASE_MS = 5_000;
/** Requests that have ended are told together: the others may think so much longer that they are under way. */
const LEFT_EVERY_MS = 250;

export interface RedisRateParts {
  url: string;
  clock: Clock;
  log: Log;
  /** Tests move time by hand; otherwise Redis's clock counts, because nodes' clocks differ. */
  now?: () => number;
}

export function createRedisRate({ url, clock, log, now }: RedisRateParts): RateLimiter {
  const redis = new RedisClient(url, { enableOfflineQueue: false, connectionTimeout: 2_000 });
  const own = createMemoryRate(clock);
  const nodeId = freshUuid();
  /** This node's sockets by subject: what it renews, and what it puts back after Redis lost everything. */
  const sockets = new Map<string, number>();
  let awayUntil = Number.NEGATIVE_INFINITY;
  let away = false;
  const time = () => (now ? String(now()) : "");

  /** What the others were told last, where that is more than one, and how it is now. */
  const flights = new Map<string, { told: number; here: number; toldAt: number }>();
  const flightKey = (subject: string) => `crowdtape:flight:${subject}`;

  const ask = async (
    script: Script,
    keys: readonly string[],
    values: (string | number)[],
  ): Promise<number[] | null> => {
    if (clock.now() < awayUntil) return null;
    const rest = [String(keys.length), ...keys, ...values.map(String)];
    try {
      if (!redis.connected) await inTime(redis.connect());
      const answer = await inTime(
        redis.send("EVALSHA", [script.sha, ...rest]).catch((problem: unknown) => {
          if (!String(problem).includes("NOSCRIPT")) throw problem;
          return redis.send("EVAL", [script.text, ...rest]);
        }),
      );
      if (away) log.info("rate limits are shared again");
      away = false;
      return (answer as unknown[]).map(Number);
    } catch (problem) {
      awayUntil = clock.now() + AWAY_MS;
      if (!away) log.warn("rate limits count on this node alone", { problem });
      away = true;
      return null;
    }
  };

  const keep = (subject: string, count: number) => {
    if (count > 0) sockets.set(subject, count);
    else sockets.delete(subject);
    return ask(SET_COUNT, [`crowdtape:sockets:${subject}`], [nodeId, count, LEASE_MS, time()]);
  };
  const tellLeft = () => {
    for (const [subject, flight] of flights) {
      if (flight.here >= flight.told) {
        // Redis has forgotten it by now; one that was refused after all never leaves.
        if (clock.now() - flight.toldAt > FLIGHT_LEASE_MS) flights.delete(subject);
        continue;
      }
      flight.told = flight.here;
      flight.toldAt = clock.now();
      if (flight.here === 0) flights.delete(subject);
      void ask(SET_COUNT, [flightKey(subject)], [nodeId, flight.here, FLIGHT_LEASE_MS, time()]);
    }
  };
  const telling = setInterval(tellLeft, LEFT_EVERY_MS);
  telling.unref();
  const renewal = setInterval(() => {
    for (const [subject, count] of sockets) void keep(subject, count);
  }, RENEW_EVERY_MS);
  renewal.unref();

  return {
    async take(subject, limit, cost = 1, { here, max } = NO_FLIGHT): Promise<RateVerdict> {
      if (here > 1) flights.set(subject, { told: here, here, toldAt: clock.now() });
      const answer = await ask(
        TAKE,
        [`crowdtape:rate:${subject}`, flightKey(subject)],
        [limit, WINDOW_MS, cost, time(), nodeId, here, max, FLIGHT_LEASE_MS],
      );
      if (!answer) return own.take(subject, limit, cost);
      const [allowed = 0, remaining = 0, resetMs = 0, crowded = 0] = answer;
      const verdict = { allowed: allowed === 1, limit, remaining, resetMs };
      return crowded === 1 ? { ...verdict, crowded: true } : verdict;
    },
    left(subject, here) {
      const flight = flights.get(subject);
      if (flight) flight.here = here;
    },
    async openSocket(subject, limit) {
      const key = `crowdtape:sockets:${subject}`;
      const answer = await ask(OPEN_SOCKET, [key], [nodeId, limit, LEASE_MS, time()]);
      const mine = sockets.get(subject) ?? 0;
      if (answer ? answer[0] !== 1 : mine >= limit) return false;
      sockets.set(subject, (sockets.get(subject) ?? 0) + 1);
      return true;
    },
    closeSocket(subject) {
      const open = sockets.get(subject) ?? 0;
      if (open > 0) void keep(subject, open - 1);
    },
    degraded: () => away,
    async close() {
      clearInterval(renewal);
      clearInterval(telling);
      for (const flight of flights.values()) flight.here = 0;
      tellLeft();
      await Promise.all([...sockets.keys()].map((subject) => keep(subject, 0)));
      redis.close();
    },
  };
}

/** For whom nobody counts. */
const NO_FLIGHT = { here: 0, max: 0 };

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Redis did not answer in time.")), DEADLINE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
