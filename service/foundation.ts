// What a serving process and a command both need: clock and log, the store's location, access. It loads no serving code,
// so that the operator's commands start fast.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseLocation } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { freshUuid } from "../kit/ids.ts";
import type { Kit } from "../kit/kit.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { type Access, type AccessParts, createAccess } from "./access/access.ts";
import { createMemoryRate } from "./access/limits/rate-memory.ts";
import { createRedisRate } from "./access/limits/rate-redis.ts";
import type { Bus } from "./bus/port.ts";
import type { BotName, Config } from "./config.ts";
import type { Store } from "./store/store.ts";

export function createKit(config: Pick<Config, "logLevel"> & { warnings?: readonly string[] }): Kit {
  const clock = systemClock();
  const log = createLog(config.logLevel, clock.now, undefined, process.stderr.isTTY ? "terminal" : "json");
  for (const warning of config.warnings ?? []) log.warn(warning);
  return {
    clock,
    log,
    metrics: createMetrics(),
    random: seededRandom(freshUuid()),
  };
}

/** Where a caller without credits is sent. */
export const UPGRADE_PATH = "/pricing";

export function storeLocation(config: Pick<Config, "databaseUrl" | "dataFolder">) {
  return config.databaseUrl === null
    ? { file: join(config.dataFolder, "crowdtape.sqlite") }
    : { url: config.databaseUrl };
}

/** A million fills take some gigabytes, accessed at random: enough to cache the upper levels of their indexes. */
const TRACKER_CACHE_KIB = 32_768;

/** Where the tracker's books are: in PostgreSQL, in the same database as the service's tables, or in a separate file. */
export function trackerLocation(config: Pick<Config, "databaseUrl" | "dataFolder">): DatabaseLocation {
  if (config.databaseUrl !== null) return { url: config.databaseUrl };
  mkdirSync(config.dataFolder, { recursive: true });
  return { file: join(config.dataFolder, "tracker.sqlite"), cacheKib: TRACKER_CACHE_KIB };
}

/** The file of a chat bot's chats, within the data folder. */
export const botFile = (bot: BotName): string => `bots/${bot}.sqlite`;

/** Where a chat bot's chats are: in the shared database, or in a separate file. */
export function botLocation(
  config: Pick<Config, "databaseUrl" | "dataFolder">,
  bot: BotName,
): DatabaseLocation {
  if (config.databaseUrl !== null) return { url: config.databaseUrl };
  return { file: join(config.dataFolder, botFile(bot)) };
}

/**
 * Hints about changed keys and accounts are sent on the bus, like every other hint. A serving node also has a folder for
 * charges in doubt; a command charges nothing and leaves the folder's contents to the next node.
 */
export function openAccess(
  config: Pick<Config, "redisUrl" | "upstream" | "stripe">,
  store: Store,
  bus: Bus,
  kit: Kit,
  more: Pick<AccessParts, "doubtfulFolder"> & { invented?(): boolean } = {},
): Access {
  const { clock, log, metrics } = kit;
  return createAccess({
    database: store.database,
    clock,
    log,
    metrics,
    rate:
      config.redisUrl === null
        ? createMemoryRate(clock)
        : createRedisRate({ url: config.redisUrl, clock, log }),
    links: { upgradeUrl: UPGRADE_PATH, topUp: "/pay/create" },
    carrier: bus,
    testKeys: () => testKeysWork(config) || (more.invented?.() ?? false),
    ...(more.doubtfulFolder === undefined ? {} : { doubtfulFolder: more.doubtfulFolder }),
  });
}

/** Free test keys are only for setups without real money: a simulated platform, or a card provider's test mode. */
function testKeysWork({ upstream, stripe }: Pick<Config, "upstream" | "stripe">): boolean {
  return upstream === "simulator" || /^[sr]k_test_/.test(stripe?.secretKey ?? "");
}
