// The edge's last step: bytes and headers. Every response, good or bad, leaves through here, so all of them have the headers
// that the API promises.
import { errorBody, type Fault } from "../../contract/errors.ts";
import { withoutSecrets } from "../../kit/log.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { RateStanding } from "../access/access.ts";
import type { ServedFile } from "./answer.ts";
import type { Packed, SharedHeaders } from "./byte-cache.ts";
import { accepts, gzipAside } from "./compress.ts";
import { type FilePart, fileResponse } from "./ranges.ts";

/** Headers that a browser's script may read. */
const EXPOSED = [
  "x-credits-cost",
  "x-credits-remaining",
  "x-request-id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "ETag",
  "Content-Range",
  "Link",
].join(", ");

/** Below this, compressing costs more than the bytes it saves. */
const GZIP_FROM_BYTES = 1_400;

/** About 5 ms of compressing; from this size on it is done on another thread, where it blocks no one. */
const GZIP_ASIDE_FROM_BYTES = 128 * 1_024;

const JSON_TYPE = "application/json; charset=utf-8";

export type Headers = Record<string, string>;

/** The facts about a request by the time it is answered. */
export interface ReplyFacts {
  request: Request;
  requestId: string;
  cost: number;
  /** null for callers without a key. */
  remaining: number | null;
  rate: RateStanding | null;
  /** Headers of this response only. */
  extra: Headers | null;
}

/** On every response, for every caller. */
const FIXED_HEADERS: Headers = {
  "content-type": JSON_TYPE,
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
  "x-content-type-options": "nosniff",
  vary: "Authorization, Accept-Encoding",
};

function baseHeaders(exchange: ReplyFacts): Headers {
  const headers: Headers = {
    ...FIXED_HEADERS,
    "x-request-id": exchange.requestId,
    "x-credits-cost": String(exchange.cost),
  };
  if (exchange.remaining !== null) headers["x-credits-remaining"] = String(exchange.remaining);
  if (exchange.rate) {
    headers.RateLimit = exchange.rate.limit;
    headers["RateLimit-Policy"] = exchange.rate.policy;
  }
  return exchange.extra ? { ...headers, ...exchange.extra } : headers;
}

/** Compresses a large answer on another thread, if it will be sent gzipped; others are compressed when they are sent. */
export function compressed(exchange: ReplyFacts, packed: Packed): MaybePromise<Packed> {
  const isSoon =
    packed.bytes.byteLength < GZIP_ASIDE_FROM_BYTES ||
    packed.gzip !== null ||
    !accepts(exchange.request.headers.get("accept-encoding"), "gzip");
  if (isSoon) return packed;
  return gzipAside(packed.bytes).then((bytes) => {
    packed.gzip = new Blob([bytes]);
    return packed;
  });
}

export function sendPacked(
  exchange: ReplyFacts,
  packed: Packed,
  status: number,
  maxAgeSeconds: number,
): Response {
  const isGzip =
    packed.bytes.byteLength >= GZIP_FROM_BYTES &&
    accepts(exchange.request.headers.get("accept-encoding"), "gzip");
  const body = isGzip ? gzipOf(packed) : bodyOf(packed);
  const isHead = exchange.request.method === "HEAD";
  const headers = sharedHeaders(exchange, packed, maxAgeSeconds, isGzip);
  // Set before they are copied into the response: setting them afterwards makes each copy reallocate.
  headers.set("x-request-id", exchange.requestId);
  if (exchange.remaining !== null) headers.set("x-credits-remaining", String(exchange.remaining));
  if (exchange.rate) headers.set("RateLimit", exchange.rate.limit);
  const response = new Response(isHead ? null : body, { status, headers });
  if (isHead)
    response.headers.set("content-length", String(body instanceof Blob ? body.size : body.byteLength));
  for (const name in exchange.extra) response.headers.set(name, exchange.extra[name] ?? "");
  return response;
}

/** The first send uses the plain bytes. */
function bodyOf(packed: Packed): Blob | Packed["bytes"] {
  if (!packed.isSent) {
    packed.isSent = true;
    return packed.bytes;
  }
  packed.body ??= new Blob([packed.bytes]);
  return packed.body;
}

function gzipOf(packed: Packed): Blob {
  packed.gzip ??= new Blob([Bun.gzipSync(packed.bytes)]);
  return packed.gzip;
}

/** The headers of the last matching response; those that differ per request are set each time. */
function sharedHeaders(
  exchange: ReplyFacts,
  packed: Packed,
  maxAgeSeconds: number,
  isGzip: boolean,
): SharedHeaders["values"] {
  const { cost } = exchange;
  const ratePolicy = exchange.rate?.policy ?? null;
  const hasKey = exchange.remaining !== null;
  const kept = packed.headers;
  if (
    kept !== null &&
    kept.cost === cost &&
    kept.maxAgeSeconds === maxAgeSeconds &&
    kept.ratePolicy === ratePolicy &&
    kept.hasKey === hasKey &&
    kept.isGzip === isGzip
  )
    return kept.values;
  const values = new globalThis.Headers({
    ...FIXED_HEADERS,
    "x-credits-cost": String(cost),
    "cache-control": maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : "no-store",
  });
  if (packed.contentType !== null) values.set("content-type", packed.contentType);
  if (maxAgeSeconds > 0) values.set("etag", packed.etag);
  if (ratePolicy !== null) values.set("RateLimit-Policy", ratePolicy);
  if (isGzip) values.set("content-encoding", "gzip");
  packed.headers = { cost, maxAgeSeconds, ratePolicy, hasKey, isGzip, values };
  return values;
}

export function sendFile(
  exchange: ReplyFacts,
  file: ServedFile,
  part: FilePart,
  maxAgeSeconds: number,
): Response {
  const headers = { ...baseHeaders(exchange), "cache-control": `private, max-age=${maxAgeSeconds}` };
  return fileResponse(exchange.request, file, part, headers);
}

/** The work continues. */
export const ACCEPTED = 202;

export function sendNotModified(exchange: ReplyFacts, packed: Packed, maxAgeSeconds: number): Response {
  const { "content-type": _none, ...headers } = baseHeaders(exchange);
  headers.etag = packed.etag;
  headers["cache-control"] = `private, max-age=${maxAgeSeconds}`;
  return new Response(null, { status: 304, headers });
}

export function sendFault(exchange: ReplyFacts, error: Fault, extra: Headers = {}): Response {
  const headers: Headers = { ...baseHeaders(exchange), "cache-control": "no-store", ...extra };
  const retryAfter =
    error.details.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_503_SECONDS : null);
  if (retryAfter !== null) headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfter)));
  if (error.code === "unauthorized") headers["www-authenticate"] = "Bearer";
  const body =
    exchange.request.method === "HEAD"
      ? null
      : // A key sent in place of a name is not echoed: errors end up in clients' logs.
        withoutSecrets(JSON.stringify(errorBody(error, exchange.requestId)));
  return new Response(body, { status: error.status, headers });
}

/** Long enough for a stalled upstream read to end, short enough that a bot does not lose the moment. */
const RETRY_AFTER_503_SECONDS = 2;

export function sendPreflight(exchange: ReplyFacts, methods: readonly string[]): Response {
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

/** A day: the methods of a path change only with the program. */
const PREFLIGHT_SECONDS = "86400";

/** `*` matches nothing: it would get the work of a cold read for a free 304. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
