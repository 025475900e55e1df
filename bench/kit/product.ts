// How the product is run by its own start script: the same settings of the runtime, so that a benchmark measures what a
// user gets, without a shell between.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "..", "..");

const { scripts }: { scripts: { start: string } } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

/** `NAME=${NAME:-value}` before the command. */
export const START_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  [...scripts.start.matchAll(/(?:^|\s)(\w+)=\$\{\w+:-([^}]*)\}/g)].map(([, name, value]) => [
    String(name),
    String(value),
  ]),
);

export const START_PROGRAM: string = scripts.start.split(" ").at(-1) ?? "";
