// The platform that the nodes of bench/scale.ts follow: a small world behind a real wire, in its own process. Prints its URL;
// exits when its stdin ends.

import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { openSimulator } from "../simulator/open.ts";
import { serveSimulator } from "../simulator/server/serve.ts";

/** Small and slow, so that following it costs hardly anything compared to the requests. */
export const WORLD = { seed: "bench", traders: 300, historyDays: 8, eventsPerSecond: 1 };

export interface WorldReady {
  url: string;
}

if (import.meta.main) {
  const clock = systemClock();
  const log = createLog("error", clock.now);
  const platform = await openSimulator({ ...WORLD, dataFolder: null, clock, log });
  const server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, log, clock });
  const ready: WorldReady = { url: server.url };
  console.log(JSON.stringify(ready));
  process.stdin.on("end", () => process.exit(0));
  process.stdin.resume();
}
