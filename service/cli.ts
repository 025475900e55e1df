// `crowdtape`: the verbs that read from a service, and the operator's. The operator's load the whole service, the others
// none of it.
import { runReading } from "../client/cli/main.ts";

const argv = process.argv.slice(2);
process.exitCode =
  (await runReading(argv)) ?? (await (await import("./commands/verbs.ts")).runOperating(argv));
