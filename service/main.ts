// What `npm start` runs: starts the service with its settings, prints its address, and waits for a stop signal.
import { runCommand } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";

process.exitCode = await runCommand(serve);
