// Every setting of the service, with its default and a sentence about what it does. docs/settings.md is generated from this.

import { BOT_SETTINGS } from "../bots/settings.ts";
import { decimal, list, matching, oneOf, optional, secret, text, url, wholeNumber } from "../kit/settings.ts";
import { TRACKER_SETTINGS } from "../tracker/settings.ts";

/** The value of UPSTREAM that needs no other settings. */
export const SIMULATOR = "simulator";
/** The tracker in this process. */
export const CHAIN = "chain";

const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const stripePrice = (plan: string) =>
  matching(
    `The id of Stripe's monthly price for ${plan}; without it one is created.`,
    /^price_\w+$/,
    "an id that starts with price_",
  );

export const SETTINGS = {
  HOST: text("The address to listen on.", "127.0.0.1"),
  PORT: wholeNumber("The port to listen on; 0 picks a free one.", 8080, 0, 65_535),
  PUBLIC_URL: url(
    "Where clients reach the service, if not at HOST and PORT; picture and payment URLs in answers start with it.",
  ),
  DATA_DIR: text("The folder for everything the service keeps on disk.", "./data"),
  DATABASE_URL: secret(url("PostgreSQL to use instead of SQLite in DATA_DIR.", ["postgres", "postgresql"])),
  DATABASE_REPLICA_URL: secret(
    url("A streaming replica of DATABASE_URL; history is read from it while it is at most 5 s behind.", [
      "postgres",
      "postgresql",
    ]),
  ),
  REDIS_URL: secret(url("The Redis shared by several nodes.", ["redis", "rediss"])),
  ROLE: oneOf("What this process does: everything, only serving, or only capturing.", "all", [
    "all",
    "api",
    "capture",
  ]),
  UPSTREAM: matching(
    "The platform to follow: the simulator in this process, the tracker of real chains in this process (RPC_SOLANA, RPC_ETH, RPC_BASE, RPC_BSC or RPC_ and a chain id name its providers), or the URL of a platform server.",
    /^(simulator|chain|https?:\/\/[^\s]+)$/,
    '"simulator", "chain" or a URL that starts with http:// or https://',
    SIMULATOR,
  ),
  UPSTREAM_DEADLINE_MS: wholeNumber(
    "How long a live read may take before it is a free 503.",
    4_000,
    50,
    60_000,
  ),
  SIMULATOR_SEED: matching(
    "The seed of the simulated world.",
    /^[\w.-]{1,64}$/,
    "1 to 64 letters, digits, dots, dashes or underscores",
    "crowdtape",
  ),
  SIMULATOR_EVENTS_PER_SECOND: decimal(
    "How many events per second the simulated world produces.",
    0.07,
    0.001,
    10_000,
  ),
  SIMULATOR_HISTORY_EVENTS_PER_SECOND: decimal(
    "Its rate of events just before its first start, unless SIMULATOR_EVENTS_PER_SECOND is lower. A lower rate starts faster.",
    0.07,
    0.001,
    1,
  ),
  SIMULATOR_TRADERS: wholeNumber("How many traders the simulated world has.", 2_000, 50, 20_000),
  SIMULATOR_COPIERS: wholeNumber(
    "How many extra accounts in the simulated world copy a trader, by the terms in their bio; their profit can be checked against a replay.",
    0,
    0,
    // A pending order identifies its copier in one byte.
    200,
  ),
  SIMULATOR_BAITERS: wholeNumber(
    "How many extra accounts live off those who copy them, each with a copier; their bio says bait.",
    0,
    0,
    10,
  ),
  SIMULATOR_HISTORY_DAYS: wholeNumber(
    "How many days of full trading history the simulated world has at its first start.",
    31,
    1,
    60,
  ),
  SIMULATOR_SCENARIO: oneOf(
    "A scenario that the simulator plays seconds after each start, for demonstrations and for testing bots.",
    "none",
    ["none", "launch", "rug", "whale", "reorg", "rename", "outage", "quiet"],
  ),
  SIMULATOR_ADMIN_TOKEN: secret(
    matching(
      'The token that "crowdtape simulator serve" requires for injecting faults.',
      /^[\x21-\x7e]{8,128}$/,
      "8 to 128 visible characters",
    ),
  ),
  ...TRACKER_SETTINGS,
  ALTCHAIN_NAME: matching(
    "The name of chain 4663 in answers.",
    /^[a-z][a-z0-9-]{1,31}$/,
    "2 to 32 lower-case letters, digits or dashes",
    "altchain",
  ),
  ALTCHAIN_ALIASES: list(
    "Other accepted names for chain 4663.",
    /^[a-z][a-z0-9-]{0,31}$/,
    "short lower-case names",
  ),
  EXPLORER: matching(
    "Who may use the explorer: open for everyone (free, limited by address, alerts 60 s late), key for those who enter one, or off. Without it, open while HOST is a loopback address, else key.",
    /^(open|key|off)$/,
    "open, key or off",
  ),
  TRUSTED_PROXIES: list(
    "Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted.",
    /^[0-9a-fA-F.:]+(\/\d{1,3})?$/,
    "IP addresses or CIDR ranges",
  ),
  ADMIN_KEY: secret(
    matching(
      "The operator's key to the pages at /admin, 32 characters or more; without it and ADMIN_HEADER there are no such pages.",
      /^[\x21-\x7e]{32,200}$/,
      "32 to 200 characters without spaces",
    ),
  ),
  ADMIN_HEADER: matching(
    "A header in which a proxy of TRUSTED_PROXIES names the person it let through to /admin; the proxy must remove what clients send under that name.",
    /^(?!(authorization|cookie|host|origin|x-forwarded-for|x-crowdtape-page)$)[a-z][a-z0-9-]{2,63}$/i,
    "the name of a header, such as X-Admin-User",
  ),
  ADMIN_NAMES: list(
    "The names accepted in ADMIN_HEADER; without it, any name that the proxy sends.",
    /^[\w.@+-]{1,100}$/,
    "names of letters, digits, dots, dashes and @",
  ),
  ALLOWED_ORIGINS: list(
    "Browser origins that may open streams; * allows all.",
    /^(\*|https?:\/\/[^\s/]+)$/,
    "origins such as https://app.example, or *",
    "*",
  ),
  SOLANA_RPC_URL: secret(url("A Solana RPC; without it stablecoin payments run on the built-in test chain.")),
  SOLANA_RECIPIENT: matching(
    "The wallet that stablecoin payments go to.",
    BASE58_ADDRESS,
    "a Solana address",
  ),
  SOLANA_MINT: matching("The stablecoin's mint.", BASE58_ADDRESS, "a Solana address"),
  SOLANA_MINT_SYMBOL: matching(
    "The stablecoin's symbol.",
    /^[A-Za-z0-9.]{1,12}$/,
    "1 to 12 letters or digits",
    "USDC",
  ),
  SOLANA_MINT_DECIMALS: wholeNumber("The stablecoin's decimals.", 6, 2, 12),
  PAYMENT_EXPIRES_MINUTES: wholeNumber(
    "How long a stablecoin payment may be paid before it counts as late.",
    60,
    5,
    10_080,
  ),
  STRIPE_SECRET_KEY: secret(
    matching(
      "Stripe's secret or restricted key; without it card payments are simulated on the simulator and disabled elsewhere.",
      /^[sr]k_(test|live)_\w{8,}$/,
      "a key that starts with sk_ or rk_",
    ),
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    matching(
      "The secret that Stripe signs its notices to /stripe/webhook with.",
      /^whsec_\S{8,}$/,
      "a secret that starts with whsec_",
    ),
  ),
  STRIPE_PRICE_STARTER: stripePrice("Starter"),
  STRIPE_PRICE_GROWTH: stripePrice("Growth"),
  STRIPE_PRICE_SCALE: stripePrice("Scale"),
  STRIPE_API_BASE: url("Another address for Stripe's API, such as a stand-in for tests."),
  SMTP_URL: secret(
    url("The mail server; without it mails are written to the outbox folder of DATA_DIR.", ["smtp", "smtps"]),
  ),
  MAIL_FROM: matching(
    "The sender of mails.",
    /^[^\r\n<>]*(<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    "an address, or a name and an address in <>",
    "Crowdtape <crowdtape@localhost>",
  ),
  WEBHOOK_TARGETS: oneOf(
    "Where webhooks may be delivered: https on public addresses, or, for tests on one machine, any address, also over http.",
    "public",
    ["public", "any"],
  ),
  VAPID_PUBLIC_KEY: matching(
    'The public key of Web Push; "crowdtape push keys" makes a pair. Without it the explorer notifies only while one of its pages is open.',
    /^B[\w-]{86}$/,
    "87 characters that start with B",
  ),
  VAPID_PRIVATE_KEY: secret(matching("The private key that belongs to it.", /^[\w-]{43}$/, "43 characters")),
  VAPID_SUBJECT: matching(
    "The contact given to browsers' push services: mailto: and an address, or an https URL.",
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
    "mailto:you@example.com, or a URL that starts with https://",
  ),
  ...BOT_SETTINGS,
  RETENTION_LOG_DAYS: wholeNumber("How many days of the log to keep.", 90, 1, 3_650),
  RETENTION_FILLS_DAYS: wholeNumber("How many days of fills and candles to keep.", 365, 1, 3_650),
  TAPE_DAYS: wholeNumber("How many days of the tape that replays read to keep.", 90, 1, 3_650),
  TAPE_MB: wholeNumber(
    "The maximum size of that tape in megabytes; the oldest hours are evicted.",
    1_000,
    1,
    10_000_000,
  ),
  COPY_BOARD_TRADERS: wholeNumber(
    "How many traders the copy leaderboard replays in the background, the busiest of the last 30 days first; 0: no such board.",
    2_000,
    0,
    100_000,
  ),
  HISTORY: matching(
    "Where closed days are written as Parquet files: a folder, or s3://BUCKET/NAME. Without it none are written.",
    /^(?!s3:)[^\s].*|^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/,
    "a folder, or an address such as s3://bucket/name",
  ),
  HISTORY_PUBLIC: oneOf("Whether days older than 30 days are public at /history/.", "0", ["0", "1"]),
  PAPER_SETTLE_SECONDS: wholeNumber(
    "How long after its time an order of a paper follow is decided: as long as the platform's app may take to show a trade.",
    20,
    0,
    600,
  ),
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
    "How long sockets have to reconnect and requests to finish after a stop signal.",
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
  SHARE_PORT: oneOf("Whether other processes on this machine may listen on PORT too.", "no", ["no", "yes"]),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    "An OpenTelemetry collector that accepts traces as OTLP over HTTP; without it no traces are sent.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    list(
      "Headers for the collector, as name=value.",
      /^[\w-]{1,64}=[\x21-\x2b\x2d-\x7e]{1,1024}$/,
      "headers such as authorization=Bearer%20abc",
    ),
  ),
  OTEL_SERVICE_NAME: matching(
    "The name of this service in traces.",
    /^[\w.-]{1,64}$/,
    "1 to 64 letters, digits, dots, dashes or underscores",
    "crowdtape",
  ),
  OTEL_TRACES_SAMPLER_ARG: decimal(
    "The share of requests that are traced, regardless of what callers request.",
    1,
    0,
    1,
  ),
  LOG_LEVEL: oneOf("How much to log.", "info", ["debug", "info", "warn", "error", "silent"]),
} as const;
