// The edge's last step: bytes and headers. Every answer, good or bad, leaves through here, so the headers that
// the interface promises are on all of them.
import { errorBody, type Fault } from "../../contract/errors.ts";
import type { RateStanding } from "../access/access.ts";
import { withoutSecrets } from "../kit/log.ts";
import type { Packed } from "./byte-cache.ts";

/** Headers that a browser's script may read. */
const EXPOSED = [
  "x-credits-cost",
  "x-credits-remaining",
  "x-request-id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "ETag",
  "Link",
].join(", ");

/** Below this, compressing costs more than the bytes it saves. */
const GZIP_FROM_BYTES = 1_400;

const JSON_TYPE = "application/json; charset=utf-8";

export type Headers = Record<string, string>;

/** What is known about a request by the time it is answered. */
export interface Exchange {
  request: Request;
  requestId: string;
  cost: number;
  /** null for callers without a key. */
  remaining: number | null;
  rate: RateStanding | null;
  /** Headers that only this answer has. */
  extra: Headers | null;
}

export function baseHeaders(exchange: Exchange): Headers {
  const headers: Headers = {
    "content-type": JSON_TYPE,
    "x-request-id": exchange.requestId,
    "x-credits-cost": String(exchange.cost),
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
    "x-content-type-options": "nosniff",
    vary: "Authorization, Accept-Encoding",
  };
  if (exchange.remaining !== null) headers["x-credits-remaining"] = String(exchange.remaining);
  if (exchange.rate) {
    headers.RateLimit = exchange.rate.limit;
    headers["RateLimit-Policy"] = exchange.rate.policy;
  }
  return exchange.extra ? { ...headers, ...exchange.extra } : headers;
}

export function sendPacked(
  exchange: Exchange,
  packed: Packed,
  status: number,
  maxAgeSeconds: number,
): Response {
  const headers = baseHeaders(exchange);
  if (packed.contentType !== null) headers["content-type"] = packed.contentType;
  headers["cache-control"] = maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : "no-store";
  if (maxAgeSeconds > 0) headers.etag = packed.etag;
  let bytes = packed.bytes;
  if (bytes.byteLength >= GZIP_FROM_BYTES && acceptsGzip(exchange.request.headers.get("accept-encoding"))) {
    packed.gzip ??= Bun.gzipSync(packed.bytes);
    bytes = packed.gzip;
    headers["content-encoding"] = "gzip";
  }
  if (exchange.request.method === "HEAD") {
    headers["content-length"] = String(bytes.byteLength);
    return new Response(null, { status, headers });
  }
  return new Response(bytes, { status, headers });
}

export function sendNotModified(exchange: Exchange, packed: Packed, maxAgeSeconds: number): Response {
  const { "content-type": _none, ...headers } = baseHeaders(exchange);
  headers.etag = packed.etag;
  headers["cache-control"] = `private, max-age=${maxAgeSeconds}`;
  return new Response(null, { status: 304, headers });
}

export function sendFault(exchange: Exchange, problem: Fault, extra: Headers = {}): Response {
  const headers: Headers = { ...baseHeaders(exchange), "cache-control": "no-store", ...extra };
  const retryAfter =
    problem.details.retryAfterSeconds ?? (problem.status === 503 ? RETRY_AFTER_503_SECONDS : null);
  if (retryAfter !== null) headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfter)));
  if (problem.code === "unauthorized") headers["www-authenticate"] = "Bearer";
  const body =
    exchange.request.method === "HEAD"
      ? null
      : // A key that was put where a name belongs is not repeated: refusals end up in clients' logs.
        withoutSecrets(JSON.stringify(errorBody(problem, exchange.requestId)));
  return new Response(body, { status: problem.status, headers });
}

/** Long enough for a stalled upstream read to end, short enough that a bot does not lose the moment. */
const RETRY_AFTER_503_SECONDS = 2;

export function sendPreflight(exchange: Exchange, methods: readonly string[]): Response {
  const { "content-type": _none, ...headers } = baseHeaders(exchange);
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      allow: methods.join(", "),
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
  });
}

/** A day: what a path allows changes only with the program. */
const PREFLIGHT_SECONDS = "86400";

export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}

function acceptsGzip(header: string | null): boolean {
  if (header === null || !header.includes("gzip")) return false;
  return !/gzip\s*;\s*q=0(\.0*)?\s*(,|$)/.test(header);
}
