// The operator's verbs of `crowdtape`, and what it says of itself. A verb's usage stands beside the verb, so that the help
// of all and the help of one can't differ.
import { READING_HELP } from "../../client/cli/main.ts";
import { SERVICE_VERSION } from "../../contract/version.ts";
import { ACCOUNT_USAGE, account } from "./account.ts";
import { BACKUP_USAGE, backup } from "./backup.ts";
import { doctor } from "./doctor.ts";
import { KEY_USAGE, key } from "./key.ts";
import { migrate } from "./migrate.ts";
import { PAY_USAGE, pay } from "./pay.ts";
import { roster } from "./roster.ts";
import { CommandRefused, runCommand } from "./run.ts";
import { serve } from "./serve.ts";
import { platform, simulator } from "./simulator.ts";
import { store } from "./store-copy.ts";
import { TRACKER_USAGE, tracker } from "./tracker.ts";
import { watch } from "./watch.ts";

interface Verb {
  /** Empty for a former name, which works and is not advertised. */
  usage: string;
  run(argv: string[]): Promise<void>;
}

const VERBS: Record<string, Verb> = {
  serve: {
    usage: "  crowdtape serve                     run the service (the same as npm start)",
    run: serve,
  },
  simulator: {
    usage: "  crowdtape simulator serve           run the simulator as a server of its own",
    run: simulator,
  },
  platform: { usage: "", run: platform },
  key: { usage: KEY_USAGE, run: key },
  account: { usage: ACCOUNT_USAGE, run: account },
  pay: { usage: PAY_USAGE, run: pay },
  roster: {
    usage: `  crowdtape roster import FILE | export [--json] | list [--json] | remove HANDLE… | webhook PROVIDER
                                      whom the tracker follows: CSV (handle,displayName,solana,evm) or JSON`,
    run: roster,
  },
  tracker: { usage: TRACKER_USAGE, run: tracker },
  watch: {
    usage: "  crowdtape watch URL [--key KEY]     print a stream's frames",
    run: watch,
  },
  migrate: {
    usage: "  crowdtape migrate                   bring the database's schema up to date",
    run: migrate,
  },
  store: {
    usage: `  crowdtape store copy --from sqlite:FOLDER|postgres://… [--to postgres://…]
                                      move a whole store into an empty one (without --to: into DATABASE_URL)
  crowdtape store new-epoch           after restoring an older back-up: tell clients that later positions are gone`,
    run: store,
  },
  backup: { usage: BACKUP_USAGE, run: backup },
  doctor: {
    usage:
      "  crowdtape doctor                    check settings, disk, store, books, upstream, mail and payments",
    run: doctor,
  },
};

const SETTINGS_HINT = "Settings are read from the environment; docs/settings.md lists them.";

const HELP = `crowdtape: a social trading data service that anyone can run

Reading from a service (crowdtape COMMAND --help says more):
${READING_HELP}

Running one:

${Object.values(VERBS)
  .flatMap(({ usage }) => usage || [])
  .join("\n")}

${SETTINGS_HINT}`;

/** Runs one of them; the exit code. */
export function runOperating(verb: string, argv: string[]): Promise<number> {
  return runCommand(async () => {
    if (verb === "help" || verb === "--help" || verb === "-h") return console.log(HELP);
    if (verb === "--version" || verb === "version") return console.log(`crowdtape ${SERVICE_VERSION}`);
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!known) throw new CommandRefused(`There is no command "${verb}".\n\n${HELP}`);
    if (argv.includes("--help") || argv.includes("-h")) {
      return console.log(`${known.usage.replace(/^ {2}/gm, "")}\n\n${SETTINGS_HINT}`);
    }
    await known.run(argv);
  });
}
