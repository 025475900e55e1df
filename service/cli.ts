// `crowdtape`: the operator's verbs.
import { doctor } from "./commands/doctor.ts";
import { key } from "./commands/key.ts";
import { migrate } from "./commands/migrate.ts";
import { pay } from "./commands/pay.ts";
import { CommandRefused, runCommand } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import { platform, simulator } from "./commands/simulator.ts";
import { store } from "./commands/store-copy.ts";
import { watch } from "./commands/watch.ts";

const HELP = `crowdtape: a social trading data service that anyone can run

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

const [verb = "help", ...rest] = process.argv.slice(2);
process.exitCode = await runCommand(async () => {
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!run) throw new CommandRefused(`There is no command "${verb}".\n\n${HELP}`);
  await run(rest);
});
