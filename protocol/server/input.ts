// Path and query input from a caller, parsed with bounds. Anything malformed is a BadInput that names the
// parameter, which the server answers with 400 and never lets reach the platform.

export class BadInput extends Error {
  override name: string = "BadInput";
  constructor(readonly parameter: string) {
    super(`${parameter} is not in the form this call takes`);
  }
}

/** Addresses, handles, cursors and search words are all shorter; nothing longer is looked up. */
const TEXT_LENGTH_MAX = 200;
/** A list of a hundred tokens is some 6 KB; nothing longer is parsed. */
const LIST_LENGTH_MAX = 16 * 1024;
const WHOLE_NUMBER = /^\d{1,16}$/;

export type QuestionParameters = Readonly<Record<string, string | undefined>>;

export interface QuestionInput {
  text(name: string): string;
  optionalText(name: string): string | undefined;
  integer(name: string, least: number, most: number): number;
  optionalInteger(name: string, least: number, most: number): number | undefined;
  /** Given several times, or with commas between. */
  list(name: string, itemsMax: number): string[];
  oneOf<const Choice extends string>(name: string, choices: readonly Choice[]): Choice;
  optionalOneOf<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined;
}

export function readInput(parameters: QuestionParameters): QuestionInput {
  const optionalText = (name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) return undefined;
    if (value.length === 0 || value.length > TEXT_LENGTH_MAX) throw new BadInput(name);
    return value;
  };
  const optionalInteger = (name: string, least: number, most: number) => {
    const value = optionalText(name);
    if (value === undefined) return undefined;
    const number = WHOLE_NUMBER.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw new BadInput(name);
    return number;
  };
  const optionalOneOf = <const Choice extends string>(name: string, choices: readonly Choice[]) => {
    const value = optionalText(name);
    if (value === undefined) return undefined;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new BadInput(name);
    return choice;
  };
  const list = (name: string, itemsMax: number) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined || value.length === 0 || value.length > LIST_LENGTH_MAX) throw new BadInput(name);
    const items = value.split(",");
    if (items.length > itemsMax || items.includes("")) throw new BadInput(name);
    return items;
  };
  return {
    optionalText,
    list,
    optionalInteger,
    optionalOneOf,
    text: (name) => required(name, optionalText(name)),
    integer: (name, least, most) => required(name, optionalInteger(name, least, most)),
    oneOf: (name, choices) => required(name, optionalOneOf(name, choices)),
  };
}

function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new BadInput(name);
  return value;
}
