// SQL as a value: text with `?` in place of each value, so that no value ever becomes text. The same statement
// runs on SQLite and PostgreSQL; `placeholders` writes it the way each one numbers its parameters.

export type SqlValue = string | number | null;
export type Dialect = "sqlite" | "postgres";

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A tagged template: a nested `Sql` is spliced in, anything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  let text = strings[0] ?? "";
  const values: SqlValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (part !== null && typeof part === "object") {
      text += part.text;
      values.push(...part.values);
    } else {
      text += "?";
      values.push(part);
    }
    text += strings[index + 1] ?? "";
  }
  return { text, values };
}

/** Text that comes from this program and never from outside: table and column names, literals. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

function join(parts: readonly Sql[], separator: string): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    values: parts.flatMap((part) => part.values),
  };
}

/** `WHERE a AND b …`, or nothing when there is no condition. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw("") : sql`WHERE ${join(conditions, " AND ")}`;
}

/** The values of an `IN (…)`. */
export function list(values: readonly SqlValue[]): Sql {
  if (values.length === 0) return raw("NULL");
  const all = padded(values);
  return { text: Array(all.length).fill("?").join(","), values: all };
}

/**
 * The rows of an `IN (VALUES …)`, all of one shape; at least one. Numbers are integers with a cast: PostgreSQL treats a
 * parameter in such a list as text.
 */
export function tuples(rows: readonly (readonly SqlValue[])[]): Sql {
  const all = padded(rows);
  const one = `(${(rows[0] ?? []).map((value) => (typeof value === "number" ? "CAST(? AS BIGINT)" : "?")).join(",")})`;
  return { text: Array(all.length).fill(one).join(","), values: all.flat() };
}

/**
 * Padded to a power of two by repeating the last, so that lists of many lengths need few different statements
 * and each database keeps few prepared ones.
 */
function padded<Item>(items: readonly Item[]): Item[] {
  const last = items[items.length - 1];
  if (last === undefined) throw new RangeError("An empty list has no SQL.");
  let size = 1;
  while (size < items.length) size *= 2;
  return [...items, ...Array<Item>(size - items.length).fill(last)];
}

/** PostgreSQL numbers its parameters; SQLite uses them as they are. No statement contains a literal `?`. */
export function placeholders(text: string, dialect: Dialect): string {
  if (dialect === "sqlite") return text;
  let index = 0;
  return text.replaceAll("?", () => `$${++index}`);
}

/** PostgreSQL can't hold U+0000 in text, and half a surrogate pair is not text: both are replaced on the way in. */
export function storable(value: SqlValue): SqlValue {
  if (typeof value !== "string") return value;
  const whole = value.isWellFormed() ? value : value.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "\ufffd") : whole;
}
