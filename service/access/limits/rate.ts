// How fast: the port for request windows and socket counts. A window is a sliding log of a minute: it counts every
// allowed request of the last 60 seconds, so no 60 seconds ever hold more than the limit, the limit itself is always
// allowed, and the wait after a refusal is exact. Refused requests are not counted.

import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import type { Flights } from "./in-flight.ts";

export const WINDOW_MS = 60_000;

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the oldest counted request leaves the window; after a refusal, until one more is allowed. */
  resetMs: number;
  /** Refused, and not counted, because the nodes together have too many in flight. */
  crowded?: boolean;
}

/** A subject's in-flight requests on this node, including this one, and how many it may have on all nodes. */
export interface Flight {
  here: number;
  max: number;
  /** The in-flight ones, as they start and end. */
  flights: Flights;
}

export interface RateLimiter {
  /** Counts one request of a subject, if its window has room; with cost 0 it only looks. */
  take(subject: string, limit: number, cost?: 0 | 1, flight?: Flight): MaybePromise<RateVerdict>;
  /** Counts one socket of a subject, if it has fewer than the limit. Each true needs one closeSocket. */
  openSocket(subject: string, limit: number): MaybePromise<boolean>;
  closeSocket(subject: string): void;
  /** Whether limits apply to this node alone because the shared state is unavailable. */
  degraded(): boolean;
  close(): Promise<void>;
}

/** Seconds for headers: rounded up, so that a client that waits is not early. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** The values of the RateLimit and RateLimit-Policy headers. */
export interface RateStanding {
  limit: string;
  policy: string;
}

const policies = new Map<number, string>();
/** Limits come from plans and a few overrides; past this many the strings are rebuilt each time. */
const POLICIES_MAX = 1_000;

/** The structured fields of draft-ietf-httpapi-ratelimit-headers: quota and window, what remains and for how long. */
export function standingOf(verdict: RateVerdict): RateStanding {
  let policy = policies.get(verdict.limit);
  if (policy === undefined) {
    policy = `"minute";q=${verdict.limit};w=${WINDOW_MS / 1000}`;
    if (policies.size < POLICIES_MAX) policies.set(verdict.limit, policy);
  }
  return {
    limit: `"minute";r=${verdict.remaining};t=${wholeSeconds(verdict.resetMs)}`,
    policy,
  };
}
