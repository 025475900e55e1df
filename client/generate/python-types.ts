// JSON Schema as Python's TypedDicts. A nested object gets its own name; one with fields that are not Python names uses the
// functional form.
import type { Json } from "../../contract/json-schema.ts";

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

export const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
/** userId as user_id; a keyword gets an underscore. */
export function snakeCase(name: string): string {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}
const upperFirst = (name: string) => name[0]?.toUpperCase() + name.slice(1).replace(/\W/g, "");

/** Declarations found on the way, in dependency order. */
export interface PythonTypes {
  declarations: string[];
  typeOf(schema: Json, name: string): string;
  declare(name: string, schema: Json): void;
}

export function createPythonTypes(): PythonTypes {
  const declarations: string[] = [];

  const typeOf = (schema: Json, name: string): string => {
    if (typeof schema.$ref === "string") return schema.$ref.replace("#/", "");
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (Array.isArray(schema.enum)) return enumOf(schema.enum);
    const options = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(options))
      return union(options.map((each, index) => typeOf(each as Json, `${name}${index}`)));
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => typeOf({ ...schema, type }, name)));
    switch (schema.type) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `List[${typeOf((schema.items ?? {}) as Json, `${name}Item`)}]`;
      case "object":
        return objectType(schema, name);
      default:
        return "Any";
    }
  };

  const objectType = (schema: Json, name: string): string => {
    if (schema.properties !== undefined) {
      declare(name, schema);
      return name;
    }
    const values = schema.additionalProperties;
    return `Dict[str, ${typeof values === "object" ? typeOf(values as Json, `${name}Value`) : "Any"}]`;
  };

  const declare = (name: string, schema: Json): void => {
    if (schema.properties === undefined) {
      declarations.push(`${name} = ${typeOf(schema, name)}\n`);
      return;
    }
    const required = new Set((schema.required ?? []) as string[]);
    const fields = Object.entries(schema.properties as Record<string, Json>).map(([field, part]) => {
      const type = typeOf(part, `${name}${upperFirst(field)}`);
      return { field, type: required.has(field) ? type : `NotRequired[${type}]` };
    });
    if (fields.every(({ field }) => isName(field))) {
      const lines = fields.map(({ field, type }) => `    ${field}: ${type}\n`);
      declarations.push(`class ${name}(TypedDict):\n${doc(schema.description)}${lines.join("")}`);
    } else {
      const lines = fields.map(
        ({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`,
      );
      declarations.push(`${name} = TypedDict("${name}", {\n${lines.join("")}})\n`);
    }
  };

  return { declarations, typeOf, declare };
}

export const doc = (text: unknown, indent = "    ") =>
  typeof text === "string" && text !== ""
    ? `${indent}"""${text.replaceAll("\\", "\\\\").replaceAll('"""', "'''")}"""\n`
    : "";

const literal = (value: unknown): string =>
  value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value);

function enumOf(values: unknown[]): string {
  const texts = values.filter((value) => value !== null);
  return union([
    `Literal[${texts.map(literal).join(", ")}]`,
    ...(texts.length < values.length ? ["None"] : []),
  ]);
}

const union = (parts: string[]): string => {
  const distinct = [...new Set(parts)];
  return distinct.length === 1 ? String(distinct[0]) : `Union[${distinct.join(", ")}]`;
};
