// The OpenAPI 3.1 document, generated from ROUTES: it contains exactly what the route values contain.
import type { z } from "zod";
import { withChains } from "./chain-enum.ts";
import { type Chains, DEFAULT_CHAINS } from "./chains.ts";
import { ERROR_CODES, ErrorBody, type ErrorCode, errorDocs } from "./errors.ts";
import { filledExample } from "./examples.ts";
import { createJsonSchemas, type Json, type JsonSchemas } from "./json-schema.ts";
import { answerHeaders, HEADER_COMPONENTS, refusalHeaders } from "./openapi-headers.ts";
import { defaultOf, factsOf } from "./parts.ts";
import { type AnyRoute, pathNames, TAGS } from "./route.ts";
import { ALL_ROUTES } from "./routes.ts";
import { sampleOf } from "./sample.ts";
import { webhooksSection } from "./webhooks.ts";

export interface DocumentSettings {
  baseUrl: string;
  version: string;
  chains?: Chains;
}

/** One call or shape at a time, for callers that must not block on all of them. */
export function* openApiSlices({
  baseUrl,
  version,
  chains = DEFAULT_CHAINS,
}: DocumentSettings): Generator<void, Json, void> {
  const schemas = createJsonSchemas();
  schemas.of(ErrorBody);
  const refusalsMet: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ALL_ROUTES) {
    for (const path of [route.path, ...route.aliases]) {
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: withChains(chains, operation(route, path, schemas, refusalsMet)),
      };
      yield;
    }
  }
  const webhooks = withChains(chains, webhooksSection(schemas));
  const shapes: Record<string, Json> = {};
  for (const [name, shape] of Object.entries(schemas.components)) {
    shapes[name] = withChains(chains, shape);
    yield;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Crowdtape",
      version,
      summary: "Social trading data: traders, theses, boards and live trades.",
      description: intro(chains),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "Crowdtape", url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl, description: "This service." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ bearerAuth: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "ct_live_… or ct_test_…",
          description: "An API key in the Authorization header.",
        },
      },
      headers: HEADER_COMPONENTS,
      responses: withChains(chains, refusalsMet),
      schemas: shapes,
    },
  };
}

function intro(chains: Chains): string {
  const names = chains.list.map(({ name, id }) => `${name} (${id})`).join(", ");
  return (
    "Every answer is a JSON object. Timestamps are ISO 8601 in UTC with milliseconds; ts in alerts is epoch milliseconds. " +
    "An unknown value is null, never 0. Fields may be added within a version, so ignore those you do not know. " +
    "Parameters that a call does not take are refused, and so are values out of range. " +
    `Chains: ${names}. Each operation's price is in x-credits; a 304 and a failed call cost nothing.`
  );
}

/** An alias is a separate path with its own operation id. */
function operationId(route: AnyRoute, path: string): string {
  const index = route.aliases.indexOf(path);
  if (index < 0) return route.id;
  return `${route.id}Alias${index === 0 ? "" : index + 1}`;
}

function operation(
  route: AnyRoute,
  path: string,
  schemas: JsonSchemas,
  refusalsMet: Record<string, Json>,
): Json {
  const isAlias = path !== route.path;
  return {
    operationId: operationId(route, path),
    tags: [route.tag],
    summary: isAlias ? `${route.summary} (alias)` : route.summary,
    description: isAlias ? `The same as ${route.path}. ${route.description}` : route.description,
    ...security(route),
    "x-credits": route.price,
    ...listOrNothing("parameters", parameters(route, path)),
    ...(route.body ? { requestBody: requestBody(route.body, route) } : {}),
    responses: { ...responses(route, schemas), ...refusals(route, refusalsMet) },
  };
}

const listOrNothing = (name: string, list: Json[]): Json => (list.length > 0 ? { [name]: list } : {});

function security(route: AnyRoute): Json {
  if (route.access === "open") return { security: [] };
  return route.access === "keyless" ? { security: [{}, { bearerAuth: [] }] } : {};
}

function parameters(route: AnyRoute, path: string): Json[] {
  const { params, query } = filledExample(route);
  const own = pathNames(route.path);
  const inPath = pathNames(path).map((name, index) =>
    describe(name, "path", field(route.params, own[index] ?? name), params[own[index] ?? name]),
  );
  const inQuery = Object.keys(route.query.shape).map((name) =>
    describe(name, "query", field(route.query, name), query[name]),
  );
  const idempotency = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "Repeating a call with the same key and body within 24 hours gives the first answer again.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [...inPath, ...inQuery, ...(route.method === "POST" ? [idempotency] : [])];
}

function field(schema: z.ZodObject, name: string): z.ZodType {
  return schema.shape[name] as z.ZodType;
}

function describe(name: string, where: "path" | "query", schema: z.ZodType, example?: string): Json {
  const numeric = factsOf(schema)?.schema.type;
  const isNumber = numeric === "integer" || numeric === "number";
  return {
    name,
    in: where,
    required: where === "path" || !schema.safeParse(undefined).success,
    description: factsOf(schema)?.description ?? name,
    schema: fieldSchema(schema),
    ...(example === undefined ? {} : { example: isNumber ? Number(example) : example }),
  };
}

/** The documented form of an input field, with its default. */
export function fieldSchema(schema: z.ZodType): Json {
  const fallback = defaultOf(schema);
  return { ...factsOf(schema)?.schema, ...(fallback === undefined ? {} : { default: fallback }) };
}

function requestBody(body: z.ZodObject, route: AnyRoute): Json {
  const names = Object.keys(body.shape);
  const required = names.filter((name) => !field(body, name).safeParse(undefined).success);
  const properties = names.map((name) => [
    name,
    { ...fieldSchema(field(body, name)), description: factsOf(field(body, name))?.description ?? name },
  ]);
  return {
    required: required.length > 0,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: Object.fromEntries(properties),
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
        ...(route.example.body ? { example: route.example.body } : {}),
      },
    },
  };
}

function responses(route: AnyRoute, schemas: JsonSchemas): Json {
  const schema = schemas.of(route.answer);
  const content: Json = {
    "application/json": { schema, example: sampleOf(schema, schemas.components) },
  };
  for (const mediaType of route.otherMediaTypes)
    content[mediaType] = {
      schema: route.hasRanges ? { type: "string", format: "binary" } : { type: "string" },
    };
  const success = { description: route.summary, headers: answerHeaders(route), content };
  const notModified =
    route.cache.kind === "shared"
      ? {
          "304": {
            description: "Nothing changed since the ETag that was sent. Free.",
            headers: answerHeaders(route),
          },
        }
      : {};
  const accepted = route.mayBeAccepted
    ? { "202": { ...success, description: `${route.summary}: still running; poll it by its id.` } }
    : {};
  const partial = route.hasRanges
    ? { "206": { ...success, description: `${route.summary}: the part requested by Range.` } }
    : {};
  return { [route.status]: success, ...accepted, ...partial, ...notModified };
}

/** Error responses by status, for the codes that a route declares; routes with the same ones share the component. */
function refusals(route: AnyRoute, shared: Record<string, Json>): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...route.errors].sort()) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, codes]) => {
      const name = codes.join("-or-");
      shared[name] ??= refusal(status, codes);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function refusal(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `${code}: ${ERROR_CODES[code].meaning}`).join(" "),
    headers: refusalHeaders(status),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  };
}

function errorExample(code: ErrorCode): Json {
  const { status, retryable, meaning } = ERROR_CODES[code];
  return {
    error: code,
    message: meaning,
    status,
    retryable,
    requestId: "req_4Jm1s9bQ4vm0C2xq",
    docs: errorDocs(code),
  };
}
