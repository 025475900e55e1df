// The declarations of the operator's verbs. A verb's code is loaded on use: the help needs none of it, and listing keys does
// not wait for the server's code.
import { READING_VERBS } from "../../client/cli/main.ts";
import { Refused } from "../../client/cli/refused.ts";
import {
  findVerb,
  listOf,
  runVerb,
  type Verb,
  type VerbOptions,
  type VerbTable,
  verb,
  verbsOf,
} from "../../client/cli/verb.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { runCommand } from "./run.ts";

const SETTINGS_HINT =
  "Settings are read from the environment, such as PORT=8081; docs/settings.md lists them.";

const operator = <const O extends VerbOptions>(declared: Verb<O>): Verb =>
  verb({ ...declared, hint: SETTINGS_HINT });

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const OPERATOR_VERBS: VerbTable = {
  serve: operator({
    usage: "serve",
    summary: "Runs the service, as npm start does.",
    run: async () => (await import("./serve.ts")).serve(),
  }),
  "simulator serve": operator({
    usage: "simulator serve",
    summary: "Runs the simulator as a standalone server.",
    run: async () => (await import("./simulator.ts")).serveSimulator(),
  }),
  "tracker serve": operator({
    usage: "tracker serve",
    summary: "Runs the tracker of real chains as a standalone server.",
    run: async () => (await import("./tracker.ts")).serveTracker(),
  }),
  "tracker explain": operator({
    usage: "tracker explain FILE…|HASH --chain NAME [--wallet ADDRESS] [--json]",
    summary: "What the tracker sees in a transaction: one JSON line for each wallet.",
    options: { chain: text, wallet: text, json: flag },
    words: [1, Number.POSITIVE_INFINITY],
    run: async ({ words, values }) => (await import("./tracker.ts")).explainAll(words, values),
  }),
  "bot telegram": operator({
    usage: "bot telegram",
    summary: "A Telegram bot: alerts for each chat's follows, and answers to /pnl, /copy, /top and /now.",
    details: `  BOT_TELEGRAM_TOKEN        the token that @BotFather gave
  BOT_KEY, BOT_SERVER       the API key and the service; the saved login's without them
  BOT_TELEGRAM_WEBHOOK      has updates posted to BOT_PORT instead of polling`,
    run: async () => (await import("./bot.ts")).runTelegramBot(),
  }),
  "bot discord": operator({
    usage: "bot discord",
    summary: "A Discord bot: alerts to channels, and the same commands as slash commands.",
    details: `  BOT_DISCORD_TOKEN         the token of your application's bot
  BOT_DISCORD_WEBHOOK       or only a channel's webhook, which gets what BOT_DISCORD_FOLLOW says
  BOT_KEY, BOT_SERVER       the API key and the service; the saved login's without them
  BOT_HOST, BOT_PORT        where Discord's interactions arrive`,
    run: async () => (await import("./bot.ts")).runDiscordBot(),
  }),
  "key create": operator({
    usage: "key create --plan PLAN --email ADDRESS [options]",
    summary: "Creates an account with a key and shows the key once.",
    details: `  --name NAME               a name for the key
  --prepaid CREDITS         credits that do not expire
  --monthly-cap CREDITS     the most that this key may spend in a month
  --requests-per-minute N   its own rate limit
  --created-days-ago DAYS   as if it had been created then
  --test                    a key for trying out
  --json                    print everything as JSON`,
    options: {
      plan: text,
      email: text,
      name: text,
      prepaid: text,
      "created-days-ago": text,
      "requests-per-minute": text,
      "monthly-cap": text,
      test: flag,
      json: flag,
    },
    run: async ({ values }) => (await import("./key.ts")).createKey(values),
  }),
  "key list": operator({
    usage: "key list [--json]",
    summary: "All keys, without their secrets.",
    options: { json: flag },
    run: async ({ values }) => (await import("./key.ts")).listKeys(values),
  }),
  "key revoke": operator({
    usage: "key revoke KEY_ID",
    summary: "Revokes a key; crowdtape key list shows the ids.",
    words: [1, 1],
    run: async ({ words }) => (await import("./key.ts")).revokeKey(String(words[0])),
  }),
  "account show": operator({
    usage: "account show ACCOUNT_ID|EMAIL [--json]",
    summary: "Plan, balances, keys and the latest entries of an account.",
    options: { json: flag },
    words: [1, 1],
    run: async ({ words, values }) => (await import("./account.ts")).showAccount(String(words[0]), values),
  }),
  "account grant": operator({
    usage: "account grant ACCOUNT_ID CREDITS [--reference TEXT]",
    summary: "Grants prepaid credits; the same reference grants them only once.",
    options: { reference: text },
    words: [2, 2],
    run: async ({ words, values }) =>
      (await import("./account.ts")).grantCredits(String(words[0]), String(words[1]), values),
  }),
  "pay list": operator({
    usage: "pay list [--payment PAYMENT_ID] [--json]",
    summary: "Transfers that named no payment, or all transfers of one payment.",
    options: { payment: text, json: flag },
    run: async ({ values }) => (await import("./pay.ts")).listTransfers(values),
  }),
  "pay assign": operator({
    usage: "pay assign SIGNATURE PAYMENT_ID",
    summary: "Credits a transfer that named no payment to a payment, once the chain confirms it again.",
    words: [2, 2],
    run: async ({ words }) => (await import("./pay.ts")).assignTransfer(String(words[0]), String(words[1])),
  }),
  "pay recheck": operator({
    usage: "pay recheck PAYMENT_ID",
    summary: "Looks for transfers to a payment again, however old it is.",
    words: [1, 1],
    run: async ({ words }) => (await import("./pay.ts")).recheckPayment(String(words[0])),
  }),
  "pay test": operator({
    usage: "pay test PAYMENT_ID [--amount USD]",
    summary: "Pays on the built-in test chain.",
    options: { amount: text },
    words: [1, 1],
    run: async ({ words, values }) => (await import("./pay.ts")).payOnTestChain(String(words[0]), values),
  }),
  "roster import": operator({
    usage: "roster import FILE|URL [--key KEY]",
    summary:
      "Adds the traders of a file or an https URL to those the tracker follows: CSV (handle,displayName,solana,evm,bio,x,picture), JSON or a signed roster.",
    options: { key: text },
    words: [1, 1],
    run: async ({ words, values }) => (await import("./roster.ts")).importFrom(String(words[0]), values),
  }),
  "roster export": operator({
    usage: "roster export [--json] [--sign KEYFILE --name NAME]",
    summary: "The followed traders as CSV, JSON or a signed roster, to import elsewhere.",
    options: { json: flag, sign: text, name: text },
    run: async ({ values }) => (await import("./roster.ts")).exportAll(values),
  }),
  "roster list": operator({
    usage: "roster list [--json]",
    summary: "The followed traders and how many wallets each has.",
    options: { json: flag },
    run: async ({ values }) => (await import("./roster.ts")).listAll(values),
  }),
  "roster remove": operator({
    usage: "roster remove HANDLE…",
    summary: "Stops following traders; their existing books stay.",
    words: [1, Number.POSITIVE_INFINITY],
    run: async ({ words }) => (await import("./roster.ts")).removeAll(words),
  }),
  "roster webhook": operator({
    usage: "roster webhook PROVIDER [--url URL]",
    summary: "How to have a node provider wake the tracker.",
    options: { url: text },
    words: [1, 1],
    run: async ({ words, values }) => (await import("./roster.ts")).explainWebhook(String(words[0]), values),
  }),
  "push keys": operator({
    usage: "push keys",
    summary: "Generates the key pair for Web Push, as settings.",
    run: async () => (await import("./push.ts")).makeKeys(),
  }),
  migrate: operator({
    usage: "migrate",
    summary: "Brings the database's schema up to date.",
    run: async () => (await import("./migrate.ts")).migrate(),
  }),
  "store copy": operator({
    usage: "store copy --from sqlite:FOLDER|postgres://… [--to postgres://…|sqlite:FOLDER]",
    summary: "Copies a whole store into an empty one; without --to, into DATABASE_URL.",
    options: { from: text, to: text },
    run: async ({ values }) => (await import("./store-copy.ts")).copy(values),
  }),
  "store new-epoch": operator({
    usage: "store new-epoch",
    summary: "After manually restoring an older copy: lets clients know that later positions are gone.",
    run: async () => (await import("./store-copy.ts")).newEpoch(),
  }),
  "history close": operator({
    usage: "history close",
    summary: "Closes final days into Parquet files in HISTORY; the service does this automatically.",
    run: async () => (await import("./history.ts")).closeHistory(),
  }),
  sql: operator({
    usage: 'sql "SELECT …" [--from DAY] [--to DAY] [--csv|--json] [--memory SIZE]',
    summary: "Queries the closed days in HISTORY with DuckDB, where it is installed.",
    details: `  fills, theses, traders, positions, candles_1m and ticks are tables; dt is the day:
    crowdtape sql "select tokenSymbol, sum(usd) from fills where dt = '2026-11-15' group by 1 order by 2 desc limit 10"
  --from, --to   only these days; from a bucket, only their files are downloaded, into DATA_DIR
  --memory       DuckDB's memory limit, 1GB by default; the rest is spilled to DATA_DIR`,
    options: { csv: flag, json: flag, from: text, to: text, memory: text },
    words: [1, 1],
    run: async ({ words, values }) => (await import("./sql.ts")).sql(String(words[0]), values),
  }),
  backup: operator({
    usage: "backup --to FILE|s3://BUCKET/NAME [--every 1h [--keep N]]",
    summary: "A consistent copy of everything stored, made while it is in use, with checksums.",
    details: `  --every 1h   makes one at this interval, from 10s to 24d, with the time in its name
  --keep N     removes all but the newest N of those files

PostgreSQL needs pg_dump. For s3:// the usual AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT are read.`,
    options: { to: text, every: text, keep: text },
    run: async ({ values }) => (await import("./backup/backup.ts")).backup(values),
  }),
  restore: operator({
    usage: "restore --from FILE|s3://BUCKET/NAME [--keep-epoch]",
    summary: "Restores a backup into an empty DATA_DIR, and an empty DATABASE_URL if it is of PostgreSQL.",
    details: `  --keep-epoch   nothing was served after the backup was made, so clients' positions stay valid`,
    options: { from: text, "keep-epoch": flag },
    run: async ({ values }) => (await import("./backup/restore.ts")).restore(values),
  }),
  doctor: operator({
    usage: "doctor",
    summary: "Checks settings, disk, store, books, upstream, mail and payments.",
    run: async () => (await import("./doctor.ts")).doctor(),
  }),
};

const HELP = `crowdtape: a social trading data service that anyone can run

Reading from a service (crowdtape COMMAND --help says more):
${listOf(Object.values(READING_VERBS))}

Running one:
${listOf(Object.values(OPERATOR_VERBS))}

${SETTINGS_HINT}`;

const isHelp = (word: string | undefined) => word === "--help" || word === "-h";

/** Runs one of them and returns the exit code. */
export function runOperating(argv: string[]): Promise<number> {
  return runCommand(async () => {
    const [word = "help", next] = argv;
    if (word === "help" || isHelp(word)) return console.log(HELP);
    if (word === "--version" || word === "version") return console.log(`crowdtape ${SERVICE_VERSION}`);
    const asked = findVerb(OPERATOR_VERBS, argv);
    if (asked) return runVerb(asked.found, asked.rest);
    const group = verbsOf(OPERATOR_VERBS, word);
    if (group.length === 0) throw new Refused(`There is no command "${word}".\n\n${HELP}`);
    const usages = `${listOf(group)}\n\n${SETTINGS_HINT}`;
    if (isHelp(next)) return console.log(usages);
    throw new Refused(`Use one of:\n${usages}`);
  });
}
