// A schema is a shape spelled once: the type that a platform writes, the type that its reader gets, and the reader, which
// returns a value within the stated bounds or throws Malformed. No reader hands on an object it was given, so a key that
// the protocol doesn't know never gets past it.

/** What was sent is not what the protocol allows; the message names the field. */
export class Malformed extends Error {
  override name = "Malformed";
}

export type Fields = Readonly<Record<string, unknown>>;
export type Reader<T> = (value: unknown, name: string) => T;

/** `Read` is what a reader gets, `Written` what a platform sends. */
export interface Schema<Read, Written = Read> {
  readonly read: Reader<Read>;
  /** For the compiler only; never set. */
  readonly written?: Written;
  /** The field's name on the wire, where the reader's name for it is another. */
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
type Shape = Record<string, AnySchema>;

export type ReadShape<S extends Shape> = { [Name in keyof S]: ReadOf<S[Name]> };

type WireName<S extends Shape, Name extends keyof S> =
  S[Name] extends Added<unknown>
    ? never
    : S[Name] extends { wireName: infer Wire extends string }
      ? Wire
      : Name;
type RequiredNames<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { isOptional: true } ? never : Name;
}[keyof S];
type OptionalNames<S extends Shape> = Exclude<keyof S, RequiredNames<S>>;

export type WrittenShape<S extends Shape> = {
  [Name in RequiredNames<S> as WireName<S, Name>]: WrittenOf<S[Name]>;
} & { [Name in OptionalNames<S> as WireName<S, Name>]?: WrittenOf<S[Name]> };

/** An object's schema, with its fields open to be part of another. */
export interface ObjectSchema<S extends Shape, U extends Shape = Record<never, never>>
  extends Schema<ReadShape<S>, WrittenShape<S> & WrittenShape<U>> {
  readonly shape: S;
  readonly unread: U;
}

export function fields(value: unknown, name = "not an object"): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed(name);
  return value as Fields;
}

/** `unread` is what a platform writes for people and other readers, and ours works out by itself. */
export function object<S extends Shape, U extends Shape = Record<never, never>>(
  shape: S,
  unread?: U,
): ObjectSchema<S, U> {
  const names = Object.keys(shape);
  const readers = names.map((name) => (shape[name] as AnySchema).read);
  const parts = names.map((name, index) => {
    const wireName = JSON.stringify(shape[name]?.wireName ?? name);
    return `${JSON.stringify(name)}: read${index}(from[${wireName}], ${wireName})`;
  });
  // Written out as a literal: an object built key by key costs twice as much to make and is slower ever after. Only our own
  // field names are in this text, never anything that was sent.
  const make = new Function(
    ...["fields", ...names.map((_, index) => `read${index}`)],
    `return (value, name) => { const from = fields(value, name); return { ${parts.join(", ")} }; };`,
  );
  const read: Reader<ReadShape<S>> = make(fields, ...readers);
  return { read, shape, unread: unread ?? ({} as U) };
}

/** A list in which a missing row would be a wrong answer: one bad row spoils them all. */
export function list<Read, Written>(row: Schema<Read, Written>, rowsMax: number): Schema<Read[], Written[]> {
  return { read: (value, name) => rowsOf(value, name, rowsMax).map((each) => row.read(each, name)) };
}

/** A list that stays true with a row left out: bad rows are dropped, and `onDropped` hears of each. */
export function looseList<Read, Written>(
  row: Schema<Read, Written>,
  rowsMax: number,
): Schema<Read[], Written[]> {
  return {
    read: (value, name) => {
      const rows: Read[] = [];
      for (const each of rowsOf(value, name, rowsMax)) {
        try {
          rows.push(row.read(each, name));
        } catch (error) {
          if (!(error instanceof Malformed)) throw error;
          onDropped();
        }
      }
      return rows;
    },
  };
}

let onDropped: () => void = () => {};

/** Reads while `heard` is told of each row that a loose list drops. Reading is synchronous, so calls can't mix. */
export function readHearing<Read>(schema: Schema<Read, unknown>, value: unknown, heard: () => void): Read {
  const before = onDropped;
  onDropped = heard;
  try {
    return schema.read(value, "not an object");
  } finally {
    onDropped = before;
  }
}

function rowsOf(value: unknown, name: string, rowsMax: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > rowsMax) throw new Malformed(name);
  return value;
}

/** null where there is nothing. */
export function nullable<Read, Written>(schema: Schema<Read, Written>): Schema<Read | null, Written | null> {
  const { read } = schema;
  return { read: (value, name) => (value === null || value === undefined ? null : read(value, name)) };
}

/** Like `nullable`, and a platform may leave it out: fields that came later, so that older platforms still read. */
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

/** Always this, whatever was sent. */
export function always<const Value>(value: Value): Added<Value> {
  return { read: () => value, added: true };
}

/** Made of the whole object that was sent. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]): Schema<Choice> {
  return {
    read: (value, name) => {
      for (const choice of choices) if (choice === value) return choice;
      throw new Malformed(name);
    },
  };
}

/** A check over what was read, which may only refuse: `check` names the field that is wrong. */
export function checked<S extends AnySchema>(
  schema: S,
  check: (value: ReadOf<S>) => string | null,
): Schema<ReadOf<S>, WrittenOf<S>> {
  return {
    read: (value, name) => {
      const read = schema.read(value, name);
      const wrong = check(read);
      if (wrong !== null) throw new Malformed(wrong);
      return read;
    },
  };
}
