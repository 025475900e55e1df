// Writes the TypeScript client's generated half: shapes, inputs, methods, the small table that the client runs on, and, in a
// separate file, the error classes. None of it is edited by hand.
import { ERROR_CODES, ErrorBody } from "../../contract/errors.ts";
import { CLOSE_CODES, HEARTBEAT_SECONDS, SERVER_FRAMES, STREAMS } from "../../contract/frames.ts";
import { createJsonSchemas, type Json } from "../../contract/json-schema.ts";
import { fieldSchema } from "../../contract/openapi.ts";
import { factsOf } from "../../contract/parts.ts";
import { type Operation, readOperations } from "./operations.ts";
import { declarationsOf, fieldsOf, typeOf } from "./typescript-types.ts";

const HEAD =
  "// Written by `npm run client:types` from the contract. Do not edit: client/generate/ is where it comes from.";

const upperFirst = (name: string) => name[0]?.toUpperCase() + name.slice(1);
/** credits_exhausted as CreditsExhausted. */
export const className = (code: string) => code.split("_").map(upperFirst).join("");

/** Fields that the client itself puts into a stream's URL. */
export const STREAM_PLUMBING = new Set(["key", "ticket", "resume", "notices"]);

export function writeTypescript(): string {
  const { operations, schemas } = readOperations();
  return [
    HEAD,
    'import type { CallOptions, OperationRow } from "./operation.ts";\n',
    ...declarationsOf(withFrames(schemas)),
    ...operations.map(inputOf),
    methods(operations),
    walks(operations),
    ...streamFilters(),
    table(operations),
    streams(),
  ].join("\n");
}

/** The shapes of answers, of the error body and of every frame. */
export function withFrames(schemas: Record<string, Json>): Record<string, Json> {
  const more = createJsonSchemas("#/");
  more.of(ErrorBody);
  for (const frame of Object.values(SERVER_FRAMES)) more.of(frame);
  const { Error: body, ...rest } = { ...schemas, ...more.components };
  return { ...rest, ...(body ? { ErrorBody: body } : {}) };
}

const inputName = ({ route }: Operation) => `${upperFirst(route.id)}Input`;

function inputOf(operation: Operation): string {
  const { fields } = operation;
  const properties = Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  if (fields.length === 0) return `export type ${inputName(operation)} = Record<string, never>;\n`;
  return `export interface ${inputName(operation)} ${fieldsOf({ properties, required })}\n`;
}

const hasRequired = ({ fields }: Operation) => fields.some(({ required }) => required);
const parameters = (operation: Operation) =>
  `input${hasRequired(operation) ? "" : "?"}: ${inputName(operation)}`;

function priceOf({ route }: Operation): string {
  const { credits, unit, resolution } = route.price;
  if (credits === 0) return "Free.";
  const each = unit === "call" ? "" : ` a${unit === "page" ? "" : "n"} ${unit}`;
  return `${credits.toLocaleString("en")} credits${each}${resolution ? " and one wallet resolution" : ""}.`;
}

function methods(operations: Operation[]): string {
  const lines = operations.map((operation) => {
    const { route, text, answer } = operation;
    const words = `  /** ${route.summary}. ${route.description} ${priceOf(operation)} */\n`;
    const asText = text
      ? `  ${route.id}(input: ${inputName(operation)} & { ${text.parameter}: ${JSON.stringify(text.value)} }, options?: CallOptions): Promise<string>;\n`
      : "";
    return `${words}${asText}  ${route.id}(${parameters(operation)}, options?: CallOptions): Promise<${typeOf(answer)}>;\n`;
  });
  return `/** One method per route, named by its operation. */\nexport interface Methods {\n${lines.join("")}}\n`;
}

/** Walks are typed by the methods that they call page after page. */
function walks(operations: Operation[]): string {
  const walked = operations.flatMap(({ route, walk }) => (walk ? [{ id: route.id, rows: walk.rows }] : []));
  const rows = walked.flatMap(({ id, rows }) =>
    rows === null ? [] : [`  ${id}: ${JSON.stringify(rows)};\n`],
  );
  const wholePages = walked.flatMap(({ id, rows }) => (rows === null ? [JSON.stringify(id)] : []));
  const ids = ["keyof RowLists", ...wholePages].join(" | ");
  return [
    `/** The list in each answer that is walked row by row. */\ninterface RowLists {\n${rows.join("")}}`,
    "type Page<Id extends keyof Methods> = Awaited<ReturnType<Methods[Id]>>;",
    "type RowOf<Answer, List> = List extends keyof Answer ? Answer[List] extends readonly (infer Row)[] ? Row : never : never;",
    "\n/** Every row of a list, page after page. */",
    "export type Rows = { [Id in keyof RowLists]: (...call: Parameters<Methods[Id]>) => AsyncIterableIterator<RowOf<Page<Id>, RowLists[Id]>> };",
    "\n/** The same walks, a page at a time. */",
    `export type Pages = { [Id in ${ids}]: (...call: Parameters<Methods[Id]>) => AsyncIterableIterator<Page<Id>> };\n`,
  ].join("\n");
}

function streamFilters(): string[] {
  return Object.entries(STREAMS).map(([name, stream]) => {
    const lines = Object.entries(stream.query.shape)
      .filter(([field]) => !STREAM_PLUMBING.has(field))
      .map(([field, schema]) => {
        const type = typeOf(fieldSchema(schema));
        const many = type === "string" ? "string | number | readonly (string | number)[]" : type;
        return `  /** ${factsOf(schema)?.description ?? field} */\n  ${field}?: ${many};\n`;
      });
    return `/** What to follow on ${stream.path}; nothing is everything. */\nexport interface ${upperFirst(name)}Filter {\n${lines.join("")}}\n`;
  });
}

function row({ route, fields, walk, units }: Operation): string {
  const more = {
    ...(fields.some((field) => field.in === "body") ? { body: true } : {}),
    ...(route.access === "keyless" || route.access === "open" ? { keyless: true } : {}),
    ...(walk ? { walk: [walk.rows, walk.parameter, walk.from] } : {}),
    ...(units ? { units: [units.parameter, units.unset, units.steps, units.special] } : {}),
  };
  const rest = Object.keys(more).length > 0 ? `, ${JSON.stringify(more)}` : "";
  return `  ${route.id}: ["${route.method} ${route.path}", ${route.price.credits}${rest}],\n`;
}

function table(operations: Operation[]): string {
  return `/** Method and path, credits a unit, and what else a call must know. */\nexport const OPERATIONS: Record<keyof Methods, OperationRow> = {\n${operations.map(row).join("")}};\n`;
}

/** One class per error code, and a table to look it up. */
export function writeErrors(): string {
  const codes = Object.entries(ERROR_CODES);
  const classes = codes.map(
    ([code, { meaning, status }]) =>
      `/** ${status}: ${meaning} */\nexport class ${className(code)} extends ApiError {}\n`,
  );
  const rows = codes.map(([code]) => `  ${code}: ${className(code)},\n`);
  const imports = `import { ApiError } from "./api-error.ts";\nimport type { ErrorBody } from "./generated.ts";\n`;
  return `${HEAD}\n${imports}\n${classes.join("")}\nexport const ERRORS: Record<ErrorBody["error"], typeof ApiError> = {\n${rows.join("")}};\n`;
}

function streams(): string {
  const paths = Object.entries(STREAMS).map(([name, { path }]) => [name, path]);
  const codes = Object.entries(CLOSE_CODES).map(([code, { name, reconnect }]) => [code, [name, reconnect]]);
  return `export const STREAM_PATHS = ${JSON.stringify(Object.fromEntries(paths))} as const;
/** The name of each close code, and whether connecting again can help. */
export const CLOSE_CODES: Record<number, readonly [name: string, reconnect: boolean]> = ${JSON.stringify(Object.fromEntries(codes))};
export const HEARTBEAT_SECONDS = ${HEARTBEAT_SECONDS};
`;
}
