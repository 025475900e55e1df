// Reads settings from text and reports every fault at once, each in a sentence that names the setting.

export interface Setting<T> {
  /** What it does, for the settings page. */
  about: string;
  /** The default as text, or null when it may be absent. */
  fallback: string | null;
  /** Secret values are never echoed back. */
  secret: boolean;
  read(text: string): T;
}

/** Thrown by a reader: the rest of the sentence "NAME must be ...". */
class BadSetting extends Error {}

export class BadSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "BadSettings";
  }
}

type Table = Record<string, Setting<unknown>>;
type Values<T extends Table> = { [Name in keyof T]: T[Name] extends Setting<infer V> ? V : never };

export function readSettings<T extends Table>(
  table: T,
  source: Record<string, string | undefined>,
): Values<T> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    const given = source[name]?.trim();
    const text = given === undefined || given === "" ? setting.fallback : given;
    if (text === null) {
      values[name] = null;
      continue;
    }
    try {
      values[name] = setting.read(text);
    } catch (problem) {
      if (!(problem instanceof BadSetting)) throw problem;
      const echo = setting.secret ? "" : ` (it is "${text.slice(0, 80)}")`;
      faults.push(`${name} must be ${problem.message}${echo}.`);
    }
  }
  if (faults.length > 0) throw new BadSettings(faults);
  return values as Values<T>;
}

const setting = <T>(about: string, fallback: string | null, read: (text: string) => T): Setting<T> => ({
  about,
  fallback,
  secret: false,
  read,
});

export function text(about: string, fallback: string): Setting<string> {
  return setting(about, fallback, (value) => value);
}

export function optional<T>(inner: Setting<T>): Setting<T | null> {
  return { ...inner, fallback: null };
}

export function secret<T>(inner: Setting<T>): Setting<T> {
  return { ...inner, secret: true };
}

export function wholeNumber(about: string, fallback: number, low: number, high: number): Setting<number> {
  return setting(about, String(fallback), (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= low && number <= high)) throw new BadSetting(`a whole number from ${low} to ${high}`);
    return number;
  });
}

export function decimal(about: string, fallback: number, low: number, high: number): Setting<number> {
  return setting(about, String(fallback), (value) => {
    const number = /^\d{1,12}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= low && number <= high)) throw new BadSetting(`a number from ${low} to ${high}`);
    return number;
  });
}

export function oneOf<const Name extends string>(
  about: string,
  fallback: NoInfer<Name>,
  names: readonly Name[],
): Setting<Name> {
  return setting(about, fallback, (value) => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new BadSetting(`one of ${names.join(", ")}`);
    return found;
  });
}

/** Words separated by commas. */
export function list(about: string, fallback: string, word: RegExp, form: string): Setting<string[]> {
  return setting(about, fallback, (value) => {
    const words = value.split(",").map((part) => part.trim());
    const given = words.filter((part) => part !== "");
    if (given.some((part) => !word.test(part))) throw new BadSetting(`a comma-separated list of ${form}`);
    return given;
  });
}

export function url(about: string, fallback: string, protocols: readonly string[]): Setting<string> {
  return setting(about, fallback, (value) => {
    const parsed = URL.parse(value);
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1)) || parsed.hostname === "") {
      throw new BadSetting(`a URL that starts with ${protocols.map((name) => `${name}://`).join(" or ")}`);
    }
    return value.replace(/\/+$/, "");
  });
}

export function matching(about: string, fallback: string, form: RegExp, says: string): Setting<string> {
  return setting(about, fallback, (value) => {
    if (!form.test(value)) throw new BadSetting(says);
    return value;
  });
}
