// A handler's result: a body, and what the edge needs to charge for it and cache it.
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from "../../contract/route.ts";
import type { RouteId, Routes } from "../../contract/routes.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { Address, Caller, RateStanding } from "../access/access.ts";

export interface RouteAnswer<Body> {
  body: Body;
  /** The work continues: 202, if the route allows it. */
  isAccepted?: boolean;
  /** Pages or upstream calls, where the price counts them; defaults to 1. */
  units?: number;
  /** False: a miss, which costs the miss price. */
  found?: boolean;
  /** True: free, whatever the route's price. */
  free?: boolean;
  /** How long this answer may be cached, if that differs from the route's rule (a captured copy, say). */
  freshSeconds?: number;
  /** Whether it may then be served stale while it is refreshed; by default only without `freshSeconds`. */
  mayBeStale?: boolean;
  /** Sent in place of the body, or the requested range of it; charged by its bytes. */
  file?: ServedFile;
  /** Sent in place of the JSON body; without a content type it is already JSON. */
  instead?: { contentType: string | null; text: string };
}

/** A file to send. */
export interface ServedFile {
  name: string;
  contentType: string;
  size: number;
  /** Identifies its content permanently. */
  sha256: string;
  /** From `start` to `end`, exclusive. */
  bytes(start: number, end: number): Blob | ReadableStream<Uint8Array>;
}

export interface RouteCall {
  requestId: string;
  caller: Caller;
  /** How late this caller sees the app feed. */
  delayMs: number;
  /** How long a live read may still take: it shrinks during the call, so that several reads share one deadline. */
  readonly deadlineMs: number;
  /** Aborts when the caller, or every caller that shares the answer, has disconnected: long work stops then. */
  readonly signal: AbortSignal;
  /** The moment that profits are computed for. */
  readonly asOf: number;
  /** The caller's rate status, including this request. */
  rate: RateStanding;
  /** For work that makes its own charges: the answer reports their sum, and the rate status after them. */
  carried(cost: number, rate: RateStanding): void;
}

/** The state that a request inside another one inherits. */
export interface Inside {
  caller: Caller;
  /** The rate status if this request was already counted; null if it must still be counted. */
  rate: RateStanding | null;
  /** The moment that profits are computed for, shared by all requests inside the same one. */
  asOf: number;
  /** Throws when an answer of this many bytes no longer fits. Called before the charge. */
  fit(bytes: number): void;
}

export type Handler<R> = (
  input: { params: ParamsOf<R>; query: QueryOf<R>; body: BodyOf<R> },
  call: RouteCall,
) => Promise<RouteAnswer<AnswerOf<R>>>;

export type Handlers = { [Id in RouteId]: Handler<Routes[Id]> };

/** Answers one request to a route, whatever goes wrong. `params` is called at most once, and has the path's own names. */
export type RunRoute = (
  request: Request,
  params: () => Record<string, string>,
  address: Address,
  inside?: Inside,
) => MaybePromise<Response>;
