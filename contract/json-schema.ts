// Shapes as JSON Schema 2020-12: named shapes become components referenced by $ref; the noise that Zod adds (its
// safe-integer bounds, its timestamp pattern) is removed so that people can read the result.
import { z } from "zod";

export type Json = { [name: string]: unknown };

export interface JsonSchemas {
  /** The schema itself, or a $ref to its component. */
  of(schema: z.ZodType): Json;
  /** Every named shape met so far. */
  components: Record<string, Json>;
}

const DEFS = "#/$defs/";

export function createJsonSchemas(prefix = "#/components/schemas/"): JsonSchemas {
  const components: Record<string, Json> = {};
  return {
    components,
    of(schema) {
      // Inside an object a named shape is a $ref; at the root it would be inlined.
      const wrapped = z.toJSONSchema(z.object({ it: schema }), { unrepresentable: "any" }) as Json;
      for (const [name, part] of Object.entries((wrapped.$defs ?? {}) as Record<string, Json>)) {
        components[name] ??= tidy(part, prefix);
      }
      return tidy((wrapped.properties as Record<string, Json>).it ?? {}, prefix);
    },
  };
}

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tidy(schema: Json, prefix: string): Json {
  const result: Json = {};
  for (const [name, value] of Object.entries(schema)) {
    if (isNoise(schema, name, value)) continue;
    result[name] = name === "$ref" ? String(value).replace(DEFS, prefix) : tidyValue(name, value, prefix);
  }
  return foldNull(result);
}

function tidyValue(name: string, value: unknown, prefix: string): unknown {
  // These hold values, not schemas.
  if (name === "examples" || name === "enum" || name === "const" || name === "required" || name === "default")
    return value;
  if (name === "properties" && isJson(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, part]) => [field, isJson(part) ? tidy(part, prefix) : part]),
    );
  if (Array.isArray(value)) return value.map((part) => (isJson(part) ? tidy(part, prefix) : part));
  return isJson(value) ? tidy(value, prefix) : value;
}

function isNoise(schema: Json, name: string, value: unknown): boolean {
  if (name === "id" || name === "$schema" || name === "$defs") return true;
  if (name === "maximum") return value === Number.MAX_SAFE_INTEGER;
  if (name === "minimum") return value === Number.MIN_SAFE_INTEGER;
  if (name === "pattern") return schema.format === "date-time" || schema.format === "uuid";
  // A field may be added within a version, so a client must not reject unknown ones.
  return name === "additionalProperties" && value === false;
}

/** { anyOf: [X, null] } becomes { type: [x, "null"] } where X is a plain type; X's other keywords stay. */
function foldNull(schema: Json): Json {
  const options = schema.anyOf;
  if (!Array.isArray(options) || options.length !== 2 || !isJson(options[0])) return schema;
  const [first, second] = options as [Json, Json];
  if (second.type !== "null" || typeof first.type !== "string" || first.$ref !== undefined) return schema;
  const { anyOf: _, ...rest } = schema;
  const withNull = first.enum ? { enum: [...(first.enum as unknown[]), null] } : {};
  return { ...first, ...withNull, ...rest, type: [first.type, "null"] };
}
