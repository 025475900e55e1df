// A connection to Redis that its user reopens after it broke. Every wait for a reply has a timeout, so a server
// that went silent is a failure like any other.
import { RedisClient } from "bun";
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { within } from "../../kit/timeout.ts";

export interface RedisLink {
  /** Does nothing while connected; callers at the same time share one attempt. */
  connect(): Promise<void>;
  /** Rejects when there is no connection, and when no answer arrives in time; `waitMs` is what the command itself waits. */
  send(command: string, args: readonly string[], waitMs?: number): Promise<unknown>;
  /** Drops the connection; `connect` opens a new one. */
  drop(): void;
}

export interface RedisLinkParts {
  url: string;
  clock: Clock;
  /** How long to wait for a connection or an answer. */
  answerMs?: number;
}

const ANSWER_MS = 2_000;

export function createRedisLink({ url, clock, answerMs = ANSWER_MS }: RedisLinkParts): RedisLink {
  const attempts = createSingleFlight();
  let client: RedisClient | null = null;
  const inTime = <T>(answer: Promise<T>, timeoutMs: number) =>
    within(clock, timeoutMs, answer, () => {
      throw new Error(`Redis did not answer in ${timeoutMs} ms.`);
    });
  const drop = () => {
    client?.close();
    client = null;
  };
  return {
    connect: () =>
      attempts.run("connect", async () => {
        if (client?.connected) return;
        drop();
        client = new RedisClient(url, {
          autoReconnect: false,
          enableOfflineQueue: false,
          connectionTimeout: answerMs,
        });
        await inTime(client.connect(), answerMs);
      }),
    async send(command, args, waitMs = 0) {
      if (!client) throw new Error("Redis is not connected.");
      return await inTime(client.send(command, [...args]), waitMs + answerMs);
    },
    drop,
  };
}
