// For tests: a platform over a real connection, with the remote adapter in front and control over the server's faults.

import { type Clock, systemClock } from "../../kit/clock.ts";
import { createLog, type Log } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import type { Platform } from "../../protocol/protocol.ts";
import type { PlatformServer } from "../../protocol/server/serve.ts";
import type { SimulatorOptions } from "../../simulator/open.ts";
import { serveSimulator } from "../../simulator/server/serve.ts";
import type { Upstream } from "./port.ts";
import { type RemoteOptions, remoteUpstream } from "./remote.ts";

export const silentLog: Log = createLog("silent", () => 0);

/** Small enough to open in a moment, busy enough that its feeds move while a test waits. */
export function smallWorld(clock: Clock): SimulatorOptions {
  return { seed: "upstream", eventsPerSecond: 50, dataFolder: null, clock, traders: 400, historyDays: 6 };
}

export interface Served {
  upstream: Upstream;
  server: PlatformServer;
  misbehave(...faults: Record<string, unknown>[]): Promise<void>;
  /** How often each route was requested, in the protocol's own spelling. */
  requests(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function serveForTest(
  platform: Platform,
  options: Partial<RemoteOptions> = {},
): Promise<Served> {
  const server = await serveSimulator({
    platform,
    host: "127.0.0.1",
    port: 0,
    log: silentLog,
    clock: systemClock(),
  });
  const upstream = remoteUpstream({
    baseUrl: server.url,
    clock: systemClock(),
    log: silentLog,
    random: seededRandom("served"),
    ...options,
  });
  const admin = async (method: string, body?: string) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${server.url}/admin/faults`, {
      method,
      headers,
      ...(body ? { body } : {}),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { requests: { routes: Record<string, number> } };
  };
  return {
    upstream,
    server,
    misbehave: async (...faults) => void (await admin("POST", JSON.stringify({ faults }))),
    requests: async () => (await admin("GET")).requests.routes,
    stop: async () => {
      await upstream.close();
      await server.stop();
    },
  };
}

/** A clock that keeps real time, or stands still, and can be pushed ahead. Sleeps take real time. */
export function pushedClock(
  moves: "by itself" | "when pushed",
): Clock & { push(milliseconds: number): void } {
  const real = systemClock();
  const startedAt = real.now();
  let aheadMs = 0;
  return {
    now: () => (moves === "by itself" ? real.now() : startedAt) + aheadMs,
    sleep: real.sleep,
    push: (milliseconds) => {
      aheadMs += milliseconds;
    },
  };
}
