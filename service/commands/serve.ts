// `crowdtape serve`: runs the service until a signal, and greets whoever started it by hand.
import { ensureReadyKeys, type ReadyKeys } from "../access/ready-keys.ts";
import { type Config, readConfig } from "../config.ts";
import { createService } from "../service.ts";

/** Past this, waiting longer for a tidy end helps nobody. */
const STOP_AT_MOST_MS = 15_000;

export async function serve(): Promise<void> {
  const config = readConfig();
  const service = await createService(config);
  const keys =
    config.upstream === "embedded" ? await ensureReadyKeys(config.dataFolder, service.access) : null;
  console.log(keys ? greeting(service.url, keys, config) : `Crowdtape listens on ${service.url}`);
  await untilSignal();
  const tooLong = setTimeout(() => process.exit(1), STOP_AT_MOST_MS);
  await service.stop();
  clearTimeout(tooLong);
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function greeting(url: string, keys: ReadyKeys, config: Config): string {
  const socket = url.replace(/^http/, "ws");
  return `
Crowdtape listens on ${url}  (reference: ${url}/docs)
It follows its embedded world, seed "${config.platform.seed}"; everything it keeps is in ${config.dataFolder}.

A ready key of each plan, the same after a restart:
  free     ${keys.free}
  starter  ${keys.starter}
  growth   ${keys.growth}
  scale    ${keys.scale}

Three things to paste:
  curl ${url}/v2/leaderboard/24h?limit=3
  curl -H "Authorization: Bearer ${keys.growth}" ${url}/v2/me
  npx crowdtape watch "${socket}/ws/alerts"
`;
}
