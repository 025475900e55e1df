// The response headers, as OpenAPI components.
import type { Json } from "./json-schema.ts";
import type { AnyRoute } from "./route.ts";

const header = (description: string, schema: Json, example: unknown): Json => ({
  description,
  schema,
  example,
});

export const HEADER_COMPONENTS = {
  "x-credits-cost": header("What this call cost.", { type: "integer", minimum: 0 }, 250),
  "x-credits-remaining": header(
    "What the account has left; only with a key.",
    { type: "integer", minimum: 0 },
    249_750,
  ),
  "x-request-id": header(
    "Names this request in logs and errors.",
    { type: "string" },
    "req_4Jm1s9bQ4vm0C2xq",
  ),
  RateLimit: header(
    "What is left of the rate limit, and in how many seconds it renews.",
    { type: "string" },
    '"minute";r=59;t=42',
  ),
  "RateLimit-Policy": header(
    "The rate limit and its window in seconds.",
    { type: "string" },
    '"minute";q=60;w=60',
  ),
  "Retry-After": header("Seconds to wait before trying again.", { type: "integer", minimum: 0 }, 3),
  ETag: header(
    "Identifies this answer; send it as If-None-Match: an unchanged answer is free.",
    { type: "string" },
    '"b7c1f0a2"',
  ),
  "Cache-Control": header("How long the answer may be reused.", { type: "string" }, "private, max-age=15"),
} as const;
type HeaderName = keyof typeof HEADER_COMPONENTS;

const ALWAYS: readonly HeaderName[] = ["x-credits-cost", "x-request-id", "RateLimit", "RateLimit-Policy"];

const refer = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of a route's successful response. */
export function answerHeaders(route: AnyRoute): Json {
  const names: HeaderName[] = [...ALWAYS];
  if (route.access !== "open") names.push("x-credits-remaining");
  if (route.cache.kind === "shared") names.push("ETag", "Cache-Control");
  return refer(names);
}

export function refusalHeaders(status: number): Json {
  const names: HeaderName[] = [...ALWAYS];
  if (status !== 401) names.push("x-credits-remaining");
  if (status === 409 || status === 429 || status === 503) names.push("Retry-After");
  return refer(names);
}
