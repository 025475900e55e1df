// Every setting of the service, with its default. This is the only reader of the environment; a wrong setting
// stops the start with a sentence that names it, and all wrong ones are named together.
import {
  BadSettings,
  decimal,
  list,
  matching,
  oneOf,
  optional,
  readSettings,
  secret,
  text,
  url,
  wholeNumber,
} from "./kit/settings.ts";

const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export const SETTINGS = {
  HOST: text("The address to listen on.", "127.0.0.1"),
  PORT: wholeNumber("The port to listen on; 0 picks a free one.", 8080, 0, 65_535),
  PUBLIC_URL: optional(
    url("Where clients reach the service, if not at HOST and PORT.", "", ["https", "http"]),
  ),
  DATA_DIR: text("The folder for everything the service keeps on disk.", "./data"),
  DATABASE_URL: optional(
    secret(url("PostgreSQL to use instead of SQLite in DATA_DIR.", "", ["postgres", "postgresql"])),
  ),
  REDIS_URL: optional(secret(url("Redis that joins several nodes.", "", ["redis", "rediss"]))),
  ROLE: oneOf("What this process does: everything, only serving, or only capturing.", "all", [
    "all",
    "api",
    "capture",
  ]),
  UPSTREAM: matching(
    "The platform to follow: the embedded one, or the URL of a platform server.",
    "embedded",
    /^(embedded|https?:\/\/[^\s]+)$/,
    '"embedded" or a URL that starts with http:// or https://',
  ),
  UPSTREAM_DEADLINE_MS: wholeNumber(
    "How long a live read may take before it is a free 503.",
    4_000,
    50,
    60_000,
  ),
  PLATFORM_SEED: matching(
    "The seed of the embedded world.",
    "crowdtape",
    /^[\w.-]{1,64}$/,
    "1 to 64 letters, digits, dots, dashes or underscores",
  ),
  PLATFORM_EVENTS_PER_SECOND: decimal("How busily the embedded world trades.", 3, 0.01, 10_000),
  PLATFORM_ADMIN_TOKEN: optional(
    secret(
      matching(
        'What "crowdtape platform serve" asks for before it lets itself be told to misbehave.',
        "",
        /^[\x21-\x7e]{8,128}$/,
        "8 to 128 visible characters",
      ),
    ),
  ),
  ALTCHAIN_NAME: matching(
    "What chain 4663 is called in answers.",
    "altchain",
    /^[a-z][a-z0-9-]{1,31}$/,
    "2 to 32 lower-case letters, digits or dashes",
  ),
  ALTCHAIN_ALIASES: list(
    "Other names that chain 4663 answers to.",
    "",
    /^[a-z][a-z0-9-]{0,31}$/,
    "short lower-case names",
  ),
  TRUSTED_PROXIES: list(
    "Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed.",
    "",
    /^[0-9a-fA-F.:]+(\/\d{1,3})?$/,
    "IP addresses or CIDR ranges",
  ),
  ALLOWED_ORIGINS: list(
    "Browser origins that may open streams; * allows all.",
    "*",
    /^(\*|https?:\/\/[^\s/]+)$/,
    "origins such as https://app.example, or *",
  ),
  SOLANA_RPC_URL: optional(
    secret(
      url("A Solana RPC; without it stablecoin payments run on the built-in test chain.", "", [
        "https",
        "http",
      ]),
    ),
  ),
  SOLANA_RECIPIENT: optional(
    matching("The wallet that stablecoin payments go to.", "", BASE58_ADDRESS, "a Solana address"),
  ),
  SOLANA_MINT: optional(matching("The stablecoin's mint.", "", BASE58_ADDRESS, "a Solana address")),
  SOLANA_MINT_SYMBOL: matching(
    "What the stablecoin is called.",
    "USDC",
    /^[A-Za-z0-9.]{1,12}$/,
    "1 to 12 letters or digits",
  ),
  SOLANA_MINT_DECIMALS: wholeNumber("The stablecoin's decimals.", 6, 2, 12),
  PAYMENT_EXPIRES_MINUTES: wholeNumber(
    "How long a stablecoin payment may be paid before it counts as late.",
    60,
    5,
    10_080,
  ),
  RETENTION_LOG_DAYS: wholeNumber("How many days of the log to keep.", 90, 1, 3_650),
  RETENTION_FILLS_DAYS: wholeNumber("How many days of fills and candles to keep.", 365, 1, 3_650),
  LOG_LEVEL: oneOf("How much to log.", "info", ["debug", "info", "warn", "error", "silent"]),
} as const;

/** The embedded world. Tests live in smaller ones than the default. */
export interface PlatformSettings {
  seed: string;
  eventsPerSecond: number;
  traders?: number;
  historyDays?: number;
}

const platformSettings = (seed: string, eventsPerSecond: number): PlatformSettings => ({ seed, eventsPerSecond });

export type Config = ReturnType<typeof readConfig>;

export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const values = readSettings(SETTINGS, environment);
  const faults: string[] = [];
  if (values.UPSTREAM === "embedded" && values.ROLE !== "all") {
    faults.push(
      `ROLE must be all while UPSTREAM is embedded: the embedded world belongs to one process. ` +
        `Run "crowdtape platform serve" and set UPSTREAM to its URL on every node.`,
    );
  }
  if (values.ROLE !== "all" && values.DATABASE_URL === null) {
    faults.push(
      `DATABASE_URL must be set when ROLE is ${values.ROLE}: several processes share PostgreSQL, not a file.`,
    );
  }
  const { SOLANA_RPC_URL: rpcUrl, SOLANA_RECIPIENT: recipient, SOLANA_MINT: mint } = values;
  const solana = rpcUrl !== null && recipient !== null && mint !== null ? { rpcUrl, recipient, mint } : null;
  if (solana === null && (rpcUrl !== null || recipient !== null || mint !== null)) {
    faults.push("SOLANA_RPC_URL, SOLANA_RECIPIENT and SOLANA_MINT must be set together, or not at all.");
  }
  if (faults.length > 0) throw new BadSettings(faults);
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataFolder: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    role: values.ROLE,
    upstream: values.UPSTREAM,
    upstreamDeadlineMs: values.UPSTREAM_DEADLINE_MS,
    platform: platformSettings(values.PLATFORM_SEED, values.PLATFORM_EVENTS_PER_SECOND),
    platformAdminToken: values.PLATFORM_ADMIN_TOKEN,
    solana: solana && {
      ...solana,
      symbol: values.SOLANA_MINT_SYMBOL,
      decimals: values.SOLANA_MINT_DECIMALS,
    },
    paymentExpiresMinutes: values.PAYMENT_EXPIRES_MINUTES,
    altchain: { name: values.ALTCHAIN_NAME, aliases: values.ALTCHAIN_ALIASES },
    trustedProxies: values.TRUSTED_PROXIES,
    allowedOrigins: values.ALLOWED_ORIGINS,
    retentionDays: { log: values.RETENTION_LOG_DAYS, fills: values.RETENTION_FILLS_DAYS },
    logLevel: values.LOG_LEVEL,
  };
}
