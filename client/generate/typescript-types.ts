// JSON Schema as TypeScript: each named shape becomes an interface with its descriptions as comments.
import type { Json } from "../../contract/json-schema.ts";

const comment = (text: unknown, indent = "") =>
  typeof text === "string" && text !== "" ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "";

export function typeOf(schema: Json): string {
  if (typeof schema.$ref === "string") return schema.$ref.replace("#/", "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return union(options.map((each) => typeOf(each as Json)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((each) => typeOf({ ...schema, type: each as string })));
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return arrayOf(typeOf((schema.items ?? {}) as Json));
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

const arrayOf = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`);
const union = (parts: string[]) => [...new Set(parts)].join(" | ");

function objectType(schema: Json): string {
  if (schema.properties !== undefined) return fieldsOf(schema);
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === "object" ? typeOf(values as Json) : "unknown"}>`;
}

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** The braces and their contents. */
export function fieldsOf(schema: Json): string {
  const required = new Set((schema.required ?? []) as string[]);
  const lines = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([name, field]) =>
      `${comment(field.description, "  ")}  ${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOf(field)};\n`,
  );
  return `{\n${lines.join("")}}`;
}

/** A shape that shares this many fields with another and has all of them is written as an extension of it. */
const SHARED_MIN = 6;

interface Extended {
  base: string;
  shared: string[];
  /** Fields of the base that the shape overrides. */
  changed: string[];
}

function extendedBy(schema: Json, others: [string, Json][]): Extended | null {
  const own = fieldTexts(schema);
  const found = others.flatMap(([base, other]): Extended[] => {
    const fields = [...fieldTexts(other)];
    if (other === schema || fields.some(([name]) => !own.has(name))) return [];
    const shared = fields.filter(([name, text]) => own.get(name) === text).map(([name]) => name);
    const changed = fields.map(([name]) => name).filter((name) => !shared.includes(name));
    return shared.length < SHARED_MIN ? [] : [{ base, shared, changed }];
  });
  return found.sort((a, b) => b.shared.length - a.shared.length)[0] ?? null;
}

function fieldTexts({ properties = {}, required = [] }: Json): Map<string, string> {
  const needed = new Set(required as string[]);
  return new Map(
    Object.entries(properties as Record<string, Json>).map(([name, field]) => [
      name,
      `${needed.has(name)} ${JSON.stringify(field)}`,
    ]),
  );
}

function interfaceOf(name: string, schema: Json, others: [string, Json][]): string {
  const extended = extendedBy(schema, others);
  if (!extended) return `export interface ${name} ${fieldsOf(schema)}`;
  const { base, shared, changed } = extended;
  const own = Object.entries(schema.properties as Record<string, Json>).filter(
    ([field]) => !shared.includes(field),
  );
  const parent =
    changed.length === 0 ? base : `Omit<${base}, ${union(changed.map((field) => JSON.stringify(field)))}>`;
  return `export interface ${name} extends ${parent} ${fieldsOf({ ...schema, properties: Object.fromEntries(own) })}`;
}

export function declarationsOf(schemas: Record<string, Json>): string[] {
  const named = Object.entries(schemas);
  return named.map(([name, schema]) => {
    const body =
      schema.properties === undefined
        ? `export type ${name} = ${typeOf(schema)};`
        : interfaceOf(name, schema, named);
    return `${comment(schema.description)}${body}\n`;
  });
}
