// The tools: one per read of the contract, described with its price, its limits and an example, so that a model can choose
// without trial calls. Nothing here can create keys, pay, or change existing data.
import { z } from "zod";
import { filledExample } from "../../contract/examples.ts";
import type { Json } from "../../contract/json-schema.ts";
import { priceText } from "../../contract/llms.ts";
import { fieldSchema } from "../../contract/openapi.ts";
import { factsOf } from "../../contract/parts.ts";
import { type AnyRoute, pathNames } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { ROWS_MAX } from "./output.ts";

export interface McpTool {
  route: AnyRoute;
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, Json>; required?: string[] };
  /** Fields without a value are left out, so none is required; strangers' text is marked. */
  outputSchema: { type: "object"; properties: Record<string, Json> };
}

/** Reads that a model has no use for, or should not see: keys, payments, webhook addresses, a monitoring probe. */
const LEFT_OUT = new Set([
  "listKeys",
  "getPayment",
  "getHealth",
  "listWebhooks",
  "getWebhook",
  "listWebhookDeliveries",
]);
/** Formats other than JSON are for files. */
const NOT_FOR_MODELS = new Set(["format"]);
/** Rows that fit into an answer; more can be requested, or follow with the next cursor. */
export const ROWS = 20;

const FIELDS: Json = {
  type: "string",
  description: "Only these fields of each row, separated by commas: a shorter answer. All unless given.",
};

/** A query that is too long for a URL. */
const ASKED_BY_POST = "createReplay";

export const TOOLS: readonly McpTool[] = ALL_ROUTES.filter(
  ({ method, id }) => (method === "GET" && !LEFT_OUT.has(id)) || id === ASKED_BY_POST,
).map(toolOf);

function toolOf(route: AnyRoute): McpTool {
  const fields = [route.params, route.query, ...(route.body ? [route.body] : [])]
    .flatMap(({ shape }) => Object.entries(shape))
    .filter(([name]) => !NOT_FOR_MODELS.has(name));
  const required = fields.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name);
  const properties = fields.map(([name, schema]) => {
    const fallback = defaultLimit(route, name);
    const description = factsOf(schema)?.description ?? name;
    return [
      name,
      { ...fieldSchema(schema), description, ...(fallback === undefined ? {} : { default: fallback }) },
    ];
  });
  return {
    route,
    name: route.id,
    title: route.summary,
    description: [
      `${route.summary}. ${route.description}`,
      `Price: ${priceText(route)}`,
      ...exampleText(route),
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties: { ...Object.fromEntries(properties), fields: FIELDS },
      ...(required.length > 0 ? { required } : {}),
    },
    outputSchema: { type: "object", properties: answerFields(route) },
  };
}

function answerFields(route: AnyRoute): Record<string, Json> {
  const shape = route.answer instanceof z.ZodObject ? route.answer.shape : {};
  const own = Object.entries(shape).map(([name, schema]): [string, Json] => [
    name,
    { description: (schema as z.ZodType).description ?? name },
  ]);
  return {
    ...Object.fromEntries(own),
    credits: { type: "object", description: "What this call cost, and what remains." },
    leftOut: { type: "number", description: "Rows of lists that were left out to keep this short." },
  };
}

function exampleText(route: AnyRoute): string[] {
  const { params, query, body } = filledExample(route);
  const input = { ...params, ...query, ...body };
  return Object.keys(input).length === 0 ? [] : [`Example: ${JSON.stringify(input)}`];
}

function defaultLimit(route: AnyRoute, name: string): number | undefined {
  if (name !== "limit") return undefined;
  const { default: own, maximum } = fieldSchema(route.query.shape.limit as never) as {
    default?: number;
    maximum?: number;
  };
  return Math.min(ROWS, own ?? maximum ?? ROWS);
}

/** Strings for a URL; for a body, any JSON. */
export type ToolInput = Record<string, unknown>;

/** A call's input as the service accepts it: strings, with a list's shorter default. */
export function inputOf({ route, inputSchema }: McpTool, given: Record<string, unknown>): ToolInput {
  const { default: rows } = (inputSchema.properties.limit ?? {}) as { default?: number };
  // A fan-out or a walk of pages keeps its own size.
  const whole: Record<string, unknown> = rows === undefined ? { ...given } : { limit: rows, ...given };
  if (rows !== undefined && Number(whole.limit) > ROWS_MAX) whole.limit = ROWS_MAX;
  const input = Object.entries(whole).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  if (route.body) return Object.fromEntries(input);
  for (const [name, value] of input)
    if (typeof value === "object") throw new TypeError(`${name} must be a text or a number.`);
  const texts = Object.fromEntries(input.map(([name, value]) => [name, String(value)]));
  for (const name of pathNames(route.path))
    if (texts[name] === undefined) throw new TypeError(`${name} is missing.`);
  return texts;
}
