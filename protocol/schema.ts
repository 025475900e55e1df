// A schema defines a shape once: the type that a platform writes, the type that its reader gets, and the parser, which
// returns a value within the stated bounds or throws Malformed. No parser passes on its input object, so a key that
// the protocol doesn't know never gets past it. Why this is not Zod: ARCHITECTURE.md, "Dependencies".

/** The input violates the protocol; the message names the field. */
export class Malformed extends Error {
  override name = "Malformed";
}

export type WireFields = Readonly<Record<string, unknown>>;
/** Throws at the first wrong field, so a bad answer of any length costs no more than a good one. */
export type Reader<T> = (value: unknown, name: string, onDropped?: () => void) => T;

/** `Read` is what a reader gets, `Written` what a platform sends. */
export interface Schema<Read, Written = Read> {
  readonly read: Reader<Read>;
  /** For the compiler only; never set. */
  readonly written?: Written;
  /** The field's name on the wire, if it differs from the reader's. */
  readonly wireName?: string;
  /** May be left out on the wire. */
  readonly isOptional?: true;
}

export type ReadOf<S> = S extends Schema<infer Read, unknown> ? Read : never;
export type WrittenOf<S> = S extends Schema<unknown, infer Written> ? Written : never;

/** Not on the wire at all: the reader adds it. */
export interface Added<Read> extends Schema<Read, never> {
  readonly added: true;
}

export interface Renamed<Wire extends string, Read, Written> extends Schema<Read, Written> {
  readonly wireName: Wire;
}

export interface Optional<Read, Written> extends Schema<Read, Written> {
  readonly isOptional: true;
}

// biome-ignore lint/suspicious/noExplicitAny: a bound that every schema meets; the types are inferred from each
type AnySchema = Schema<any, any>;
type ObjectShape = Record<string, AnySchema>;

export type ReadShape<S extends ObjectShape> = { [Name in keyof S]: ReadOf<S[Name]> };

type WireName<S extends ObjectShape, Name extends keyof S> =
  S[Name] extends Added<unknown>
    ? never
    : S[Name] extends { wireName: infer Wire extends string }
      ? Wire
      : Name;
type RequiredNames<S extends ObjectShape> = {
  [Name in keyof S]: S[Name] extends { isOptional: true } ? never : Name;
}[keyof S];
type OptionalNames<S extends ObjectShape> = Exclude<keyof S, RequiredNames<S>>;

export type WrittenShape<S extends ObjectShape> = {
  [Name in RequiredNames<S> as WireName<S, Name>]: WrittenOf<S[Name]>;
} & { [Name in OptionalNames<S> as WireName<S, Name>]?: WrittenOf<S[Name]> };

/** An object's schema, with its fields available to other schemas. */
export interface ObjectSchema<S extends ObjectShape, U extends ObjectShape = Record<never, never>>
  extends Schema<ReadShape<S>, WrittenShape<S> & WrittenShape<U>> {
  readonly shape: S;
  readonly unread: U;
}

export function fields(value: unknown, name = "not an object"): WireFields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed(name);
  return value as WireFields;
}

/** `unread` fields are written by a platform for people and other readers; our reader derives them. */
export function object<S extends ObjectShape, U extends ObjectShape = Record<never, never>>(
  shape: S,
  unread?: U,
): ObjectSchema<S, U> {
  const readers = Object.entries(shape).map(([name, { read, wireName = name }]) => ({
    name,
    wireName,
    read,
  }));
  const read: Reader<ReadShape<S>> = (value, name, onDropped) => {
    const from = fields(value, name);
    const made: Record<string, unknown> = {};
    for (const field of readers)
      made[field.name] = field.read(from[field.wireName], field.wireName, onDropped);
    return made as ReadShape<S>;
  };
  return { read, shape, unread: unread ?? ({} as U) };
}

/** A list in which a missing row would be a wrong answer: one bad row spoils them all. */
export function list<Read, Written>(row: Schema<Read, Written>, rowsMax: number): Schema<Read[], Written[]> {
  return {
    read: (value, name, onDropped) =>
      rowsOf(value, name, rowsMax).map((each) => row.read(each, name, onDropped)),
  };
}

/** A list that is still valid with a row left out: bad rows are dropped, and `onDropped` is called for each. */
export function looseList<Read, Written>(
  row: Schema<Read, Written>,
  rowsMax: number,
): Schema<Read[], Written[]> {
  return {
    read: (value, name, onDropped) => {
      const rows: Read[] = [];
      for (const each of rowsOf(value, name, rowsMax)) {
        try {
          rows.push(row.read(each, name));
        } catch (error) {
          if (!(error instanceof Malformed)) throw error;
          onDropped?.();
        }
      }
      return rows;
    },
  };
}

function rowsOf(value: unknown, name: string, rowsMax: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > rowsMax) throw new Malformed(name);
  return value;
}

/** null when absent. */
export function nullable<Read, Written>(schema: Schema<Read, Written>): Schema<Read | null, Written | null> {
  const { read } = schema;
  return {
    read: (value, name, onDropped) =>
      value === null || value === undefined ? null : read(value, name, onDropped),
  };
}

/** Like `nullable`, but a platform may omit it: for fields added later, so that older platforms can still be read. */
export function optional<Read, Written>(
  schema: Schema<Read, Written>,
): Optional<Read | null, Written | null> {
  return { ...nullable(schema), isOptional: true };
}

/** Under another name on the wire. */
export function renamed<const Wire extends string, Read, Written>(
  wireName: Wire,
  schema: Schema<Read, Written>,
): Renamed<Wire, Read, Written> {
  return { ...schema, wireName };
}

/** Always this value, whatever was sent. */
export function always<const Value>(value: Value): Added<Value> {
  return { read: () => value, added: true };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Schema<Choice> {
  return {
    read: (value, name) => {
      for (const choice of choices) if (choice === value) return choice;
      throw new Malformed(name);
    },
  };
}

/** A check on the parsed value that may only reject: `check` names the wrong field. */
export function checked<S extends AnySchema>(
  schema: S,
  check: (value: ReadOf<S>) => string | null,
): Schema<ReadOf<S>, WrittenOf<S>> {
  return {
    read: (value, name, onDropped) => {
      const read = schema.read(value, name, onDropped);
      const wrong = check(read);
      if (wrong !== null) throw new Malformed(wrong);
      return read;
    },
  };
}
