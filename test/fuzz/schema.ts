// A JSON Schema 2020-12 checker for the subset that the served documents use. An unknown keyword is an error, so nothing that
// a document promises goes unchecked.

export type Schema = { [keyword: string]: unknown };
type Found = string[];

/** Keywords that do not affect validation. */
const REMARKS = new Set(["description", "examples", "example", "default", "title", "$schema", "id", "$id"]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: (text) => UUID.test(text),
  guid: (text) => UUID.test(text),
  "date-time": (text) => DATE_TIME.test(text) && Number.isFinite(Date.parse(text)),
};

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

export function createChecker(document: unknown) {
  const resolve = (reference: string): Schema => {
    let at: unknown = document;
    for (const part of reference.replace(/^#\//, "").split("/")) at = (at as Schema | undefined)?.[part];
    if (typeof at !== "object" || at === null) throw new Error(`${reference} leads nowhere.`);
    return at as Schema;
  };

  const check = (schema: Schema | boolean, value: unknown, path: string, found: Found): void => {
    if (schema === true) return;
    if (schema === false) return void found.push(`${path}: nothing may be here`);
    for (const [keyword, wanted] of Object.entries(schema)) {
      if (REMARKS.has(keyword)) continue;
      const rule = rules[keyword];
      if (!rule) throw new Error(`The checker does not know the keyword ${keyword}.`);
      rule(wanted, value, path, found, schema);
    }
  };

  const passes = (schema: Schema, value: unknown) => {
    const found: Found = [];
    check(schema, value, "", found);
    return found;
  };

  type Rule = (wanted: unknown, value: unknown, path: string, found: Found, schema: Schema) => void;
  const number =
    (sentence: string, fits: (value: number, bound: number) => boolean): Rule =>
    (wanted, value, path, found) => {
      if (typeof value === "number" && !fits(value, Number(wanted)))
        found.push(`${path}: ${value} is ${sentence} ${wanted}`);
    };
  const length =
    (kind: "string" | "array", fits: (size: number, bound: number) => boolean): Rule =>
    (wanted, value, path, found) => {
      if (typeOf(value) !== kind) return;
      const size = kind === "string" ? [...(value as string)].length : (value as unknown[]).length;
      if (!fits(size, Number(wanted))) found.push(`${path}: of length ${size}, against ${wanted}`);
    };

  const rules: Record<string, Rule> = {
    $ref: (wanted, value, path, found) => check(resolve(String(wanted)), value, path, found),
    type: (wanted, value, path, found) => {
      const names = [wanted].flat();
      const own = typeOf(value);
      const fits = names.some((name) => (name === "integer" ? Number.isInteger(value) : name === own));
      if (!fits || (own === "number" && !Number.isFinite(value)))
        found.push(`${path}: ${own}, not ${names.join(" or ")}`);
    },
    const: (wanted, value, path, found) => {
      if (!Bun.deepEquals(value, wanted)) found.push(`${path}: not ${JSON.stringify(wanted)}`);
    },
    enum: (wanted, value, path, found) => {
      if (!(wanted as unknown[]).some((each) => Bun.deepEquals(each, value)))
        found.push(`${path}: ${JSON.stringify(value)} is not one of ${JSON.stringify(wanted)}`);
    },
    format: (wanted, value, path, found) => {
      const fits = FORMATS[String(wanted)];
      if (!fits) throw new Error(`The checker does not know the format ${wanted}.`);
      if (typeof value === "string" && !fits(value)) found.push(`${path}: ${value} is no ${wanted}`);
    },
    pattern: (wanted, value, path, found) => {
      if (typeof value === "string" && !new RegExp(String(wanted), "u").test(value))
        found.push(`${path}: ${value} does not match ${wanted}`);
    },
    minimum: number("below", (value, bound) => value >= bound),
    maximum: number("above", (value, bound) => value <= bound),
    exclusiveMinimum: number("not above", (value, bound) => value > bound),
    exclusiveMaximum: number("not below", (value, bound) => value < bound),
    minLength: length("string", (size, bound) => size >= bound),
    maxLength: length("string", (size, bound) => size <= bound),
    minItems: length("array", (size, bound) => size >= bound),
    maxItems: length("array", (size, bound) => size <= bound),
    items: (wanted, value, path, found) => {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) check(wanted as Schema, item, `${path}[${index}]`, found);
    },
    required: (wanted, value, path, found) => {
      if (typeOf(value) !== "object") return;
      for (const name of wanted as string[])
        if (!Object.hasOwn(value as object, name)) found.push(`${path}.${name}: missing`);
    },
    properties: (wanted, value, path, found) => {
      if (typeOf(value) !== "object") return;
      for (const [name, schema] of Object.entries(wanted as Record<string, Schema>))
        if (Object.hasOwn(value as object, name))
          check(schema, (value as Schema)[name], `${path}.${name}`, found);
    },
    additionalProperties: (wanted, value, path, found, schema) => {
      if (typeOf(value) !== "object") return;
      const known = (schema.properties ?? {}) as object;
      for (const [name, inner] of Object.entries(value as Schema))
        if (!Object.hasOwn(known, name)) check(wanted as Schema | boolean, inner, `${path}.${name}`, found);
    },
    propertyNames: (wanted, value, path, found) => {
      if (typeOf(value) !== "object") return;
      for (const name of Object.keys(value as object))
        check(wanted as Schema, name, `${path} "${name}"`, found);
    },
    anyOf: (wanted, value, path, found) => {
      const tries = (wanted as Schema[]).map((schema) => passes(schema, value));
      if (!tries.some((each) => each.length === 0))
        found.push(`${path}: fits none of ${tries.length} (${tries.map((each) => each[0]).join("; ")})`);
    },
    oneOf: (wanted, value, path, found) => {
      const tries = (wanted as Schema[]).map((schema) => passes(schema, value));
      const fitting = tries.filter((each) => each.length === 0).length;
      if (fitting !== 1)
        found.push(
          `${path}: fits ${fitting} of ${tries.length} (${tries.map((each) => each[0]).join("; ")})`,
        );
    },
    allOf: (wanted, value, path, found) => {
      for (const schema of wanted as Schema[]) check(schema, value, path, found);
    },
  };

  /** The errors in a value, each with its path; empty when it is valid. */
  return (schema: Schema, value: unknown): string[] => {
    const found: Found = [];
    check(schema, value, "$", found);
    return found;
  };
}

export type Checker = ReturnType<typeof createChecker>;
