// JSON Schema as TypeScript: each named shape becomes an interface with its sentences as comments.
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

/** The braces and what is between them. */
export function fieldsOf(schema: Json): string {
  const required = new Set((schema.required ?? []) as string[]);
  const lines = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([name, field]) =>
      `${comment(field.description, "  ")}  ${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOf(field)};\n`,
  );
  return `{\n${lines.join("")}}`;
}

export function declarationOf(name: string, schema: Json): string {
  const body =
    schema.properties === undefined
      ? `export type ${name} = ${typeOf(schema)};`
      : `export interface ${name} ${fieldsOf(schema)}`;
  return `${comment(schema.description)}${body}\n`;
}
