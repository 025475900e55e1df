// The one way to declare a command: its name, its arguments and its action. Help, errors and the exit code follow from that.
// Arguments are parsed strictly: an unknown one is refused with a sentence, never ignored.
import { parseArgs } from "node:util";
import { Refused } from "./refused.ts";

export type VerbOptions = Readonly<Record<string, { type: "string" | "boolean"; short?: string }>>;

type OptionValues<O extends VerbOptions> = {
  readonly [Name in keyof O]?: O[Name]["type"] extends "boolean" ? boolean : string;
};

/** A command's arguments. */
export interface Given<O extends VerbOptions = VerbOptions> {
  words: string[];
  values: OptionValues<O>;
}

export interface Verb<O extends VerbOptions = VerbOptions> {
  /** The usage after `crowdtape`; starts with the verb's name. */
  usage: string;
  summary: string;
  /** Further lines of the help: options and examples. */
  details?: string;
  /** Where to read more; ends the help and an error. */
  hint?: string;
  options?: O;
  /** How many words it takes in addition to its options; none by default. */
  words?: readonly [least: number, most: number];
  run(given: Given<O>): Promise<void>;
}

/** By name; a name may have two words, such as "key create". */
export type VerbTable = Readonly<Record<string, Verb>>;

/** Declares a verb whose options give their types to `run`. */
export function verb<const O extends VerbOptions>(declared: Verb<O>): Verb {
  return declared as unknown as Verb;
}

/** A verb and its remaining arguments. */
export function findVerb(table: VerbTable, argv: readonly string[]): { found: Verb; rest: string[] } | null {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(" ");
    const found = Object.hasOwn(table, name) ? table[name] : undefined;
    if (found) return { found, rest: argv.slice(length) };
  }
  return null;
}

/** The verbs that start with a word, such as all of `key`. */
export const verbsOf = (table: VerbTable, word: string): Verb[] =>
  Object.entries(table).flatMap(([name, each]) => (name.startsWith(`${word} `) ? [each] : []));

export const listOf = (verbs: readonly Verb[]): string =>
  verbs.map(({ usage, summary }) => `  crowdtape ${usage}\n      ${summary}`).join("\n");

const HELP = { help: { type: "boolean", short: "h" } } as const;

export async function runVerb(declared: Verb, argv: string[]): Promise<void> {
  const { values, positionals } = parse(declared, argv);
  if (values.help) return void process.stdout.write(`${helpOf(declared)}\n`);
  const [least, most] = declared.words ?? [0, 0];
  if (positionals.length < least || positionals.length > most) throw new Refused(usageOf(declared));
  await declared.run({ words: positionals, values: values as Given["values"] });
}

function parse(declared: Verb, argv: string[]) {
  try {
    return parseArgs({
      args: withNegatives(declared, argv),
      options: { ...declared.options, ...HELP },
      allowPositionals: true,
    });
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n${usageOf(declared)}`);
  }
}

/** `--size -5` is an invalid value, and the verb reports it better than a parser that takes it for an option. */
function withNegatives({ options = {} }: Verb, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of argv) {
    const last = joined.at(-1) ?? "";
    const takesText = last.startsWith("--") && options[last.slice(2)]?.type === "string";
    if (takesText && /^-\.?\d/.test(word)) joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

const usageOf = ({ usage, hint }: Verb) => `Use it as: crowdtape ${usage}${hint ? `\n${hint}` : ""}`;

const helpOf = ({ usage, summary, details, hint }: Verb) =>
  [`crowdtape ${usage}`, `  ${summary}`, details, hint].filter(Boolean).join("\n\n");

/** Runs a command to completion: 0 on success, otherwise 1 and an error message. */
export async function exitCodeOf(
  work: () => Promise<void>,
  explain: (error: unknown) => string,
): Promise<number> {
  // The reader of a pipe may have exited: `crowdtape tail | head`.
  process.stdout.on("error", () => process.exit(0));
  try {
    await work();
    return 0;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === "EPIPE") return 0;
    console.error(explain(error));
    return 1;
  }
}

export function wholeNumber(
  name: string,
  text: string | undefined,
  low = 0,
  high = 999_999_999_999_999,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= low && number <= high))
    throw new Refused(`${name} must be a whole number from ${low} to ${high}.`);
  return number;
}

/** The service checks the range. */
export function decimalNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,12}(\.\d{1,8})?$/.test(text)) throw new Refused(`${name} must be a number.`);
  return Number(text);
}
