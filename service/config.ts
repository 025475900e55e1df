// The settings as the service uses them. This is the only reader of the environment; an invalid setting aborts the start
// with a message that names it, and all invalid ones are reported together.
import { join } from "node:path";
import { BadSettings } from "../kit/bad-settings.ts";
import { misspelt, readSettings } from "../kit/settings.ts";
import { isVapidPair } from "../kit/vapid-keys.ts";
import { chainIdOf, readRpcUrls, readTrackerChains, refuseTracker } from "../tracker/settings.ts";
import { CHAIN, SETTINGS, SIMULATOR } from "./settings.ts";

export { CHAIN, SIMULATOR } from "./settings.ts";

/** The simulated world. Tests use smaller ones than the default. */
export interface SimulatorSettings {
  seed: string;
  eventsPerSecond: number;
  traders?: number;
  copiers?: number;
  baiters?: number;
  historyDays?: number;
  historyEventsPerSecond?: number;
  scenario?: Exclude<SimulatorScenario, "none">;
}

type SimulatorScenario = "none" | "launch" | "rug" | "whale" | "reorg" | "rename" | "outage" | "quiet";

const simulatorSettings = (values: SettingValues): SimulatorSettings => ({
  seed: values.SIMULATOR_SEED,
  eventsPerSecond: values.SIMULATOR_EVENTS_PER_SECOND,
  traders: values.SIMULATOR_TRADERS,
  copiers: values.SIMULATOR_COPIERS,
  baiters: values.SIMULATOR_BAITERS,
  historyDays: values.SIMULATOR_HISTORY_DAYS,
  historyEventsPerSecond: values.SIMULATOR_HISTORY_EVENTS_PER_SECOND,
  ...(values.SIMULATOR_SCENARIO === "none" ? {} : { scenario: values.SIMULATOR_SCENARIO }),
});

export type Config = ReturnType<typeof readConfig>;

function misspellings(environment: Record<string, string | undefined>): string[] {
  // Providers' settings end in a chain name of the operator's choice, so they can't be listed.
  const listed = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("RPC_")));
  return misspelt(Object.keys(SETTINGS), listed).map(
    ({ given, meant }) => `${given} is not a setting and does nothing; ${meant} is. Is it misspelt?`,
  );
}

export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const warnings = misspellings(environment);
  const values = readSettings(SETTINGS, environment);
  const faults = contradictions(values);
  const trackerChains = readTrackerChains(
    environment,
    {
      stables: values.TRACKER_STABLES,
      wrapped: values.TRACKER_WRAPPED,
      feeds: values.TRACKER_FEEDS,
      coinPools: values.TRACKER_COIN_POOLS,
      factories: values.TRACKER_FACTORIES,
      grpcSolana: values.GRPC_SOLANA,
      alertsAt: values.ALERTS_AT,
      callsPerSecond: values.TRACKER_CALLS_PER_SECOND,
    },
    faults,
  );
  if (values.UPSTREAM === CHAIN) refuseTracker(values.ROLE, trackerChains, faults);
  if (faults.length > 0) throw new BadSettings(faults);
  return {
    /** For the operator, one line each. */
    warnings,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataFolder: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    redisUrl: values.REDIS_URL,
    role: values.ROLE,
    upstream: values.UPSTREAM,
    upstreamDeadlineMs: values.UPSTREAM_DEADLINE_MS,
    tracker: trackerSettings(values, trackerChains),
    simulator: simulatorSettings(values),
    simulatorFolder: join(values.DATA_DIR, "simulator"),
    simulatorAdminToken: values.SIMULATOR_ADMIN_TOKEN,
    solana: solanaSettings(values),
    paymentExpiresMinutes: values.PAYMENT_EXPIRES_MINUTES,
    stripe: stripeSettings(values),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    altchain: { name: values.ALTCHAIN_NAME, aliases: values.ALTCHAIN_ALIASES },
    explorer: explorerMode(values.EXPLORER, values.HOST),
    trustedProxies: values.TRUSTED_PROXIES,
    admin: adminSettings(values),
    allowedOrigins: values.ALLOWED_ORIGINS,
    webhookTargets: values.WEBHOOK_TARGETS,
    vapid: vapidSettings(values),
    bot: botSettings(values),
    botLinks: botLinks(values),
    history: values.HISTORY,
    historyIsPublic: values.HISTORY_PUBLIC === "1",
    tapeBytesMax: values.TAPE_MB * 1_000_000,
    copyBoardTraders: values.COPY_BOARD_TRADERS,
    paperSettleMs: values.PAPER_SETTLE_SECONDS * 1_000,
    retentionDays: {
      log: values.RETENTION_LOG_DAYS,
      fills: values.RETENTION_FILLS_DAYS,
      tape: values.TAPE_DAYS,
    },
    metrics: values.METRICS_PORT === null ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    drainMs: values.DRAIN_SECONDS * 1_000,
    workers: values.WORKERS,
    sharePort: values.SHARE_PORT === "yes",
    tracing: tracingSettings(values),
    logLevel: values.LOG_LEVEL,
  };
}

type SettingValues = ReturnType<typeof readSettings<typeof SETTINGS>>;

/** Settings that are valid individually but not in combination. */
function contradictions(values: SettingValues): string[] {
  const faults: string[] = [];
  if (values.UPSTREAM === SIMULATOR && values.ROLE !== "all") {
    faults.push(
      `ROLE must be all while UPSTREAM is simulator: its world belongs to one process. ` +
        `Run "crowdtape simulator serve" and set UPSTREAM to its URL on every node.`,
    );
  }
  if (values.ROLE !== "all" && values.DATABASE_URL === null) {
    faults.push(
      `DATABASE_URL must be set when ROLE is ${values.ROLE}: several processes share PostgreSQL, not a file.`,
    );
  }
  if (values.DATABASE_REPLICA_URL !== null && values.DATABASE_URL === null) {
    faults.push(
      "DATABASE_REPLICA_URL needs DATABASE_URL: a replica follows a PostgreSQL server, not a file.",
    );
  }
  if (values.WORKERS > 1 && values.ROLE !== "api") {
    faults.push(
      `WORKERS must be 1 unless ROLE is api: the log has one writer, and the simulator one process. ` +
        `Run a node with ROLE=capture next to it.`,
    );
  }
  if (values.WORKERS > 1 && values.PORT === 0) {
    faults.push("PORT must not be 0 when WORKERS is more than 1: the workers share one port.");
  }
  if (values.WEBHOOK_TARGETS === "any" && isReachable(values)) {
    faults.push(
      "WEBHOOK_TARGETS must be public unless HOST is a loopback address, PUBLIC_URL is not https and no live card key is " +
        "set: otherwise anyone with a key could reach this machine's network.",
    );
  }
  if (values.ADMIN_HEADER !== null && values.TRUSTED_PROXIES.length === 0) {
    faults.push("ADMIN_HEADER needs TRUSTED_PROXIES: from anywhere else it could be anybody's.");
  }
  if (values.ADMIN_NAMES.length > 0 && values.ADMIN_HEADER === null) {
    faults.push("ADMIN_NAMES needs ADMIN_HEADER: it lists the names that header may hold.");
  }
  const solana = [values.SOLANA_RPC_URL, values.SOLANA_RECIPIENT, values.SOLANA_MINT];
  if (new Set(solana.map((value) => value === null)).size > 1) {
    faults.push("SOLANA_RPC_URL, SOLANA_RECIPIENT and SOLANA_MINT must be set together, or not at all.");
  }
  if ((values.STRIPE_SECRET_KEY === null) !== (values.STRIPE_WEBHOOK_SECRET === null)) {
    faults.push("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or not at all.");
  }
  const vapid = [values.VAPID_PUBLIC_KEY, values.VAPID_PRIVATE_KEY, values.VAPID_SUBJECT];
  const [publicKey, privateKey] = vapid;
  if (new Set(vapid.map((value) => value === null)).size > 1) {
    faults.push("VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT must be set together, or not at all.");
  } else if (publicKey && privateKey && !isVapidPair({ publicKey, privateKey })) {
    faults.push('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a pair. "crowdtape push keys" makes one.');
  }
  return faults;
}

function vapidSettings(values: SettingValues) {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = values;
  return publicKey && privateKey && subject ? { publicKey, privateKey, subject } : null;
}

function trackerSettings(values: SettingValues, chains: ReturnType<typeof readTrackerChains>) {
  return {
    chains,
    pricesUrl: values.PRICES === "observed" ? null : values.PRICES.replace(/\/+$/, ""),
    pricesHistory: values.PRICES_HISTORY,
    historyDays: values.TRACKER_HISTORY_DAYS,
    depthMinUsd: values.TRACKER_DEPTH_MIN_USD,
    poolsMax: values.TRACKER_POOLS_MAX,
    wakeSecret: values.TRACKER_WAKE_SECRET,
    secret: values.TRACKER_SECRET,
    visitorWallets: values.TRACKER_VISITOR_WALLETS,
    process: values.TRACKER_PROCESS,
  };
}

function adminSettings(values: SettingValues) {
  const { ADMIN_KEY: key, ADMIN_HEADER: header, ADMIN_NAMES: names } = values;
  return { key, header: header?.toLowerCase() ?? null, names };
}

function solanaSettings(values: SettingValues) {
  const { SOLANA_RPC_URL: rpcUrl, SOLANA_RECIPIENT: recipient, SOLANA_MINT: mint } = values;
  if (rpcUrl === null || recipient === null || mint === null) return null;
  const { SOLANA_MINT_SYMBOL: symbol, SOLANA_MINT_DECIMALS: decimals } = values;
  return { rpcUrl, recipient, mint, symbol, decimals };
}

function stripeSettings(values: SettingValues) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if (secretKey === null || webhookSecret === null) return null;
  const prices = {
    starter: values.STRIPE_PRICE_STARTER,
    growth: values.STRIPE_PRICE_GROWTH,
    scale: values.STRIPE_PRICE_SCALE,
  };
  return { secretKey, webhookSecret, prices, apiBase: values.STRIPE_API_BASE };
}

export const BOT_NAMES = ["telegram", "discord"] as const;
export type BotName = (typeof BOT_NAMES)[number];

function botSettings(values: SettingValues) {
  const hasDiscord = values.BOT_DISCORD_TOKEN !== null || values.BOT_DISCORD_WEBHOOK !== null;
  const { BOT_TELEGRAM_TOKEN: token, BOT_TELEGRAM_API: base, BOT_TELEGRAM_WEBHOOK: webhookUrl } = values;
  return {
    /** The configured bots. */
    named: [...(token === null ? [] : ["telegram"]), ...(hasDiscord ? ["discord"] : [])] as BotName[],
    server: values.BOT_SERVER,
    key: values.BOT_KEY,
    host: values.BOT_HOST,
    port: values.BOT_PORT,
    telegram: token === null ? null : { token, base, webhookUrl },
    discord: {
      token: values.BOT_DISCORD_TOKEN,
      base: values.BOT_DISCORD_API,
      webhook:
        values.BOT_DISCORD_WEBHOOK === null
          ? null
          : { url: values.BOT_DISCORD_WEBHOOK, follows: values.BOT_DISCORD_FOLLOW },
    },
  };
}

/** The explorer's links to the operator's bots. */
function botLinks({ BOT_TELEGRAM_NAME: telegram, BOT_DISCORD_APPLICATION: discord }: SettingValues) {
  return { ...(telegram === null ? {} : { telegram }), ...(discord === null ? {} : { discord }) };
}

function tracingSettings(values: SettingValues) {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null;
  return {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: headersOf(values.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

export type ExplorerMode = "open" | "key" | "off";

function explorerMode(setting: string | null, host: string): ExplorerMode {
  if (setting !== null) return setting as ExplorerMode;
  return isLoopback(host) ? "open" : "key";
}

const isLoopback = (host: string) => /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/.test(host);

/** Whether it is reachable from other machines, or handles money. */
function isReachable({ HOST, PUBLIC_URL, STRIPE_SECRET_KEY }: SettingValues): boolean {
  return (
    !isLoopback(HOST) ||
    (PUBLIC_URL?.startsWith("https:") ?? false) ||
    /^[sr]k_live_/.test(STRIPE_SECRET_KEY ?? "")
  );
}

/** The name=value pairs of OpenTelemetry's own setting; a value's visible characters may be percent-encoded. */
function headersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const plain = pair
        .slice(at + 1)
        .replace(/%([2-7][0-9A-Fa-f])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return [pair.slice(0, at), plain];
    }),
  );
}

/** The environment of the worker with this number, from 0: a serving process like any other. */
export function workerEnvironment(
  config: Pick<Config, "metrics">,
  index: number,
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  const metrics =
    config.metrics === null || config.metrics.port === 0
      ? {}
      : { METRICS_PORT: String(config.metrics.port + index) };
  return { ...environment, WORKERS: "1", SHARE_PORT: "yes", ...metrics };
}

/** For starting a program with additional settings on top of ours. */
export function environmentWith(
  added: Record<string, string>,
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  return { ...environment, ...added };
}

/** The RPC endpoints set for a chain (`RPC_BASE=https://…,https://…`), under any of its names, best first. */
export function rpcUrlsOf(
  chain: string,
  environment: Record<string, string | undefined> = process.env,
): string[] {
  const wanted = chainIdOf(chain);
  const prefix = "RPC_";
  const isFor = (setting: string) =>
    setting.startsWith(prefix) && chainIdOf(setting.slice(prefix.length)) === wanted;
  const name = wanted === null ? undefined : Object.keys(environment).find(isFor);
  if (name === undefined) return [];
  const faults: string[] = [];
  const { urls } = readRpcUrls(name, environment[name] ?? "", faults);
  if (faults.length > 0) throw new BadSettings(faults);
  return urls;
}
