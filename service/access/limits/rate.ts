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
  /** Refused, and not counted, because the nodes together have too many under way. */
  crowded?: boolean;
}

/** A subject's requests under way on this node, the one that asks included, and how many it may have on all nodes. */
export interface Flight {
  here: number;
  max: number;
  /** Those that are under way, as they come and go. */
  flights: Flights;
}

export interface RateLimiter {
  /** Counts one request of a subject, if its window has room; with cost 0 it only looks. */
  take(subject: string, limit: number, cost?: 0 | 1, flight?: Flight): MaybePromise<RateVerdict>;
  /** Counts one socket of a subject, if it has fewer than the limit. Each true wants one closeSocket. */
  openSocket(subject: string, limit: number): MaybePromise<boolean>;
  closeSocket(subject: string): void;
  /** Whether limits hold for this node alone because what the nodes share is away. */
  degraded(): boolean;
  close(): Promise<void>;
}

/** Seconds for headers: rounded up, so that who waits them is not early. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** The values of the RateLimit and RateLimit-Policy headers. */
export interface RateStanding {
  limit: string;
  policy: string;
}

const policies = new Map<number, string>();
/** Limits come from plans and a few overrides; past this many the texts are made again each time. */
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
