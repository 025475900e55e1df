// How much a caller may do at once and in a minute, by its plan and by what an operator set for its key.
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

export function requestsPerMinuteOf(caller: Caller): number {
  if (caller.kind === "keyless") return caller.requestsPerMinute ?? KEYLESS.requestsPerMinute;
  return caller.key.requestsPerMinute ?? PLANS[caller.plan].requestsPerMinute;
}

/** An operator who raises a key's rate means it to be used. */
export function inFlightMaxOf(caller: Caller): number {
  if (caller.kind === "keyless")
    return caller.requestsPerMinute === undefined
      ? IN_FLIGHT_MAX.keyless
      : inFlightFor(caller.requestsPerMinute);
  const raised = caller.key.requestsPerMinute;
  return Math.max(IN_FLIGHT_MAX[caller.plan], raised === null ? 0 : inFlightFor(raised));
}

export function socketsMaxOf(caller: Caller): number {
  return caller.kind === "keyless" ? KEYLESS.socketsAtOnce : PLANS[caller.plan].socketsAtOnce;
}
