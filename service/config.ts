// Every setting of the service, with its default. This is the only reader of the environment; a wrong setting
// stops the start with a sentence that names it, and all wrong ones are named together.
import {
  BadSettings,
  decimal,
  list,
  matching,
  misspelt,
  oneOf,
  optional,
  readSettings,
  secret,
  text,
  url,
  wholeNumber,
} from "../kit/settings.ts";
import { underTodaysNames } from "./former-names.ts";

/** The value of UPSTREAM that needs nothing else. */
export const SIMULATOR = "simulator";

const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const stripePrice = (plan: string) =>
  matching(
    `The id of Stripe's monthly price for ${plan}; without it one is made.`,
    "",
    /^price_\w+$/,
    "an id that starts with price_",
  );

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
  DATABASE_REPLICA_URL: optional(
    secret(
      url(
        "A streaming replica of DATABASE_URL, which history is read from while it is at most 5 s behind.",
        "",
        ["postgres", "postgresql"],
      ),
    ),
  ),
  REDIS_URL: optional(secret(url("Redis that joins several nodes.", "", ["redis", "rediss"]))),
  ROLE: oneOf("What this process does: everything, only serving, or only capturing.", "all", [
    "all",
    "api",
    "capture",
  ]),
  UPSTREAM: matching(
    "The platform to follow: the simulator in this process, or the URL of a platform server.",
    SIMULATOR,
    /^(simulator|https?:\/\/[^\s]+)$/,
    '"simulator" or a URL that starts with http:// or https://',
  ),
  UPSTREAM_DEADLINE_MS: wholeNumber(
    "How long a live read may take before it is a free 503.",
    4_000,
    50,
    60_000,
  ),
  SIMULATOR_SEED: matching(
    "The seed of the simulated world.",
    "crowdtape",
    /^[\w.-]{1,64}$/,
    "1 to 64 letters, digits, dots, dashes or underscores",
  ),
  SIMULATOR_EVENTS_PER_SECOND: decimal(
    "How busily the simulated world trades, in its history too; above the default only from the start on.",
    0.045,
    0.001,
    10_000,
  ),
  SIMULATOR_SCENARIO: oneOf(
    "What the simulator lets happen seconds after each start, for demonstrations and for testing bots.",
    "none",
    ["none", "launch", "rug", "whale", "outage", "quiet"],
  ),
  SIMULATOR_ADMIN_TOKEN: optional(
    secret(
      matching(
        'What "crowdtape simulator serve" asks for before it lets itself be told to misbehave.',
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
  EXPLORER: optional(
    matching(
      "Who may look at the explorer: open for everyone (free, limited by address, alerts 60 s late), key for those who enter one, or off. Without it, open while HOST is a loopback address, else key.",
      "",
      /^(open|key|off)$/,
      "open, key or off",
    ),
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
  STRIPE_SECRET_KEY: optional(
    secret(
      matching(
        "Stripe's secret or restricted key; without it cards are pretended with the simulator and not taken elsewhere.",
        "",
        /^[sr]k_(test|live)_\w{8,}$/,
        "a key that starts with sk_ or rk_",
      ),
    ),
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    secret(
      matching(
        "What Stripe signs its notices to /stripe/webhook with.",
        "",
        /^whsec_\S{8,}$/,
        "a secret that starts with whsec_",
      ),
    ),
  ),
  STRIPE_PRICE_STARTER: optional(stripePrice("Starter")),
  STRIPE_PRICE_GROWTH: optional(stripePrice("Growth")),
  STRIPE_PRICE_SCALE: optional(stripePrice("Scale")),
  STRIPE_API_BASE: optional(
    url("Another address for Stripe's API, such as a stand-in for tests.", "", ["https", "http"]),
  ),
  SMTP_URL: optional(
    secret(
      url("The mail server; without it mails become files in the outbox folder of DATA_DIR.", "", [
        "smtp",
        "smtps",
      ]),
    ),
  ),
  MAIL_FROM: matching(
    "The sender of mails.",
    "Crowdtape <crowdtape@localhost>",
    /^[^\r\n<>]*(<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    "an address, or a name and an address in <>",
  ),
  RETENTION_LOG_DAYS: wholeNumber("How many days of the log to keep.", 90, 1, 3_650),
  RETENTION_FILLS_DAYS: wholeNumber("How many days of fills and candles to keep.", 365, 1, 3_650),
  METRICS_PORT: optional(
    wholeNumber(
      "The port for /metrics, /livez and /readyz; 0 picks a free one. Without it there are no metrics.",
      0,
      0,
      65_535,
    ),
  ),
  METRICS_HOST: text("The address that METRICS_PORT listens on.", "127.0.0.1"),
  DRAIN_SECONDS: wholeNumber(
    "After a stop signal, how long sockets have to move on and requests to finish.",
    5,
    0,
    600,
  ),
  WORKERS: wholeNumber(
    "How many serving processes share PORT on this machine; more than 1 needs ROLE=api. The n-th worker's metrics are on METRICS_PORT + n - 1.",
    1,
    1,
    64,
  ),
  SHARE_PORT: oneOf("Whether other processes of this machine may listen on PORT too.", "no", ["no", "yes"]),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url("An OpenTelemetry collector that takes traces as OTLP over HTTP; without it there are none.", "", [
      "https",
      "http",
    ]),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    list(
      "Headers for the collector, as name=value.",
      "",
      /^[\w-]{1,64}=[\x21-\x2b\x2d-\x7e]{1,1024}$/,
      "headers such as authorization=Bearer%20abc",
    ),
  ),
  OTEL_SERVICE_NAME: matching(
    "What this service is called in traces.",
    "crowdtape",
    /^[\w.-]{1,64}$/,
    "1 to 64 letters, digits, dots, dashes or underscores",
  ),
  OTEL_TRACES_SAMPLER_ARG: decimal(
    "The share of requests that are traced, whatever their callers ask for.",
    1,
    0,
    1,
  ),
  LOG_LEVEL: oneOf("How much to log.", "info", ["debug", "info", "warn", "error", "silent"]),
} as const;

/** The simulated world. Tests live in smaller ones than the default. */
export interface SimulatorSettings {
  seed: string;
  eventsPerSecond: number;
  traders?: number;
  historyDays?: number;
  scenario?: Exclude<SimulatorScenario, "none">;
}

type SimulatorScenario = "none" | "launch" | "rug" | "whale" | "outage" | "quiet";

const simulatorSettings = (values: {
  SIMULATOR_SEED: string;
  SIMULATOR_EVENTS_PER_SECOND: number;
  SIMULATOR_SCENARIO: SimulatorScenario;
}): SimulatorSettings => ({
  seed: values.SIMULATOR_SEED,
  eventsPerSecond: values.SIMULATOR_EVENTS_PER_SECOND,
  ...(values.SIMULATOR_SCENARIO === "none" ? {} : { scenario: values.SIMULATOR_SCENARIO }),
});

export type Config = ReturnType<typeof readConfig>;

export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const { environment: named, warnings } = underTodaysNames(environment);
  for (const { given, meant } of misspelt(Object.keys(SETTINGS), named))
    warnings.push(`${given} is not a setting and does nothing; ${meant} is. Is it misspelt?`);
  const values = readSettings(SETTINGS, named);
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
        `Run a node with ROLE=capture beside it.`,
    );
  }
  if (values.WORKERS > 1 && values.PORT === 0) {
    faults.push("PORT must not be 0 when WORKERS is more than 1: the workers share one port.");
  }
  const { SOLANA_RPC_URL: rpcUrl, SOLANA_RECIPIENT: recipient, SOLANA_MINT: mint } = values;
  const solana = rpcUrl !== null && recipient !== null && mint !== null ? { rpcUrl, recipient, mint } : null;
  if (solana === null && (rpcUrl !== null || recipient !== null || mint !== null)) {
    faults.push("SOLANA_RPC_URL, SOLANA_RECIPIENT and SOLANA_MINT must be set together, or not at all.");
  }
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if ((secretKey === null) !== (webhookSecret === null)) {
    faults.push("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or not at all.");
  }
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
    simulator: simulatorSettings(values),
    simulatorAdminToken: values.SIMULATOR_ADMIN_TOKEN,
    solana: solana && {
      ...solana,
      symbol: values.SOLANA_MINT_SYMBOL,
      decimals: values.SOLANA_MINT_DECIMALS,
    },
    paymentExpiresMinutes: values.PAYMENT_EXPIRES_MINUTES,
    stripe:
      secretKey === null || webhookSecret === null
        ? null
        : {
            secretKey,
            webhookSecret,
            prices: {
              starter: values.STRIPE_PRICE_STARTER,
              growth: values.STRIPE_PRICE_GROWTH,
              scale: values.STRIPE_PRICE_SCALE,
            },
            apiBase: values.STRIPE_API_BASE,
          },
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    altchain: { name: values.ALTCHAIN_NAME, aliases: values.ALTCHAIN_ALIASES },
    explorer: explorerMode(values.EXPLORER, values.HOST),
    trustedProxies: values.TRUSTED_PROXIES,
    allowedOrigins: values.ALLOWED_ORIGINS,
    retentionDays: { log: values.RETENTION_LOG_DAYS, fills: values.RETENTION_FILLS_DAYS },
    metrics: values.METRICS_PORT === null ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    drainMs: values.DRAIN_SECONDS * 1_000,
    workers: values.WORKERS,
    sharePort: values.SHARE_PORT === "yes",
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: headersOf(values.OTEL_EXPORTER_OTLP_HEADERS),
            serviceName: values.OTEL_SERVICE_NAME,
            share: values.OTEL_TRACES_SAMPLER_ARG,
          },
    logLevel: values.LOG_LEVEL,
  };
}

export type ExplorerMode = "open" | "key" | "off";

function explorerMode(setting: string | null, host: string): ExplorerMode {
  if (setting !== null) return setting as ExplorerMode;
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/.test(host) ? "open" : "key";
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

/** What the worker with this number, from 0 on, finds in its environment: a serving process like any other. */
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
