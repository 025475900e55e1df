// Common to all read commands: a client for the server it names or is logged in to, and one way to print an answer:
// columns for people, JSON for programs, what it cost on the error channel.
import { type Crowdtape, createClient } from "../src/client.ts";
import { readLogin } from "./login.ts";
import { Refused } from "./refused.ts";
import { type Paint, painter } from "./terminal.ts";
import { count } from "./units.ts";
import { type Given, type Verb, type VerbOptions, verb, wholeNumber } from "./verb.ts";

export interface Reading<O extends VerbOptions = VerbOptions> extends Given<O & typeof COMMON> {
  client: Crowdtape;
  server: string;
  paint: Paint;
  /** Whether the output is a terminal. */
  isTerminal: boolean;
  isJson: boolean;
  /** Prints JSON if requested, otherwise the text; then the cost. */
  show(answer: object, text: () => string): Promise<void>;
  write(text: string): Promise<void>;
  /** For people, on stderr. */
  remark(text: string): void;
}

export const SERVER = "http://127.0.0.1:8080";

const COMMON = {
  server: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean" },
  "max-credits": { type: "string" },
} as const;

const COMMON_HELP = `  --server URL       the service (CROWDTAPE_SERVER, the saved login's, or http://127.0.0.1:8080)
  --key KEY          the API key (CROWDTAPE_KEY, or the saved login's; some calls work without)
  --max-credits N    spend at most N credits
  --json             the answer as JSON`;

interface DeclaredReading<O extends VerbOptions> extends Omit<Verb<O>, "run"> {
  run(reading: Reading<O>): Promise<void>;
}

export function reading<const O extends VerbOptions>(declared: DeclaredReading<O>): Verb {
  const { details, options } = declared;
  return verb({
    ...declared,
    details: details ? `${details}\n${COMMON_HELP}` : COMMON_HELP,
    options: { ...(options as O), ...COMMON },
    run: (given) => declared.run(readingOf(given as unknown as Given<O & typeof COMMON>)),
  });
}

function readingOf<O extends VerbOptions>(given: Given<O & typeof COMMON>): Reading<O> {
  const values = given.values as Given<typeof COMMON>["values"];
  const { client, server } = open(values);
  const isTerminal = process.stdout.isTTY === true;
  const isJson = values.json === true;
  const remark = (text: string) => {
    if (process.stderr.isTTY || isTerminal) process.stderr.write(`${text}\n`);
  };
  return {
    ...given,
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
  };
}

export function costOf({ credits: { spent, remaining } }: Crowdtape): string {
  return `${count(spent)} credits${remaining === null ? "" : `, ${count(remaining)} left`}`;
}

function open(values: Given<typeof COMMON>["values"]) {
  // The same as for the examples and the Python client; a key on the command line is visible to everyone on the machine.
  const { CROWDTAPE_SERVER, CROWDTAPE_KEY } = process.env;
  // A variable set to an empty string counts as unset.
  const namedServer = values.server ?? (CROWDTAPE_SERVER || undefined);
  // A key that comes with a server is sent to that one only.
  const isElsewhere =
    CROWDTAPE_SERVER && values.server !== undefined && !isSame(values.server, CROWDTAPE_SERVER);
  const namedKey = values.key ?? (isElsewhere ? undefined : CROWDTAPE_KEY || undefined);
  const login = namedServer === undefined || namedKey === undefined ? readLogin() : null;
  const server = namedServer ?? login?.server ?? SERVER;
  // A saved key is sent only to the server it was saved for.
  const saved = login && isSame(login.server, server) ? login.key : undefined;
  const key = namedKey ?? saved;
  if (!/^https?:\/\//.test(server))
    throw new Refused("The server must be an address such as https://api.example.com");
  const maxCredits = wholeNumber("--max-credits", values["max-credits"]);
  const client = createClient({
    server,
    ...(key === undefined ? {} : { key }),
    ...(maxCredits === undefined ? {} : { maxCredits }),
  });
  return { client, server };
}

const isSame = (one: string, other: string) => one.replace(/\/+$/, "") === other.replace(/\/+$/, "");

/** Waits for a slow reader, so that memory stays bounded. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
