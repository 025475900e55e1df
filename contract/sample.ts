// A sample value for a JSON Schema, from the leaves' examples: the documents show it as an answer.
import type { Json } from "./json-schema.ts";

/** Deep enough for any of our shapes; the bound keeps a mistake from looping forever. */
const DEPTH_MAX = 12;

export function sampleOf(schema: Json, components: Readonly<Record<string, Json>>, depth = 0): unknown {
  if (depth > DEPTH_MAX) return null;
  const again = (part: unknown) => sampleOf(part as Json, components, depth + 1);
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return again(components[name] ?? {});
  }
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return again(options[0]);
  if (schema.type === "array") return [again(schema.items ?? {})];
  if (schema.properties) {
    const fields = Object.entries(schema.properties as Record<string, Json>).filter(
      ([, field]) => !(Array.isArray(field.examples) && field.examples.length === 0),
    );
    return Object.fromEntries(fields.map(([name, field]) => [name, again(field)]));
  }
  return plainSample(schema);
}

function plainSample(schema: Json): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "string") return "text";
  if (type === "boolean") return false;
  return {};
}
