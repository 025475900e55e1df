// The simulator as a program of its own: opens the world, serves it until told to stop, then closes both in order, so
// that what was seen is kept.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { openSimulator } from "../open.ts";
import type { Scenario } from "../world/scenarios.ts";
import { serveSimulator } from "./serve.ts";

export interface RunSimulatorOptions {
  seed: string;
  eventsPerSecond: number;
  dataFolder: string | null;
  host: string;
  port: number;
  adminToken?: string;
  scenario?: Scenario;
  clock: Clock;
  log: Log;
  /** Aborting it stops the program. */
  signal: AbortSignal;
  /** Called once it answers. */
  onListening?: (url: string) => void;
}

export async function runSimulator(options: RunSimulatorOptions): Promise<void> {
  const { seed, eventsPerSecond, dataFolder, host, port, adminToken, scenario, clock, log, signal } = options;
  const platform = await openSimulator({
    ...{ seed, eventsPerSecond, dataFolder, clock, log },
    ...(scenario === undefined ? {} : { scenario }),
  });
  try {
    const server = await serveSimulator({
      platform,
      host,
      port,
      clock,
      log,
      ask: platform.ask,
      ...(adminToken === undefined ? {} : { adminToken }),
    });
    log.info("the simulator is served", { url: server.url });
    options.onListening?.(server.url);
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await server.stop();
  } finally {
    await platform.close();
  }
}
