// How this program is started again, and what a person types for it: `npx crowdtape`, or the one file that it was compiled to.
import { basename, join } from "node:path";

const isOneFile = Bun.embeddedFiles.length > 0;

export const PROGRAM_COMMAND: readonly string[] = isOneFile
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, "..", "cli.ts")];

export const PROGRAM_TYPED = isOneFile ? `./${basename(process.execPath)}` : "npx crowdtape";
