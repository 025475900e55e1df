import { describe, expect, test } from "bun:test";
import { atOnce } from "../kit/slices.ts";
import { asyncApiSlices } from "./asyncapi.ts";
import { createChains } from "./chains.ts";
import { CLIENT_FRAMES, CLOSE_CODES, ClientFrame, SERVER_FRAMES, ServerFrame, STREAMS } from "./frames.ts";
import { createJsonSchemas, type Json } from "./json-schema.ts";
import { openApiSlices } from "./openapi.ts";
import { readInput } from "./read.ts";
import { ALL_ROUTES } from "./routes.ts";
import { sampleOf } from "./sample.ts";

const openapi = atOnce(openApiSlices({ baseUrl: "http://localhost:8080", version: "2.0.0" }));
const asyncapi = atOnce(asyncApiSlices({ wsBaseUrl: "ws://localhost:8080", version: "2.0.0" }));

type Paths = Record<string, Record<string, Json>>;
const paths = openapi.paths as Paths;

/** Every $ref of a document; its target must be in the document. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === "$ref" && typeof part === "string") yield part;
    else yield* references(part);
  }
}

function resolve(document: Json, reference: string): unknown {
  const steps = reference
    .replace(/^#\//, "")
    .split("/")
    .map((step) => step.replaceAll("~1", "/"));
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);
}

test("a chain is an enum of the operator's names in both documents, in answers and in parameters", () => {
  const chains = createChains({ name: "moonchain", aliases: ["moon"] });
  const settings = { version: "2.0.0", chains };
  const documents = [
    atOnce(openApiSlices({ baseUrl: "http://localhost", ...settings })),
    atOnce(asyncApiSlices({ wsBaseUrl: "ws://localhost", ...settings })),
  ];
  const names = ["solana", "base", "bsc", "eth", "moonchain", "perps"];
  for (const document of documents) {
    const text = JSON.stringify(document);
    expect(text).not.toContain("x-chain");
    expect(text).toContain(`"enum":${JSON.stringify(names)}`);
  }
  const parameter = JSON.stringify(documents[0]?.paths);
  for (const input of ["sol", "ethereum", "moon", "robinhood", "hood", "rh", "4663"])
    expect(parameter).toContain(`"${input}"`);
});

describe("OpenAPI", () => {
  test("has every route and alias, and nothing else", () => {
    const inRoutes = ALL_ROUTES.flatMap((route) =>
      [route.path, ...route.aliases].map((path) => `${route.method} ${path}`),
    );
    const inDocument = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(inDocument.sort()).toEqual(inRoutes.sort());
  });
  test("names each operation once", () => {
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
  test.each(ALL_ROUTES.map((route) => [route.id, route] as const))(
    "says of %s what the route says",
    (_id, route) => {
      const operation = paths[route.path]?.[route.method.toLowerCase()] as Json;
      expect(operation["x-credits"]).toEqual(route.price);
      const names = ((operation.parameters ?? []) as Json[])
        .filter((each) => each.in !== "header")
        .map((each) => each.name);
      expect(names).toEqual([...Object.keys(route.params.shape), ...Object.keys(route.query.shape)]);
      const statuses = Object.keys(operation.responses as Json);
      expect(statuses).toContain(String(route.status));
      expect(operation.security).toEqual(
        route.access === "keyless" ? [{}, { bearerAuth: [] }] : route.access === "open" ? [] : undefined,
      );
    },
  );
  test("documents defaults and ranges of numbers", () => {
    const leaderboard = paths["/v2/leaderboard/{window}"]?.get?.parameters as Json[];
    expect(leaderboard.find(({ name }) => name === "limit")?.schema).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 150,
      default: 50,
    });
  });
  test("refers to nothing that is missing", () => {
    for (const reference of references(openapi)) expect(resolve(openapi, reference)).toBeDefined();
  });
});

describe("AsyncAPI", () => {
  test("has both streams with exactly their frames", () => {
    const channels = asyncapi.channels as Record<string, Json>;
    expect(Object.keys(channels)).toEqual(Object.keys(STREAMS));
    for (const [name, stream] of Object.entries(STREAMS)) {
      expect(channels[name]?.address).toBe(stream.path);
      expect(Object.keys(channels[name]?.messages as Json)).toEqual([
        ...stream.frames,
        ...Object.keys(CLIENT_FRAMES),
      ]);
    }
  });
  test("refers to nothing that is missing", () => {
    for (const reference of references(asyncapi)) expect(resolve(asyncapi, reference)).toBeDefined();
  });
});

describe("frames", () => {
  const schemas = createJsonSchemas();
  test.each(Object.entries(SERVER_FRAMES))("a sample %s is read by its own type", (name, schema) => {
    const sample = sampleOf(schemas.of(schema), schemas.components);
    expect(ServerFrame.safeParse(sample).error?.issues ?? []).toEqual([]);
    expect((sample as Json).type).toBe(name);
  });
  test("a subscription is accepted flat and with lists, and nothing else is", () => {
    for (const frame of [
      { action: "subscribe" },
      { action: "subscribe", trader: "nightowl", chain: 4663 },
      {
        action: "subscribe",
        traders: ["a", "b"],
        tokens: ["MOONCAT"],
        chains: ["solana"],
        types: ["buy"],
        minUsd: 500,
      },
      { action: "unsubscribe" },
      { action: "ping" },
    ])
      expect(ClientFrame.safeParse(frame).success).toBe(true);
    for (const frame of [
      {},
      { action: "dance" },
      { action: "subscribe", traders: [] },
      { action: "ping", x: 1 },
      [],
    ])
      expect(ClientFrame.safeParse(frame).success).toBe(false);
  });
  test("a mistyped key is accepted by the schema, so that the answer is 401 and not 400", () => {
    for (const { query } of Object.values(STREAMS))
      for (const key of ["", "nonsense", "ct_live_short"])
        expect(readInput(query, new URLSearchParams({ key }), "query").key).toBe(key);
  });
  test("a resume is an epoch and a seq", () => {
    const resume = (text: string) => STREAMS.alerts.query.safeParse({ resume: text }).success;
    expect(resume("5f0c1c7e-2c53-4f57-9d8e-0a5be2a1c001.48211")).toBe(true);
    for (const text of ["", "5", ".5", "a.", "a.-1", "a.01", "a.1.2", "a b.1"])
      expect(resume(text)).toBe(false);
  });
  test("every close code says whether to reconnect", () => {
    expect(Object.keys(CLOSE_CODES)).toEqual(["1001", "1009", "4001", "4003", "4004", "4008", "4029"]);
    for (const code of Object.values(CLOSE_CODES)) expect(typeof code.reconnect).toBe("boolean");
  });
});
