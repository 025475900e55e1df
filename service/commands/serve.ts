// `crowdtape serve`: runs the service until a signal, and greets a person who started it by hand. A capture-only node
// serves only its health; with WORKERS this process runs others and serves nothing itself.
import { BadSettings } from "../../kit/bad-settings.ts";
import type { Kit } from "../../kit/kit.ts";
import { ensureReadyKeys, type ReadyKeys } from "../access/identity/ready-keys.ts";
import { type Config, readConfig, SIMULATOR } from "../config.ts";
import { createKit } from "../foundation.ts";
import { createCaptureNode, createService, type Service } from "../service.ts";
import type { RunningBots } from "./bots.ts";
import { closeInTime } from "./history.ts";
import { PROGRAM_TYPED } from "./program.ts";
import { listening } from "./run.ts";
import { untilSignal } from "./signals.ts";
import { runWorkers, untilParentGone } from "./workers.ts";

export async function serve(): Promise<void> {
  const config = readConfig();
  if (config.workers > 1) return runWorkers(config);
  // Installed before startup, so that a stop during startup is as clean as later.
  const stopping = Promise.race([untilSignal(config.drainMs), untilParentGone()]);
  if (config.role === "capture") {
    const node = await listening(config, () => createCaptureNode(config));
    const closing = closeInTime(config, createKit({ logLevel: config.logLevel }));
    console.log(`Crowdtape captures; its health is on ${node.url}/readyz`);
    await stopping;
    await closing?.stop();
    return node.stop();
  }
  refuseBots(config);
  const service = await listening(config, () => createService(config));
  const kit = createKit({ logLevel: config.logLevel });
  const closing = closeInTime(config, kit);
  let bots: RunningBots | null = null;
  try {
    const keys =
      config.upstream === SIMULATOR ? await ensureReadyKeys(config.dataFolder, service.access) : null;
    console.log(keys ? greeting(service.url, keys, config) : `Crowdtape listens on ${service.url}`);
    bots = await runBots(config, kit, service, keys);
    await stopping;
  } finally {
    await bots?.stop();
    await closing?.stop();
    await service.stop();
    // A worker's channel to its parent would keep the process alive.
    process.disconnect?.();
  }
}

/** Refuses settings that are valid for a standalone bot but not within a service. */
function refuseBots({ bot, upstream }: Config): void {
  const faults: string[] = [];
  if (bot.named.length > 0 && bot.key === null && upstream !== SIMULATOR)
    faults.push(
      "BOT_KEY must be set where a bot is: it reads as any client does. crowdtape key create makes one.",
    );
  if (bot.discord.token !== null && (bot.telegram?.webhookUrl ?? null) !== null)
    faults.push(
      "BOT_TELEGRAM_WEBHOOK and BOT_DISCORD_TOKEN would both listen on BOT_PORT: run one as a process of its own, by crowdtape bot.",
    );
  if (faults.length > 0) throw new BadSettings(faults);
}

/** Runs the configured chat bots; on the simulator they read with a ready key, unless they have one. */
async function runBots(
  config: Config,
  kit: Kit,
  { url, store }: Service,
  keys: ReadyKeys | null,
): Promise<RunningBots | null> {
  const key = config.bot.key ?? keys?.scale;
  if (config.bot.named.length === 0 || key === undefined) return null;
  const { startBots } = await import("./bots.ts");
  return startBots({ ...kit, config, store, source: { server: config.bot.server ?? url, key } });
}

// Every URL is quoted: a shell would interpret ? and &.
function greeting(url: string, keys: ReadyKeys, config: Config): string {
  return `
Crowdtape listens on ${url}  (reference: ${url}/docs)
THE WORLD IS SIMULATED: no trader, token or trade is real (seed "${config.simulator.seed}"). UPSTREAM=chain follows real ones.
Everything it keeps is in ${config.dataFolder}.

A ready key of each plan, the same after a restart:
  free     ${keys.free}
  starter  ${keys.starter}
  growth   ${keys.growth}
  scale    ${keys.scale}

Three things to paste:
  curl "${url}/v2/leaderboard/24h?limit=3"
  curl -H "Authorization: Bearer ${keys.growth}" "${url}/v2/me"
  ${PROGRAM_TYPED} tail --server ${url} --key ${keys.growth}
`;
}
