// A route is a value. The server, OpenAPI, the docs page, the price list and the conformance tests are all read
// off it, so what a route takes, answers, costs and refuses is written once.
import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

export type Method = "GET" | "POST" | "DELETE";

/**
 * open: no key, never metered. keyless: works without a key (free, slower, per-address limits) and is metered with
 * one. key: needs a key. onChain: needs a key whose plan includes the on-chain data.
 */
export type AccessRule = "open" | "keyless" | "key" | "onChain";

export interface Price {
  /** Credits for one unit. */
  credits: number;
  unit: "call" | "page" | "upstream call";
  /** What a call costs that looked and found nothing. */
  miss: number;
  /** Whether a hit uses one of the month's wallet resolutions. */
  resolution: boolean;
}

/** How long an answer may be reused, by us and by a client. `private` ones depend on the key. */
export type CacheRule =
  | { kind: "none" }
  | { kind: "shared"; freshSeconds: number /** Served while being refreshed. */; staleSeconds: number };

type Fields = z.ZodObject;

export interface Route<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The operation's name, as SDKs call it. */
  id: string;
  method: Method;
  /** With {names} for parameters, as OpenAPI writes them. */
  path: string;
  /** Other paths that answer exactly the same; they take the same parameters, perhaps by another name. */
  aliases: readonly string[];
  tag: string;
  summary: string;
  description: string;
  access: AccessRule;
  price: Price;
  /** Units this input asks for at the most: a balance below their price is refused before any work. */
  unitsAtMost?: (query: z.infer<Query>) => number;
  cache: CacheRule;
  params: Params;
  query: Query;
  body: Body;
  /** The status of success. */
  status: 200 | 201;
  answer: Answer;
  errors: readonly ErrorCode[];
  /** A request that works on the embedded world once {placeholders} are filled in. */
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
}

export type AnyRoute = Route;
export type ParamsOf<R> = R extends Route<infer Params> ? z.infer<Params> : never;
export type QueryOf<R> = R extends Route<Fields, infer Query> ? z.infer<Query> : never;
export type BodyOf<R> = R extends { body: infer Body extends z.ZodType } ? z.infer<Body> : undefined;
export type AnswerOf<R> = R extends { answer: infer Answer extends z.ZodType } ? z.infer<Answer> : never;

export const FREE: Price = { credits: 0, unit: "call", miss: 0, resolution: false };

/** An ordinary price: a call that finds nothing costs the lower of 250 and its own price. */
export function price(credits: number, unit: Price["unit"] = "call", miss?: number): Price {
  return { credits, unit, miss: miss ?? Math.min(ORDINARY_CALL_CREDITS, credits), resolution: false };
}

export const ORDINARY_CALL_CREDITS = 250;
export const NO_CACHE: CacheRule = { kind: "none" };
