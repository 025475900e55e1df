// The simulator as a standalone program: opens the world, serves it until a stop signal, then closes both in order, so that
// nothing anyone saw is lost.
import type { Log } from "../../kit/log.ts";
import { openSimulator, type SimulatorOptions } from "../open.ts";
import { serveSimulator } from "./serve.ts";

export interface RunSimulatorOptions extends SimulatorOptions {
  host: string;
  port: number;
  adminToken?: string;
  log: Log;
  /** Aborting it stops the program. */
  signal: AbortSignal;
  /** Called once it is listening. */
  onListening?: (url: string) => void;
}

export async function runSimulator(options: RunSimulatorOptions): Promise<void> {
  const { host, port, adminToken, clock, log, signal } = options;
  // Pass all of them: a world is identified by its settings, so leaving one out here would make another world.
  const platform = await openSimulator(options);
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
