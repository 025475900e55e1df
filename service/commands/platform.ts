// `crowdtape platform serve`: the embedded world as a server of its own, for nodes that follow it from outside.
import { join } from "node:path";
import { runPlatformServer } from "../../simulator/server/run.ts";
import { readConfig } from "../config.ts";
import { createKit } from "../service.ts";
import { CommandRefused, listening } from "./run.ts";
import { untilSignal } from "./signals.ts";

export async function platform(argv: string[]): Promise<void> {
  if (argv[0] !== "serve" || argv.length > 1) throw new CommandRefused("Say: crowdtape platform serve");
  const config = readConfig();
  const { clock, log } = createKit(config);
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  await listening(config, () =>
    runPlatformServer({
      ...config.platform,
      dataFolder: join(config.dataFolder, "platform"),
      host: config.host,
      port: config.port,
      ...(config.platformAdminToken === null ? {} : { adminToken: config.platformAdminToken }),
      clock,
      log,
      signal: stopping.signal,
      onListening: (url) =>
        console.log(
          `The platform is served on ${url}. Follow it with: UPSTREAM=${url} PORT=${nextPort(url)} npm start`,
        ),
    }),
  );
}

/** A service beside the platform needs a port of its own. */
function nextPort(url: string): number {
  const port = Number(new URL(url).port || 80);
  return port < 65_535 ? port + 1 : 8080;
}
