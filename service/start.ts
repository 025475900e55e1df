// Starts the service as its settings say, tells where it is, and waits to be told to stop.

import { runCommand } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";

process.exitCode = await runCommand(serve);
