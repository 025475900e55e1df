// Every generated file with the text it must have: the script writes them, a test compares them.
import { formatted } from "./format.ts";
import { writeTypescript } from "./typescript.ts";

export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    "client/src/generated.ts": await formatted(writeTypescript(), "client/src/generated.ts"),
  };
}
