// A Redis connection that is made again whenever it breaks, with growing pauses, until it is stopped. Every wait for
// an answer has an end, so a server that has gone silent is a broken connection too.
import { RedisClient } from "bun";
import type { Clock } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";

export type Send = (command: string, args: string[], waitMs?: number) => Promise<unknown>;

export interface LinkParts {
  url: string;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  /** Uses the connection until it rejects or the signal aborts. */
  work: (send: Send, up: () => void) => Promise<void>;
  down: (error: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 2_000;
// From "at once" to "not often": a restarted Redis is found within two seconds, a missing one is asked rarely.
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export async function keepLink({ url, clock, random, signal, work, down }: LinkParts): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const client = new RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: CONNECT_TIMEOUT_MS,
    });
    const abort = () => client.close();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await within(client.connect(), CONNECT_TIMEOUT_MS);
      const send: Send = (command, args, waitMs = 0) =>
        within(client.send(command, args), waitMs + ANSWER_TIMEOUT_MS);
      await work(send, () => {
        pauseMs = FIRST_PAUSE_MS;
      });
    } catch (error) {
      if (!signal.aborted) down(error);
    } finally {
      signal.removeEventListener("abort", abort);
      client.close();
    }
    // A random half, so that nodes which lost Redis together do not return together.
    await clock.sleep(pauseMs * (0.5 + random.next() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer in ${timeoutMs} ms.`)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
