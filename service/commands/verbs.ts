// The operator's verbs of `crowdtape`, and what it says of itself. A verb is loaded when it is used: the help needs none of
// them, and one that looks at keys does not wait for the server's code.
import { READING_HELP } from "../../client/cli/main.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { CommandRefused, runCommand } from "./run.ts";
import { USAGE } from "./usage.ts";

type Verb = (argv: string[]) => Promise<void>;

const VERBS: Record<keyof typeof USAGE, () => Promise<Verb>> = {
  serve: async () => (await import("./serve.ts")).serve,
  simulator: async () => (await import("./simulator.ts")).simulator,
  key: async () => (await import("./key.ts")).key,
  account: async () => (await import("./account.ts")).account,
  pay: async () => (await import("./pay.ts")).pay,
  roster: async () => (await import("./roster.ts")).roster,
  tracker: async () => (await import("./tracker.ts")).tracker,
  watch: async () => (await import("./watch.ts")).watch,
  migrate: async () => (await import("./migrate.ts")).migrate,
  store: async () => (await import("./store-copy.ts")).store,
  backup: async () => (await import("./backup.ts")).backup,
  doctor: async () => (await import("./doctor.ts")).doctor,
};

/** A former name, which works and is not advertised. */
const FORMER_SIMULATOR = "platform";

const SETTINGS_HINT = "Settings are read from the environment; docs/settings.md lists them.";

const HELP = `crowdtape: a social trading data service that anyone can run

Reading from a service (crowdtape COMMAND --help says more):
${READING_HELP}

Running one:

${Object.values(USAGE).join("\n")}

${SETTINGS_HINT}`;

const isVerb = (word: string): word is keyof typeof VERBS => Object.hasOwn(VERBS, word);

/** Runs one of them; the exit code. */
export function runOperating(verb: string, argv: string[]): Promise<number> {
  return runCommand(async () => {
    if (verb === "help" || verb === "--help" || verb === "-h") return console.log(HELP);
    if (verb === "--version" || verb === "version") return console.log(`crowdtape ${SERVICE_VERSION}`);
    const known = verb === FORMER_SIMULATOR ? "simulator" : verb;
    if (!isVerb(known)) throw new CommandRefused(`There is no command "${verb}".\n\n${HELP}`);
    if (argv.includes("--help") || argv.includes("-h"))
      return console.log(`${USAGE[known].replace(/^ {2}/gm, "")}\n\n${SETTINGS_HINT}`);
    if (verb === FORMER_SIMULATOR) return (await import("./simulator.ts")).platform(argv);
    await (await VERBS[known]())(argv);
  });
}
