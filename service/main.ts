// What `npm start` runs: starts the service as its settings say, prints where it is, and waits for a stop signal.
import { runCommand } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";

process.exitCode = await runCommand(serve);
