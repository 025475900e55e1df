// The service's description, read only from the documents that it serves.
import { type Checker, createChecker, type Schema } from "./schema.ts";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Its JSON request body. */
  body: { schema: Schema; example: unknown } | null;
  /** The possible answers, by status and media type; a null schema is an answer without a body. */
  answers: Map<number, Record<string, Schema | null>>;
  price: { credits: number; miss: number };
  needsKey: boolean;
}

export interface Channel {
  name: string;
  path: string;
  query: Record<string, Schema>;
  /** A client's messages, by name. */
  takes: Record<string, Schema>;
  /** The service's frames, by type. */
  sends: Record<string, Schema>;
}

export interface Documents {
  operations: Operation[];
  channels: Channel[];
  checkAnswer: Checker;
  checkFrame: Checker;
  errorSchema: Schema;
  /** The target of a reference in the streams' document. */
  frameSchema(schema: Schema): Schema;
}

interface Loose {
  [name: string]: Loose | undefined;
}

export async function readDocuments(url: string): Promise<Documents> {
  const [openapi, asyncapi] = await Promise.all(
    ["/openapi.json", "/asyncapi.json"].map(
      async (path) => (await (await fetch(url + path)).json()) as Loose,
    ),
  );
  if (!openapi || !asyncapi) throw new Error("The documents are not there.");
  const operations = entriesOf(openapi.paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => operationOf(openapi, path, method, operation)),
  );
  return {
    operations,
    channels: entriesOf(asyncapi.channels).map(([name, channel]) => channelOf(asyncapi, name, channel)),
    checkAnswer: createChecker(openapi),
    checkFrame: createChecker(asyncapi),
    errorSchema: { $ref: "#/components/schemas/Error" },
    frameSchema: (schema) => follow(asyncapi, schema as Loose) as unknown as Schema,
  };
}

const entriesOf = (value: Loose | undefined) => Object.entries(value ?? {}) as [string, Loose][];

/** The value itself, or the target of its reference. */
function follow(document: Loose, value: Loose | undefined): Loose {
  const reference = value?.$ref as unknown;
  if (typeof reference !== "string") return value ?? {};
  let at = document;
  for (const part of reference.replace(/^#\//, "").split("/")) at = at[part] as Loose;
  return follow(document, at);
}

function operationOf(document: Loose, path: string, method: string, operation: Loose): Operation {
  const answers = new Map<number, Record<string, Schema | null>>();
  for (const [status, value] of entriesOf(operation.responses)) {
    const content = (follow(document, value).content ?? {}) as Record<string, { schema: Schema }>;
    const kinds = Object.entries(content).map(([type, { schema }]) => [type, schema]);
    answers.set(Number(status), Object.fromEntries(kinds));
  }
  const json = operation.requestBody?.content?.["application/json"] as unknown as
    | { schema: Schema; example?: unknown }
    | undefined;
  const security = (operation.security ?? document.security) as unknown as object[];
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []) as unknown as Parameter[],
    body: json ? { schema: json.schema, example: json.example ?? {} } : null,
    answers,
    price: operation["x-credits"] as unknown as Operation["price"],
    needsKey: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
  };
}

function channelOf(document: Loose, name: string, channel: Loose): Channel {
  const named = (action: string) => {
    const operation = entriesOf(document.operations).find(
      ([, each]) =>
        (each.action as unknown) === action && (each.channel?.$ref as unknown) === `#/channels/${name}`,
    );
    const messages = (operation?.[1].messages ?? []) as unknown as Loose[];
    return Object.fromEntries(
      messages.map((message) => {
        const found = follow(document, message);
        return [String(found.name), found.payload as unknown as Schema];
      }),
    );
  };
  return {
    name,
    path: String(channel.address),
    query: channel.bindings?.ws?.query?.properties as unknown as Record<string, Schema>,
    takes: named("receive"),
    sends: named("send"),
  };
}
