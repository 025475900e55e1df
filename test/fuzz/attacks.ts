// Requests generated from the OpenAPI document: for each parameter, header and body field of each operation, requests that are
// valid except for that one, and requests that are wrong as a whole.
import fc from "fast-check";
import type { Operation, Parameter } from "./documents.ts";
import { HOSTILE_JSON } from "./hostile.ts";
import type { Schema } from "./schema.ts";
import { fittingText, headerValue, hostileText, jsonValue, type Seen, wireValue } from "./values.ts";

export interface Attack {
  operation: Operation;
  /** The target of the attack, for the report. */
  target: string;
  method: string;
  /** The request as latin-1 text. */
  bytes: string;
  isKeyed: boolean;
  /** The path may match another route, or none. */
  mayStray: boolean;
  /** Bytes that HTTP itself forbids: the runtime may refuse them in its own words. */
  isMalformed: boolean;
}

export interface Target {
  name: string;
  make: fc.Arbitrary<Draft>;
}

interface Draft {
  method?: string;
  path?: Record<string, string>;
  query?: [string, string][];
  headers?: [string, string][];
  body?: string | null;
}

/** Headers with a meaning for a server, other than those in the document. */
const COMMON_HEADERS = [
  "Accept",
  "Accept-Encoding",
  "If-None-Match",
  "If-Modified-Since",
  "Range",
  "Origin",
  "Cookie",
  "Referer",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-HTTP-Method-Override",
  "traceparent",
  "tracestate",
  "User-Agent",
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);

/** Everything in an operation that can be attacked. */
export function targetsOf(operation: Operation, seen: Seen): Target[] {
  const { parameters, body } = operation;
  const named = parameters.map(
    (parameter): Target => ({
      name: `${parameter.in} ${parameter.name}`,
      make: oneParameter(parameter, seen),
    }),
  );
  const header = (name: string, values = headerValue): Target => ({
    name: `header ${name}`,
    make: values.map((value) => ({ headers: [[name, value]] })),
  });
  const credentials = fc.oneof(
    headerValue,
    headerValue.map((value) => `Bearer ${value}`),
    pick([
      "Bearer",
      "Bearer ",
      "bearer x",
      "Basic YTpi",
      "Bearer ct_live_",
      `Bearer ct_test_${"0".repeat(40)}`,
    ]),
  );
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const anyPair = fc.tuple(
    fc.oneof(hostileText.map(encodeLoosely), pick(["limit", "key", "__proto__", "a[b]", "a[]", ""])),
    hostileText.map(encodeLoosely),
  );
  const whole: Target[] = [
    {
      name: "strange query",
      make: fc.array(anyPair, { minLength: 1, maxLength: 4 }).map((query) => ({ query })),
    },
    { name: "method", make: pick(METHODS).map((method) => ({ method })) },
    { name: "everything", make: everything(operation, seen) },
  ];
  if (queries.length > 0)
    whole.push({
      name: "repeated query",
      make: pick(queries).chain(({ name, schema, example }) =>
        fc.array(wireValue(name, schema, seen, example), { minLength: 2, maxLength: 3 }).map((values) => ({
          query: values.map((value): [string, string] => [name, value]),
        })),
      ),
    });
  if (body) {
    whole.push({ name: "body", make: pick(HOSTILE_JSON).map((text) => ({ body: text })) });
    whole.push(
      header("Content-Type", fc.oneof(headerValue, pick(["text/plain", "application/json;charset=utf-7"]))),
    );
    whole.push(
      header("Content-Encoding", fc.oneof(headerValue, pick(["gzip", "br", "identity", "deflate, gzip"]))),
    );
    for (const [name, schema] of Object.entries((body.schema.properties ?? {}) as Record<string, Schema>)) {
      const make = jsonValue(name, schema, seen).map((value) => ({
        body: asJson({ ...(body.example as object), [name]: value }),
      }));
      whole.push({ name: `body ${name}`, make });
    }
  }
  const common = fc.tuple(pick(COMMON_HEADERS), headerValue).map((one) => ({ headers: [one] }));
  return [...named, header("Authorization", credentials), { name: "common headers", make: common }, ...whole];
}

const asJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("latin1");
const encodeLoosely = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : "%ed%a0%80");

function oneParameter(parameter: Parameter, seen: Seen): fc.Arbitrary<Draft> {
  const { name, schema, example } = parameter;
  if (parameter.in === "header") return headerValue.map((value) => ({ headers: [[name, value]] }));
  const value = wireValue(name, schema, seen, example);
  return parameter.in === "path"
    ? value.map((text) => ({ path: { [name]: text } }))
    : value.map((text) => ({ query: [[name, text]] }));
}

function everything(operation: Operation, seen: Seen): fc.Arbitrary<Draft> {
  const parts = operation.parameters.map((parameter) =>
    fc.option(oneParameter(parameter, seen), { nil: {} as Draft, freq: 2 }),
  );
  return fc.tuple(...parts).map((drafts) => ({
    path: Object.assign({}, ...drafts.map((draft) => draft.path ?? {})),
    query: drafts.flatMap((draft) => draft.query ?? []),
    headers: drafts.flatMap((draft) => draft.headers ?? []),
  }));
}

/** The draft with everything else valid. */
export function attackOf(
  operation: Operation,
  target: string,
  draft: Draft,
  right: (parameter: Parameter) => string,
  key: string,
): Attack {
  const method = draft.method ?? operation.method;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((each) => each.in === "path" && each.name === name);
    return draft.path?.[name] ?? (parameter ? right(parameter) : name);
  });
  const query = [...(draft.query ?? [])];
  for (const parameter of operation.parameters) {
    const isThere = query.some(([name]) => name === parameter.name);
    if (parameter.in === "query" && parameter.required && !isThere)
      query.push([parameter.name, right(parameter)]);
  }
  const search = query.map(([name, value]) => `${name}=${value}`).join("&");
  const headers = [...(draft.headers ?? [])];
  const has = (name: string) => headers.some(([each]) => each.toLowerCase() === name);
  const isKeyed = !has("authorization");
  if (isKeyed) headers.push(["Authorization", `Bearer ${key}`]);
  const takesBody = operation.body !== null && method === operation.method;
  const body = draft.body ?? (takesBody ? asJson(operation.body?.example ?? {}) : "");
  if (takesBody && !has("content-type")) headers.push(["Content-Type", "application/json"]);
  if (takesBody || body !== "") headers.push(["Content-Length", String(body.length)]);
  const asked = search === "" ? path : `${path}?${search}`;
  const lines = [`${method} ${asked} HTTP/1.1`, "Host: fuzz.example"];
  const head = [...lines, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  const written = Object.values(draft.path ?? {});
  return {
    operation,
    target,
    method,
    isKeyed,
    bytes: `${head}\r\n\r\n${body}`,
    mayStray: method !== operation.method || written.some((text) => /^(\.|%2e)*$|[/?#\\]/i.test(text)),
    isMalformed:
      /[^\x21-\x7e]/.test(asked) || headers.some(([, value]) => /[^\x20-\x7e\x80-\xff\t]/.test(value)),
  };
}

/** How many valid values of a parameter are drawn at a time; drawing them one by one takes longer than requesting. */
const RIGHT_VALUES = 50;

/** Values that should be valid, drawn from what the service itself has returned. */
export function rightValues(seen: Seen, seed: number) {
  const drawn = new Map<Parameter, string[]>();
  let draws = seed;
  return (parameter: Parameter): string => {
    let values = drawn.get(parameter);
    if (!values || values.length === 0) {
      const { name, schema, example } = parameter;
      const texts = fc.sample(fittingText(name, schema, seen, example), {
        numRuns: RIGHT_VALUES,
        seed: draws++,
      });
      values = texts.map((text) => encodeURIComponent(text.isWellFormed() ? text : ""));
      drawn.set(parameter, values);
    }
    return values.pop() ?? "";
  };
}
