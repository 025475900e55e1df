// Rules for every answer of every route, whatever was requested: a declared status, a body of the declared shape, the promised
// headers, and a price that agrees with the ledger.
import { expect } from "bun:test";
import { ERROR_CODES, ErrorBody, Fault } from "../../contract/errors.ts";
import { readRequest } from "../../contract/read.ts";
import type { AnswerOf, AnyRoute } from "../../contract/route.ts";
import { ROUTES, type Routes } from "../../contract/routes.ts";
import type { Answered } from "../support/live-service.ts";
import type { MadeRequest } from "./generate.ts";

const StrictErrorBody = ErrorBody.strict();
const EXPOSED = [
  "x-credits-cost",
  "x-credits-remaining",
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "etag",
];

/** The refusal that the contract alone requires for this request, or null when it is valid. */
export function contractRefusal(route: AnyRoute, made: MadeRequest): Fault | null {
  try {
    readRequest(route, {
      params: made.params,
      query: new URLSearchParams(made.query),
      ...(route.body ? { body: made.body } : {}),
    });
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

export function expectConforming(route: AnyRoute, answered: Answered<unknown>, isKeyed: boolean): void {
  expectHeaders(answered.headers, isKeyed);
  if (answered.status < 400) expectSuccess(route, answered, isKeyed);
  else expectDeclaredError(route, answered);
}

export function expectHeaders(headers: Headers, isKeyed: boolean): void {
  expect(headers.get("x-credits-cost")).toMatch(/^\d+$/);
  expect(headers.get("x-request-id")).toMatch(/^req_[A-Za-z0-9_-]{8,}$/);
  expect(headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+$/);
  expect(headers.get("ratelimit-policy")).toMatch(/^"minute";q=\d+;w=60$/);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const exposed = (headers.get("access-control-expose-headers") ?? "").toLowerCase().split(", ");
  expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
  if (isKeyed) expect(headers.get("x-credits-remaining")).toMatch(/^\d+$/);
  else expect(headers.get("x-credits-remaining")).toBeNull();
}

function expectSuccess(
  route: AnyRoute,
  { status, headers, body, cost }: Answered<unknown>,
  isKeyed: boolean,
): void {
  expect(route.mayBeAccepted ? [route.status, 202] : [route.status]).toContain(status);
  const type = headers.get("content-type");
  if (type === "application/json; charset=utf-8") {
    const parsed = route.answer.safeParse(body);
    if (!parsed.success)
      throw new Error(`${route.id}: ${parsed.error.message}\n${JSON.stringify(body).slice(0, 2_000)}`);
    // A reader is on another host: pictures need absolute URLs, except in data that upstream itself sent.
    const isOurs = (name: string, value: unknown) => (name === "raw" ? undefined : value);
    expect(JSON.stringify(body, isOurs)).not.toContain('"/images/');
  } else {
    expect(route.otherMediaTypes).toContain(String(type).split(";")[0] as string);
  }
  expectPrice(route, body, cost, isKeyed);
  expectCacheHeaders(route, headers);
}

function expectPrice(route: AnyRoute, body: unknown, cost: number, isKeyed: boolean): void {
  if (route.id === ROUTES.batch.id) {
    // An envelope: its cost is the cost of its contents.
    const { responses } = body as AnswerOf<Routes["batch"]>;
    expect(cost).toBe(responses.reduce((sum, each) => sum + Number(each.headers["x-credits-cost"]), 0));
    return;
  }
  const { credits, unit, miss } = route.price;
  const isWhole = unit === "call" ? cost === credits : cost > 0 && cost % credits === 0;
  // A replay is charged once, with its answer; later requests just read it.
  const isFree =
    credits === 0 ||
    !isKeyed ||
    (route.mayBeAccepted && cost === 0) ||
    (route.price.resolution && isResolving(body));
  expect(isFree ? cost === 0 : isWhole || cost === miss).toBe(true);
}

/** Wallets that may never be resolved: such a trader is shown for free. */
function isResolving(body: unknown): boolean {
  return (body as Partial<AnswerOf<Routes["getTrader"]>>).wallets?.status === "resolving";
}

/** A cacheable answer says for how long; an uncacheable one says so. */
function expectCacheHeaders(route: AnyRoute, headers: Headers): void {
  const rule = headers.get("cache-control");
  if (route.cache.kind === "none" || rule === "no-store") {
    expect(rule).toBe("no-store");
    expect(headers.get("etag")).toBeNull();
    return;
  }
  const seconds = /^private, max-age=(\d+)$/.exec(String(rule))?.[1];
  expect(Number(seconds)).toBeWithin(1, route.cache.freshSeconds + 1);
  expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
}

function expectDeclaredError(route: AnyRoute, { status, headers, body, cost }: Answered<unknown>): void {
  const error = expectErrorBody(status, headers, body);
  expect(route.errors).toContain(error.error);
  expect(error.error).not.toBe("internal");
  expect(cost).toBe(error.error === "not_found" ? route.price.miss : 0);
  expect(headers.get("cache-control")).toBe("no-store");
}

export function expectErrorBody(status: number, headers: Headers, body: unknown): ErrorBody {
  const parsed = StrictErrorBody.safeParse(body);
  if (!parsed.success) throw new Error(`not the error shape: ${JSON.stringify(body)}`);
  const error = parsed.data;
  expect(error.status).toBe(status);
  expect(ERROR_CODES[error.error].status).toBe(status);
  expect(error.retryable).toBe(ERROR_CODES[error.error].retryable);
  expect(error.requestId).toBe(String(headers.get("x-request-id")));
  if (status === 429 || status === 503) expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  if (status >= 500) expect(status).toBe(503);
  return error;
}
