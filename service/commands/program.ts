// How this program restarts itself, and what a person types to run it: `npx crowdtape`, or the single compiled file.
import { basename, join } from "node:path";

const isOneFile = Bun.embeddedFiles.length > 0;

export const PROGRAM_COMMAND: readonly string[] = isOneFile
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, "..", "cli.ts")];

export const PROGRAM_TYPED = isOneFile ? `./${basename(process.execPath)}` : "npx crowdtape";
