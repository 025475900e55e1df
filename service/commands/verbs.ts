// The operator's verbs of `crowdtape`, and what it says of itself.
import { READING_HELP } from "../../client/cli/main.ts";
import { doctor } from "./doctor.ts";
import { key } from "./key.ts";
import { migrate } from "./migrate.ts";
import { pay } from "./pay.ts";
import { CommandRefused, runCommand } from "./run.ts";
import { serve } from "./serve.ts";
import { platform, simulator } from "./simulator.ts";
import { store } from "./store-copy.ts";
import { watch } from "./watch.ts";

const HELP = `crowdtape: a social trading data service that anyone can run

Reading from a service (crowdtape COMMAND --help says more):
${READING_HELP}

Running one:

  crowdtape serve                     run the service (the same as npm start)
  crowdtape simulator serve           run the simulator as a server of its own
  crowdtape key create --plan PLAN --email ADDRESS [--name NAME] [--prepaid CREDITS] [--monthly-cap CREDITS]
                       [--created-days-ago DAYS] [--requests-per-minute N] [--test] [--json]
  crowdtape key list [--json]
  crowdtape key revoke KEY_ID
  crowdtape pay test PAYMENT_ID [--amount USD]   pay on the built-in test chain
  crowdtape watch URL [--key KEY]     print a stream's frames
  crowdtape migrate                   bring the database's schema up to date
  crowdtape store copy --from sqlite:FOLDER|postgres://… [--to postgres://…]
                                      move a whole store into an empty one (without --to: into DATABASE_URL)
  crowdtape store new-epoch           after restoring an older back-up: tell clients that later positions are gone
  crowdtape doctor                    check settings, disk, store, books and upstream

Settings are read from the environment; docs/settings.md lists them.`;

const VERBS: Record<string, (rest: string[]) => Promise<void>> = {
  serve,
  simulator,
  platform,
  key,
  pay,
  watch,
  migrate,
  store,
  doctor,
  help: async () => console.log(HELP),
  "--help": async () => console.log(HELP),
};

/** Runs one of them; the exit code. */
export function runOperating(verb: string, argv: string[]): Promise<number> {
  return runCommand(async () => {
    const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!run) throw new CommandRefused(`There is no command "${verb}".\n\n${HELP}`);
    await run(argv);
  });
}
