// `crowdtape serve` with WORKERS: runs that many serving processes behind one port until a signal, which it forwards.

import { Refused } from "../../client/cli/refused.ts";
import { type Config, workerEnvironment } from "../config.ts";
import { createKit } from "../foundation.ts";
import { startWorkers } from "../ops/workers.ts";
import { PROGRAM_COMMAND } from "./program.ts";

export async function runWorkers(config: Config): Promise<void> {
  const { clock, log } = createKit(config);
  const workers = startWorkers({
    count: config.workers,
    command: [...PROGRAM_COMMAND, "serve"],
    environmentOf: (index) => workerEnvironment(config, index),
    clock,
    log,
  });
  // Forwards every signal, so that a second one ends the workers immediately.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => workers.signal(signal));
  if (!(await workers.ended)) throw new Refused("A worker did not end well; the log says why.");
}

/** Resolves when the process that started this one as a worker is gone; never for any other process. */
export function untilParentGone(): Promise<void> {
  return new Promise((resolve) => process.once("disconnect", () => resolve()));
}
