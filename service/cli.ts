// `crowdtape`: the verbs that read from a service, and the operator's. The operator's load the whole service, the others
// nothing of it.
import { runReading } from "../client/cli/main.ts";

const [verb = "help", ...rest] = process.argv.slice(2);
const read = await runReading(verb, rest);
process.exitCode = read ?? (await (await import("./commands/verbs.ts")).runOperating(verb, rest));
