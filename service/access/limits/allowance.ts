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

/** What the caller itself may do: its plan's rate, or the one that an operator set for its key. */
export function requestsPerMinuteOf(caller: Caller): number {
  if (caller.kind === "keyless") return caller.requestsPerMinute ?? KEYLESS.requestsPerMinute;
  return caller.key.requestsPerMinute ?? PLANS[caller.plan].requestsPerMinute;
}

/** What all keys of the caller's account may do together. */
export function planPerMinuteOf(caller: Caller): number {
  return caller.kind === "keyless" ? KEYLESS.requestsPerMinute : PLANS[caller.plan].requestsPerMinute;
}

/** A rate above the plan's comes on top of it, and is counted by itself; one below it is a second bound beside the account's. */
export function overrideOf(caller: Caller): "raised" | "lowered" | null {
  if (caller.kind === "keyless" || caller.key.requestsPerMinute === null) return null;
  return caller.key.requestsPerMinute > PLANS[caller.plan].requestsPerMinute ? "raised" : "lowered";
}

/** What the caller's requests are counted under. */
export function requestSubjectOf(caller: Caller): string {
  return caller.kind === "key" && overrideOf(caller) === "raised" ? caller.ownSubject : caller.subject;
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
