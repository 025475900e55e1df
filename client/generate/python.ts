// Writes the Python client's generated half: TypedDicts, one method per operation, error classes, and the table that the
// client runs on. It uses the same list of operations as the TypeScript client.
import { ERROR_CODES } from "../../contract/errors.ts";
import { CLOSE_CODES, HEARTBEAT_SECONDS, STREAMS } from "../../contract/frames.ts";
import { priceText } from "../../contract/llms.ts";
import { fieldSchema } from "../../contract/openapi.ts";
import { type InputField, type Operation, readOperations, resolve } from "./operations.ts";
import { createPythonTypes, doc, isName, snakeCase } from "./python-types.ts";
import { className, STREAM_PLUMBING, withFrames } from "./typescript.ts";

const HEAD = `# Written by \`npm run client:types\` from the contract. Do not edit: client/generate/ is where it comes from.
from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Literal, NotRequired, Optional, Sequence, Tuple, TypedDict, Union

from ._errors import ApiError
from ._operation import CallOptions, OperationRow
`;

type Types = ReturnType<typeof createPythonTypes>;

export function writePython(): string {
  const { operations, schemas } = readOperations();
  const types = createPythonTypes();
  const shapes = withFrames(schemas);
  for (const [name, schema] of Object.entries(shapes)) types.declare(name, schema);
  const classes = [
    methods(operations, types),
    walks(
      "Rows",
      "Every row of a list, page after page.",
      operations.filter(({ walk }) => walk?.rows),
      (each) => rowType(each, types, shapes),
    ),
    walks(
      "Pages",
      "The same walks, a page at a time.",
      operations.filter(({ walk }) => walk),
      ({ answer, route }) => types.typeOf(answer, className(route.id)),
    ),
  ];
  return [HEAD, ...ordered(types.declarations), ...classes, table(operations), errors(), streams()].join(
    "\n\n",
  );
}

/** The functional form is evaluated in place, but names in it are strings; an alias must follow the names it uses. */
function ordered(declarations: string[]): string[] {
  const isAlias = (text: string) => /^\w+ = (?!TypedDict)/.test(text);
  return [...declarations.filter((text) => !isAlias(text)), ...declarations.filter(isAlias)];
}

const asText = ({ text }: Operation, { name }: InputField) => text?.parameter === name;

function parameter({ route }: Operation, field: InputField, types: Types): string {
  // An object is named after its field, because a call may take several.
  const own = field.schema.type === "object" ? className(field.name) : "Input";
  const type = types.typeOf(field.schema, `${className(route.id)}${own}`);
  const name = snakeCase(field.name);
  return field.required ? `${name}: ${type}` : `${name}: Optional[${type}] = None`;
}

function signature(operation: Operation, types: Types): { parameters: string; values: string } {
  const fields = operation.fields.filter((field) => !asText(operation, field));
  const needed = fields.filter(({ required }) => required);
  const chosen = fields.filter(({ required }) => !required);
  const written = (each: InputField[]) => each.map((field) => parameter(operation, field, types));
  // A single required argument is positional: get_trader("someone").
  const needing = needed.length === 1 ? [...written(needed), "*"] : ["*", ...written(needed)];
  const listed = ["self", ...needing, ...written(chosen), "options: Optional[CallOptions] = None"];
  const values = fields.map(({ name }) => `${JSON.stringify(name)}: ${snakeCase(name)}`);
  return { parameters: listed.join(", "), values: `{${values.join(", ")}}` };
}

function methods(operations: Operation[], types: Types): string {
  const lines = operations.map((operation) => {
    const { route, answer, text } = operation;
    const { parameters, values } = signature(operation, types);
    const words = doc(`${route.summary}. ${route.description} ${priceText(route)}`, "        ");
    const type = types.typeOf(answer, className(route.id));
    const own = `    async def ${snakeCase(route.id)}(${parameters}) -> ${type}:\n${words}        answer: ${type} = await self._ask(${JSON.stringify(route.id)}, ${values}, options)\n        return answer\n`;
    if (!text) return own;
    const whole = values.replace(
      /\}$/,
      `, ${JSON.stringify(text.parameter)}: ${JSON.stringify(text.value)}}`,
    );
    return `${own}\n    async def ${snakeCase(route.id)}_${text.value}(${parameters}) -> str:\n${words}        answer: str = await self._ask(${JSON.stringify(route.id)}, ${whole}, options)\n        return answer\n`;
  });
  return `class Methods:\n    """One method per route, named by its operation."""\n\n    async def _ask(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> Any:\n        raise NotImplementedError\n\n${lines.join("\n")}`;
}

function walks(
  name: string,
  words: string,
  operations: Operation[],
  itemOf: (operation: Operation) => string,
): string {
  const types = createPythonTypes();
  const lines = operations.map((operation) => {
    const { parameters, values } = signature(operation, types);
    return `    def ${snakeCase(operation.route.id)}(${parameters}) -> AsyncIterator[${itemOf(operation)}]:\n        return self._walk(${JSON.stringify(operation.route.id)}, ${values}, options)\n`;
  });
  return `class ${name}:\n    """${words}"""\n\n    def _walk(self, operation: str, values: Dict[str, Any], options: Optional[CallOptions]) -> AsyncIterator[Any]:\n        raise NotImplementedError\n\n${lines.join("\n")}`;
}

function rowType(
  operation: Operation,
  types: Types,
  shapes: Record<string, Record<string, unknown>>,
): string {
  const { properties } = resolve(operation.answer, shapes) as {
    properties: Record<string, { items?: object }>;
  };
  const list = properties[String(operation.walk?.rows)];
  return types.typeOf((list?.items ?? {}) as never, "Row");
}

function table(operations: Operation[]): string {
  const rows = operations.map(({ route, fields, walk, units }) => {
    const parts = [
      `method="${route.method}"`,
      `path="${route.path}"`,
      `credits=${route.price.credits}`,
      ...(fields.some((field) => field.in === "body") ? ["body=True"] : []),
      ...(route.access === "keyless" || route.access === "open" ? ["keyless=True"] : []),
      ...(walk
        ? [
            `walk=(${walk.rows === null ? "None" : JSON.stringify(walk.rows)}, "${walk.parameter}", "${walk.from}")`,
          ]
        : []),
      ...(units
        ? [
            `units=("${units.parameter}", ${units.unset}, ${JSON.stringify(units.steps)}, ${JSON.stringify(units.special)})`,
          ]
        : []),
    ];
    return `    "${route.id}": OperationRow(${parts.join(", ")}),\n`;
  });
  return `OPERATIONS: Dict[str, OperationRow] = {\n${rows.join("")}}\n`;
}

function errors(): string {
  const codes = Object.entries(ERROR_CODES);
  const classes = codes.map(
    ([code, { meaning, status }]) => `class ${className(code)}(ApiError):\n    """${status}: ${meaning}"""\n`,
  );
  const rows = codes.map(([code]) => `    "${code}": ${className(code)},\n`);
  return `${classes.join("\n\n")}\n\nERRORS: Dict[str, type[ApiError]] = {\n${rows.join("")}}\n`;
}

function streams(): string {
  const types = createPythonTypes();
  const filters = Object.entries(STREAMS).map(([name, { query, path }]) => {
    const fields = Object.entries(query.shape).filter(
      ([field]) => !STREAM_PLUMBING.has(field) && isName(field),
    );
    const lines = fields.map(([field, schema]) => {
      const type = types.typeOf(fieldSchema(schema), "Input");
      return `    ${snakeCase(field)}: ${type === "str" ? "Union[str, int, Sequence[Union[str, int]]]" : type}\n`;
    });
    return `class ${className(name)}Filter(TypedDict, total=False):\n    """What to follow on ${path}; nothing is everything."""\n${lines.join("")}`;
  });
  const names = Object.entries(STREAMS).flatMap(([, { query }]) =>
    Object.keys(query.shape).map((field) => [snakeCase(field), field]),
  );
  const codes = Object.entries(CLOSE_CODES).map(
    ([code, { name, reconnect }]) => `    ${code}: ("${name}", ${reconnect ? "True" : "False"}),\n`,
  );
  const paths = Object.entries(STREAMS).map(([name, { path }]) => `"${name}": "${path}"`);
  return `${filters.join("\n\n")}

STREAM_PATHS: Dict[str, str] = {${paths.join(", ")}}
STREAM_FIELDS: Dict[str, str] = ${JSON.stringify(Object.fromEntries(names))}
# The name of each close code, and whether connecting again can help.
CLOSE_CODES: Dict[int, Tuple[str, bool]] = {
${codes.join("")}}
HEARTBEAT_SECONDS = ${HEARTBEAT_SECONDS}
`;
}
