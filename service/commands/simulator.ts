// `crowdtape simulator serve`: the simulator as a separate server, for nodes that follow it remotely.
import { runSimulator } from "../../simulator/server/run.ts";
import { readConfig } from "../config.ts";
import { createKit } from "../foundation.ts";
import { listening } from "./run.ts";
import { untilSignal } from "./signals.ts";

export async function serveSimulator(): Promise<void> {
  const config = readConfig();
  const { clock, log } = createKit(config);
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  await listening(config, () =>
    runSimulator({
      ...config.simulator,
      dataFolder: config.simulatorFolder,
      host: config.host,
      port: config.port,
      ...(config.simulatorAdminToken === null ? {} : { adminToken: config.simulatorAdminToken }),
      clock,
      log,
      signal: stopping.signal,
      onListening: (url) =>
        console.log(
          `The simulator is served on ${url}. Follow it with: UPSTREAM=${url} PORT=${nextPort(url)} npm start`,
        ),
    }),
  );
}

/** A service next to the simulator needs a different port. */
function nextPort(url: string): number {
  const port = Number(new URL(url).port || 80);
  return port < 65_535 ? port + 1 : 8080;
}
