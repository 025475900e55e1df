// How every command ends: quietly when it worked, with sentences when a person can mend it, with the whole story when
// the program is at fault.
import { withoutSecrets } from "../kit/log.ts";
import { BadSettings } from "../kit/settings.ts";
import { SchemaMismatch, StoreUnavailable } from "../store/errors.ts";

/** A command was used wrongly, or can not do what it was asked; the message says what to do. */
export class CommandRefused extends Error {}

export async function runCommand(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (problem) {
    console.error(withoutSecrets(explain(problem)));
    return 1;
  }
}

function explain(problem: unknown): string {
  if (problem instanceof BadSettings) {
    return [
      "Crowdtape can not start with these settings:",
      ...problem.faults.map((fault) => `  - ${fault}`),
    ].join("\n");
  }
  if (problem instanceof CommandRefused || problem instanceof SchemaMismatch) return problem.message;
  if (problem instanceof StoreUnavailable) {
    return `${problem.message} Check that DATABASE_URL points to a running PostgreSQL, or that DATA_DIR can be written.`;
  }
  if (problem instanceof Error && "code" in problem && problem.code === "EADDRINUSE") {
    return "The port is already in use. Stop what listens there, or choose another with PORT=8081.";
  }
  if (problem instanceof Error && problem.name === "ForeignWorld") return problem.message;
  return problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
}
