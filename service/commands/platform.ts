// `crowdtape platform serve`: the embedded world as a server of its own, for nodes that follow it from outside.
import { join } from "node:path";
import { runPlatformServer } from "../../platform/server/run.ts";
import { readConfig } from "../config.ts";
import { createKit } from "../service.ts";
import { CommandRefused } from "./run.ts";

export async function platform(argv: string[]): Promise<void> {
  if (argv[0] !== "serve" || argv.length > 1) throw new CommandRefused("Say: crowdtape platform serve");
  const config = readConfig();
  const { clock, log } = createKit(config);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  await runPlatformServer({
    ...config.platform,
    dataFolder: join(config.dataFolder, "platform"),
    host: config.host,
    port: config.port,
    ...(config.platformAdminToken === null ? {} : { adminToken: config.platformAdminToken }),
    clock,
    log,
    signal: stopping.signal,
    onListening: (url) =>
      console.log(`The platform is served on ${url}. Follow it with UPSTREAM=${url} npm start`),
  });
}
