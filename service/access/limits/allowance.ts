// A caller's concurrency and rate limits, by its plan and by the operator's settings for its key.
import { KEYLESS, PLANS, type PlanName } from "../../../contract/plans.ts";
import type { Caller } from "../identity/caller.ts";

/** A twelfth of a minute's requests: more than an honest client has open, less than what would crowd others out. */
const SHARE_OF_MINUTE = 12;
/** Even the smallest plan may load a page's worth of calls at once. */
const IN_FLIGHT_MIN = 10;

const inFlightFor = (requestsPerMinute: number) =>
  Math.max(IN_FLIGHT_MIN, Math.ceil(requestsPerMinute / SHARE_OF_MINUTE));

const IN_FLIGHT_MAX: Record<PlanName | "keyless", number> = {
  keyless: inFlightFor(KEYLESS.requestsPerMinute),
  free: inFlightFor(PLANS.free.requestsPerMinute),
  starter: inFlightFor(PLANS.starter.requestsPerMinute),
  growth: inFlightFor(PLANS.growth.requestsPerMinute),
  scale: inFlightFor(PLANS.scale.requestsPerMinute),
};

export interface Allowance {
  /** The subject the caller's requests are counted under. */
  subject: string;
  /** The limit per minute for that subject. */
  limit: number;
  /** The key's own limit, where an operator set a lower one. */
  ownLimit: number | null;
  inFlightMax: number;
}

/** A rate above the plan's is separate and counted on its own; one below it is a second limit in addition to the account's. */
export function allowanceOf(caller: Caller): Allowance {
  if (caller.kind === "keyless") {
    const { subject, requestsPerMinute: set } = caller;
    const inFlightMax = set === undefined ? IN_FLIGHT_MAX.keyless : inFlightFor(set);
    return { subject, limit: set ?? KEYLESS.requestsPerMinute, ownLimit: null, inFlightMax };
  }
  // Looked up once, because it is needed on every request.
  const { plan, subject } = caller;
  const set = caller.key.requestsPerMinute;
  const limit = PLANS[plan].requestsPerMinute;
  const inFlightMax = IN_FLIGHT_MAX[plan];
  if (set === null || set <= limit) return { subject, limit, ownLimit: set, inFlightMax };
  // An operator who raises a key's rate means it to be used.
  const raised = Math.max(inFlightMax, inFlightFor(set));
  return { subject: caller.ownSubject, limit: set, ownLimit: null, inFlightMax: raised };
}

/** What the caller itself may do: its plan's rate, or the one that an operator set for its key. */
export function requestsPerMinuteOf({ limit, ownLimit }: Allowance): number {
  return ownLimit ?? limit;
}

export function socketsMaxOf(caller: Caller): number {
  return caller.kind === "keyless" ? KEYLESS.socketsAtOnce : PLANS[caller.plan].socketsAtOnce;
}
