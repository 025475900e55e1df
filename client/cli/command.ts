// What every reading command has: its arguments read strictly, a client for the server it was told or logged in to, and
// one way to print an answer: columns for people, JSON for programs, what it cost on the error channel.
import { parseArgs } from "node:util";
import { type Crowdtape, createClient } from "../src/client.ts";
import { readLogin } from "./login.ts";
import { Refused } from "./refused.ts";
import { type Paint, painter } from "./terminal.ts";
import { count } from "./units.ts";

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

export interface Command<O extends Options = Options> {
  /** What follows `crowdtape`. */
  usage: string;
  summary: string;
  /** Further lines of the help: options and examples. */
  details?: string;
  options?: O;
  /** How many words it takes beside its options. */
  words: readonly [least: number, most: number];
  run(run: Run): Promise<void>;
}

export interface Run {
  words: string[];
  values: Record<string, string | boolean | undefined>;
  client: Crowdtape;
  server: string;
  paint: Paint;
  /** Whether people read the output. */
  isTerminal: boolean;
  isJson: boolean;
  /** JSON where it was asked for, the text otherwise; then what it cost. */
  show(answer: object, text: () => string): Promise<void>;
  write(text: string): Promise<void>;
  /** For people, beside the output. */
  remark(text: string): void;
}

export const SERVER = "http://127.0.0.1:8080";

const COMMON = {
  server: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  "max-credits": { type: "string" },
} as const;

const COMMON_HELP = `  --server URL       the service (the saved login's, or http://127.0.0.1:8080)
  --key KEY          the API key (the saved login's; some calls work without)
  --max-credits N    spend at most N credits
  --json             the answer as JSON`;

const helpOf = ({ usage, summary, details }: Command) =>
  `crowdtape ${usage}\n\n  ${summary}\n\n${details ? `${details}\n` : ""}${COMMON_HELP}\n`;

export async function runCommand(command: Command, argv: string[]): Promise<void> {
  const { values, positionals } = parse(command, argv);
  if (values.help) return void process.stdout.write(helpOf(command));
  const [least, most] = command.words;
  if (positionals.length < least || positionals.length > most)
    throw new Refused(`Use it as: crowdtape ${command.usage}`);
  const { client, server } = open(values);
  const isTerminal = process.stdout.isTTY === true;
  const isJson = values.json === true;
  const remark = (text: string) => {
    if (process.stderr.isTTY || isTerminal) process.stderr.write(`${text}\n`);
  };
  await command.run({
    words: positionals,
    values,
    client,
    server,
    paint: painter(isTerminal && Bun.enableANSIColors),
    isTerminal,
    isJson,
    remark,
    write,
    async show(answer, text) {
      await write(`${isJson ? JSON.stringify(answer, null, 2) : text()}\n`);
      remark(costOf(client));
    },
  });
}

export function costOf({ credits: { spent, remaining } }: Crowdtape): string {
  return `${count(spent)} credits${remaining === null ? "" : `, ${count(remaining)} left`}`;
}

function parse(command: Command, argv: string[]) {
  try {
    return parseArgs({ args: argv, options: { ...command.options, ...COMMON }, allowPositionals: true });
  } catch (problem) {
    throw new Refused(`${(problem as Error).message}\nUse it as: crowdtape ${command.usage}`);
  }
}

function open(values: Record<string, string | boolean | undefined>) {
  const login = values.server === undefined || values.key === undefined ? readLogin() : null;
  const server = (values.server as string | undefined) ?? login?.server ?? SERVER;
  // A saved key goes to the server that it was saved for, and to no other.
  const saved = login && login.server === server.replace(/\/+$/, "") ? login.key : undefined;
  const key = (values.key as string | undefined) ?? saved;
  if (!/^https?:\/\//.test(server))
    throw new Refused("--server must be an address such as https://api.example.com");
  const maxCredits = wholeNumber(values["max-credits"], "--max-credits");
  const client = createClient({
    server,
    ...(key === undefined ? {} : { key }),
    ...(maxCredits === undefined ? {} : { maxCredits }),
  });
  return { client, server };
}

export function wholeNumber(value: string | boolean | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(String(value))) throw new Refused(`${name} must be a whole number.`);
  return Number(value);
}

/** Waits for a slow reader, so that memory stays bounded. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (problem) => (problem ? reject(problem) : resolve()));
  });
}
