// A command's arguments, read strictly: what is not known is refused in a sentence, never ignored.
import { parseArgs } from "node:util";
import { CommandRefused } from "./run.ts";

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

export function readArguments<const O extends Options>(
  argv: string[],
  options: O,
  allowPositionals: boolean = false,
) {
  try {
    return parseArgs({ args: argv, options, allowPositionals, strict: true });
  } catch (problem) {
    throw new CommandRefused(problem instanceof Error ? problem.message : String(problem));
  }
}

export function wholeNumberOf(
  name: string,
  text: string | undefined,
  low: number,
  high: number,
): number | null {
  if (text === undefined) return null;
  const number = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= low && number <= high))
    throw new CommandRefused(`${name} must be a whole number from ${low} to ${high}`);
  return number;
}

/** For commands that are told everything by settings. */
export function withoutArguments(name: string, argv: string[]): void {
  if (argv.length > 0)
    throw new CommandRefused(
      `crowdtape ${name} takes no arguments; it reads settings from the environment, such as PORT=8081. docs/settings.md lists them.`,
    );
}
