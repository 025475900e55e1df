// Reads settings from text and reports every fault at once, each in a sentence that names the setting.

import { z } from "zod";
import { BadSettings } from "./bad-settings.ts";

export interface Setting<T> {
  /** What it does, for the settings page. */
  about: string;
  /** The default as text, or null when it may be absent. */
  fallback: string | null;
  /** Secret values are never echoed back. */
  secret: boolean;
  /** Its message is the rest of the sentence "NAME must be ...". */
  schema: z.ZodType<T, string>;
}

type SettingsTable = Record<string, Setting<unknown>>;
type SettingsValues<T extends SettingsTable> = {
  [Name in keyof T]: T[Name] extends Setting<infer V> ? V : never;
};

const ECHOED_MAX = 80;

export function readSettings<T extends SettingsTable>(
  table: T,
  source: Record<string, string | undefined>,
): SettingsValues<T> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { fallback, schema, secret }] of Object.entries(table)) {
    const text = source[name]?.trim() || fallback;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const read = schema.safeParse(text);
    if (read.success) values[name] = read.data;
    else {
      const echo = secret ? "" : ` (it is "${text.slice(0, ECHOED_MAX)}")`;
      faults.push(`${name} must be ${read.error.issues[0]?.message}${echo}.`);
    }
  }
  if (faults.length > 0) throw new BadSettings(faults);
  return values as SettingsValues<T>;
}

const setting = <T>(about: string, fallback: string | null, schema: z.ZodType<T, string>): Setting<T> => ({
  about,
  fallback,
  secret: false,
  schema,
});

/** A setting without a fallback may be absent, and is null then. */
type Absent<Fallback> = Fallback extends string ? never : null;

export function text(about: string, fallback = ""): Setting<string> {
  return setting(about, fallback, z.string());
}

export function optional<T>(inner: Setting<T>): Setting<T | null> {
  return { ...inner, fallback: null };
}

export function secret<T>(inner: Setting<T>): Setting<T> {
  return { ...inner, secret: true };
}

const number = (form: RegExp, low: number, high: number, says: string) =>
  z.string().regex(form, says).transform(Number).pipe(z.number().min(low, says).max(high, says));

export function wholeNumber(about: string, fallback: number, low: number, high: number): Setting<number> {
  const says = `a whole number from ${low} to ${high}`;
  return setting(about, String(fallback), number(/^\d{1,15}$/, low, high, says));
}

export function decimal(about: string, fallback: number, low: number, high: number): Setting<number> {
  const says = `a number from ${low} to ${high}`;
  return setting(about, String(fallback), number(/^\d{1,12}(\.\d{1,6})?$/, low, high, says));
}

export function oneOf<const Name extends string>(
  about: string,
  fallback: NoInfer<Name>,
  names: readonly Name[],
): Setting<Name> {
  const says = `one of ${names.join(", ")}`;
  const isName = (value: string): value is Name => (names as readonly string[]).includes(value);
  return setting(about, fallback, z.string().refine(isName, says) as z.ZodType<Name, string>);
}

/** Words separated by commas. */
export function list(about: string, word: RegExp, form: string, fallback = ""): Setting<string[]> {
  const schema = z
    .string()
    .transform((value) => value.split(",").map((part) => part.trim()))
    .transform((words) => words.filter((part) => part !== ""))
    .refine((words) => words.every((part) => word.test(part)), `a comma-separated list of ${form}`);
  return setting(about, fallback, schema);
}

export const WEB = ["https", "http"] as const;

export function url<Fallback extends string | undefined = undefined>(
  about: string,
  protocols: readonly string[] = WEB,
  fallback?: Fallback,
): Setting<string | Absent<Fallback>> {
  const says = `a URL that starts with ${protocols.map((name) => `${name}://`).join(" or ")}`;
  const isOurs = (value: string) => {
    const parsed = URL.parse(value);
    return parsed !== null && protocols.includes(parsed.protocol.slice(0, -1)) && parsed.hostname !== "";
  };
  return setting(
    about,
    fallback ?? null,
    z
      .string()
      .refine(isOurs, says)
      .transform((value) => value.replace(/\/+$/, "")),
  );
}

export function matching<Fallback extends string | undefined = undefined>(
  about: string,
  form: RegExp,
  says: string,
  fallback?: Fallback,
): Setting<string | Absent<Fallback>> {
  return setting(about, fallback ?? null, z.string().regex(form, says));
}

/** Shorter names are one letter away from too many others. */
const MISSPELT_LENGTH_MIN = 6;
const MISSPELT_LETTERS_MAX = 2;

/** Given names that are unknown but close to ours: a letter too many, too few, wrong or swapped. */
export function misspelt(
  names: readonly string[],
  given: Record<string, string | undefined>,
): { given: string; meant: string }[] {
  const known = new Set(names);
  return Object.keys(given).flatMap((name) => {
    if (known.has(name) || name.length < MISSPELT_LENGTH_MIN) return [];
    const meant = names.find(
      (one) => one.length >= MISSPELT_LENGTH_MIN && lettersApart(name, one) <= MISSPELT_LETTERS_MAX,
    );
    return meant === undefined ? [] : [{ given: name, meant }];
  });
}

/** The edit distance between two texts; infinite if it is too large. */
function lettersApart(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MISSPELT_LETTERS_MAX) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    let fewest = i + 1;
    for (let j = 0; j < b.length; j++) {
      const changed = (row[j] ?? 0) + (a.charCodeAt(i) === b.charCodeAt(j) ? 0 : 1);
      const apart = Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, changed);
      next.push(apart);
      fewest = Math.min(fewest, apart);
    }
    // Every start checks the whole environment, most of which differs from ours within a few letters.
    if (fewest > MISSPELT_LETTERS_MAX) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}
