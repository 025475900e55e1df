// Requests at the same moment, per caller: a bound on what one caller can occupy, whatever its rate. Each node counts its own;
// where nodes share Redis, a request is also held against what the others said they have, see rate-redis.ts.
import { KEYLESS, PLANS, type PlanName } from "../../../contract/plans.ts";
import type { Caller } from "../identity/caller.ts";

/** A twelfth of a minute's requests: more than an honest client has open, less than what would crowd others out. */
const SHARE_OF_MINUTE = 12;
/** Even the smallest plan may load a page's worth of calls at once. */
const AT_LEAST = 10;

const atMost = (requestsPerMinute: number) =>
  Math.max(AT_LEAST, Math.ceil(requestsPerMinute / SHARE_OF_MINUTE));

const IN_FLIGHT_AT_MOST: Record<PlanName | "keyless", number> = {
  keyless: atMost(KEYLESS.requestsPerMinute),
  free: atMost(PLANS.free.requestsPerMinute),
  starter: atMost(PLANS.starter.requestsPerMinute),
  growth: atMost(PLANS.growth.requestsPerMinute),
  scale: atMost(PLANS.scale.requestsPerMinute),
};

/** An operator who raises a key's rate means it to be used. */
export function inFlightAtMost(caller: Caller): number {
  if (caller.kind === "keyless") return IN_FLIGHT_AT_MOST.keyless;
  const raised = caller.key.requestsPerMinute;
  return Math.max(IN_FLIGHT_AT_MOST[caller.plan], raised === null ? 0 : atMost(raised));
}

export interface InFlight {
  enter(subject: string, limit: number): boolean;
  /** Returns how many are left. */
  leave(subject: string): number;
  of(subject: string): number;
  subjects(): number;
}

export function createInFlight(): InFlight {
  // Bounded by the server's open connections: a subject without a request under way has no entry.
  const counts = new Map<string, number>();
  return {
    enter(subject, limit) {
      const open = counts.get(subject) ?? 0;
      if (open >= limit) return false;
      counts.set(subject, open + 1);
      return true;
    },
    leave(subject) {
      const open = counts.get(subject) ?? 0;
      if (open <= 1) counts.delete(subject);
      else counts.set(subject, open - 1);
      return Math.max(0, open - 1);
    },
    of: (subject) => counts.get(subject) ?? 0,
    subjects: () => counts.size,
  };
}
