// A handler's result: a body, and what the edge needs to charge for it and cache it.
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from "../../contract/route.ts";
import type { RouteId, Routes } from "../../contract/routes.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import type { Address, Caller, RateStanding } from "../access/access.ts";

export interface RouteAnswer<Body> {
  body: Body;
  /** The work continues: 202, where the route may answer that. */
  isAccepted?: boolean;
  /** Pages or upstream calls, where the price counts them; defaults to 1. */
  units?: number;
  /** False: it looked and found nothing, which costs the miss price. */
  found?: boolean;
  /** True: it costs nothing, whatever the route's price. */
  free?: boolean;
  /** How long this one may be reused, where that differs from the route's rule (a captured copy, say). */
  freshSeconds?: number;
  /** Whether it may then be served while it is refreshed; unless said, only what has the route's own life. */
  mayBeStale?: boolean;
  /** Sent in place of the body, or the part of it that the caller asks for; charged by its bytes. */
  file?: ServedFile;
  /** Sent in place of the body as JSON; without a type of its own it is JSON already. */
  instead?: { contentType: string | null; text: string };
}

/** A file as it is sent. */
export interface ServedFile {
  name: string;
  contentType: string;
  size: number;
  /** Names its content for good. */
  sha256: string;
  /** From `start` up to `end`, which is not included. */
  bytes(start: number, end: number): Blob | ReadableStream<Uint8Array>;
}

export interface RouteCall {
  requestId: string;
  caller: Caller;
  /** How late this caller sees the app feed. */
  delayMs: number;
  /** How long a live read may still take: it shrinks as the call continues, so that several reads share one deadline. */
  readonly deadlineMs: number;
  /** Aborts when the caller, or every caller that shares the answer, has disconnected: long work ends then. */
  readonly signal: AbortSignal;
  /** The moment that profits are computed for. */
  readonly asOf: number;
  /** The caller's rate standing, this request counted. */
  rate: RateStanding;
  /** For work that made its own charges: their sum is reported with the answer, and the rate status after them. */
  carried(cost: number, rate: RateStanding): void;
}

/** What is already decided for a request inside another one. */
export interface Inside {
  caller: Caller;
  /** The rate status if this request was already counted; null: it still has to be. */
  rate: RateStanding | null;
  /** The moment that profits are computed for, for all that came inside the same one. */
  asOf: number;
  /** Throws when an answer of this many bytes finds no room any more. Asked before it is charged. */
  fit(bytes: number): void;
}

export type Handler<R> = (
  input: { params: ParamsOf<R>; query: QueryOf<R>; body: BodyOf<R> },
  call: RouteCall,
) => Promise<RouteAnswer<AnswerOf<R>>>;

export type Handlers = { [Id in RouteId]: Handler<Routes[Id]> };

/** Answers one request to a route, whatever goes wrong with it. `params` is asked at most once, and has the names of the route's own path. */
export type RunRoute = (
  request: Request,
  params: () => Record<string, string>,
  address: Address,
  inside?: Inside,
) => MaybePromise<Response>;
