// Every generated file with its expected text: the script writes them, a test compares them.
import { writeColumns } from "./columns.ts";
import { formatted } from "./format.ts";
import { writePython } from "./python.ts";
import { writeErrors, writeTypescript } from "./typescript.ts";

export async function generatedFiles(): Promise<Record<string, string>> {
  const typescript = {
    "client/src/generated.ts": writeTypescript(),
    "client/src/errors.ts": writeErrors(),
    "client/cli/columns.ts": writeColumns(),
  };
  const written = Object.entries(typescript).map(async ([path, text]) => [path, await formatted(text, path)]);
  return {
    ...Object.fromEntries(await Promise.all(written)),
    "client/python/crowdtape/_generated.py": writePython(),
  };
}
