// A route is a value. The server, OpenAPI, the docs page, the price list and the conformance tests all derive from it, so a
// route's input, answer, price and errors are written once.
import { z } from "zod";
import type { ErrorCode } from "./errors.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * open: no key, never metered. keyless: works without a key (free, slower, per-address limits) and is metered with
 * one. key: needs a key. onChain: needs a key whose plan includes the on-chain data.
 */
export type AccessRule = "open" | "keyless" | "key" | "onChain";

export interface Price {
  /** Credits for one unit. */
  credits: number;
  unit: "call" | "page" | "upstream call" | "5,000 fills" | "100 MB";
  /** The cost of a call that found nothing. */
  miss: number;
  /** Whether a hit uses one of the month's wallet resolutions. */
  resolution: boolean;
}

/** How long an answer may be cached. A shared one is the same for every caller who may have it. */
export type CacheRule =
  | { kind: "none" }
  | {
      kind: "shared";
      freshSeconds: number;
      /** Served while being refreshed. */
      staleSeconds: number;
      /** Its figures are as of one moment: a caller who needs another moment does not get it. */
      ofMoment: boolean;
    };

type RouteFields = z.ZodObject;

export interface Route<
  Params extends RouteFields = RouteFields,
  Query extends RouteFields = RouteFields,
  Body extends RouteFields | undefined = RouteFields | undefined,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The operation's name in SDKs; the same as its key in ROUTES. */
  id: string;
  method: Method;
  /** With {names} for parameters, as OpenAPI writes them. */
  path: string;
  /** Other paths with exactly the same answer; they take the same parameters in the same order, perhaps with other names. */
  aliases: readonly string[];
  tag: Tag;
  summary: string;
  description: string;
  access: AccessRule;
  price: Price;
  /** The most units that this input can cost: a balance below their price is refused before any work. */
  unitsMax?(query: z.output<Query>): number;
  /** A rule between path and query that neither can state alone. */
  check?(params: z.output<Params>, query: z.output<Query>): { param: string; sentence: string } | undefined;
  cache: CacheRule;
  params: Params;
  query: Query;
  body: Body;
  /** The status of success. */
  status: 200 | 201;
  /** Whether it may answer 202 in the same shape: the work continues, and is polled by its id. */
  mayBeAccepted: boolean;
  answer: Answer;
  /** Other media types that it can answer with on request. */
  otherMediaTypes: readonly string[];
  /** Whether one of those is a file that supports range requests; its price counts the bytes sent. */
  hasRanges: boolean;
  errors: readonly ErrorCode[];
  example: Example;
}

/** A request that works on the simulated world once its {placeholders} are filled in: see examples.ts. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

export type AnyRoute = Route;
export type ParamsOf<R> = R extends { params: infer Params extends z.ZodType } ? z.output<Params> : never;
export type QueryOf<R> = R extends { query: infer Query extends z.ZodType } ? z.output<Query> : never;
export type BodyOf<R> = R extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;
export type AnswerOf<R> = R extends { answer: infer Answer extends z.ZodType } ? z.output<Answer> : never;

export const TAGS = {
  Traders: "One person: identity, wallets, history, holdings, followers and following.",
  Trades: "One position, with every fill, transfer and comment.",
  Leaderboards: "Traders ranked by profit, and the platform's token boards.",
  Theses: "Written reasons for positions.",
  Tokens: "Holders, deployers, flow, candles, and what traders are buying now.",
  Search: "Traders and tokens by text.",
  History: "Closed days as Parquet files, for bulk analysis.",
  Activity: "The alert feed and mobile pushes; the sockets send the same alerts live.",
  Webhooks:
    "The alert feed, posted to your own endpoint. Managing webhooks is free; deliveries cost the same as reading the feed.",
  Batch: "Several reads in one round trip, each as if sent alone.",
  Account: "The key's plan, usage, keys and stream tickets. Free of charge.",
  Payments: "Prepaid credits and plans paid in a stablecoin. Free of charge.",
  Meta: "This service and its health.",
} as const;
export type Tag = keyof typeof TAGS;

/** The unit "100 MB". */
export const FILE_UNIT_BYTES = 100_000_000;

export const FREE: Price = { credits: 0, unit: "call", miss: 0, resolution: false };

/** An ordinary price: a call that finds nothing costs the lower of 250 and its own price. */
export function price(credits: number, unit: Price["unit"] = "call", miss?: number): Price {
  return { credits, unit, miss: miss ?? Math.min(ORDINARY_CALL_CREDITS, credits), resolution: false };
}

const ORDINARY_CALL_CREDITS = 250;
export const NO_CACHE: CacheRule = { kind: "none" };
export const shared = (freshSeconds: number, staleSeconds: number): CacheRule => ({
  kind: "shared",
  freshSeconds,
  staleSeconds,
  ofMoment: false,
});

/** Profits are computed for moments this far apart, so that consecutive calls get the same one. */
export const MOMENT_SECONDS = 30;

/** An answer whose figures are as of one moment: cached until the next one, and served a little longer during a refresh. */
export const ofMoment = (staleSeconds = 0): CacheRule => ({
  kind: "shared",
  freshSeconds: MOMENT_SECONDS,
  staleSeconds,
  ofMoment: true,
});

const NOTHING = z.strictObject({});
type Nothing = typeof NOTHING;

type RouteDraft<
  P extends RouteFields,
  Q extends RouteFields,
  B extends RouteFields | undefined,
  A extends z.ZodType,
> = Omit<
  Route<P, Q, B, A>,
  | "method"
  | "aliases"
  | "params"
  | "query"
  | "body"
  | "status"
  | "mayBeAccepted"
  | "otherMediaTypes"
  | "hasRanges"
  | "errors"
  | "unitsMax"
  | "check"
> & {
  method?: Method;
  aliases?: readonly string[];
  params?: P;
  query?: Q;
  body?: B;
  status?: 200 | 201;
  mayBeAccepted?: boolean;
  otherMediaTypes?: readonly string[];
  hasRanges?: boolean;
  /** In addition to those that follow from access, price, input and method. */
  errors?: readonly ErrorCode[];
  unitsMax?(query: z.output<Q>): number;
  check?(params: z.output<P>, query: z.output<Q>): { param: string; sentence: string } | undefined;
};

/** A route with defaults filled in: GET, 200, no input, and the errors that follow from the rest. */
export function defineRoute<
  A extends z.ZodType,
  P extends RouteFields = Nothing,
  Q extends RouteFields = Nothing,
  B extends RouteFields | undefined = undefined,
>(draft: RouteDraft<P, Q, B, A>): Route<P, Q, B, A> {
  const route = {
    method: "GET",
    aliases: [],
    params: NOTHING,
    query: NOTHING,
    body: undefined,
    status: 200,
    mayBeAccepted: false,
    otherMediaTypes: [],
    hasRanges: false,
    ...draft,
  } as unknown as Route<P, Q, B, A>;
  return { ...route, errors: [...new Set([...impliedErrors(route), ...(draft.errors ?? [])])] };
}

function impliedErrors(
  route: Route<RouteFields, RouteFields, RouteFields | undefined, z.ZodType>,
): ErrorCode[] {
  const errors: ErrorCode[] = ["invalid_parameter", "rate_limited", "internal", "unavailable"];
  if (route.access !== "open") errors.push("unauthorized");
  if (route.access === "onChain") errors.push("plan_required");
  if (route.price.credits > 0) errors.push("credits_exhausted", "key_cap_reached");
  if (route.price.resolution) errors.push("resolutions_exhausted");
  if (route.method === "POST" || route.method === "PATCH")
    errors.push("invalid_body", "payload_too_large", "unsupported_media_type");
  if (route.method === "POST") errors.push("conflict");
  return errors;
}

/** The names in a path's braces, in order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => String(match[1]));
}

/** The parameters of an alias's path under the names of the route's own path. */
export function canonicalParams(
  route: Pick<AnyRoute, "path">,
  aliasPath: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = pathNames(route.path);
  const given = pathNames(aliasPath);
  return Object.fromEntries(own.map((name, index) => [name, values[given[index] ?? name] ?? ""]));
}
