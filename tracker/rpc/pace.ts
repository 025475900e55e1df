// Rate limiting for one provider: a maximum number of requests in flight and of calls a second. Waiting requests are let
// through in order of arrival.
import type { Clock } from "../../kit/clock.ts";
import { createGate } from "../../kit/gate.ts";
import { RpcUnavailable } from "./errors.ts";

export interface PaceLimits {
  /** Requests in flight. */
  concurrencyMax: number;
  /** Calls; a batch has several. */
  callsPerSecondMax: number;
}

export interface RpcPace {
  /** Runs the work once there is room for this many calls. */
  run<T>(calls: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The provider's rate limit was hit: half the rate from now on, then gradually faster again. */
  slower(): void;
  /** Blocks everything for this long. */
  rest(ms: number): void;
  callsPerSecond(): number;
}

/** Requests waiting for a slot; readers ask one at a time, so more than this is a bug. */
const WAITING_MAX = 256;
/** Calls a second that even the strictest provider allows. */
const RATE_MIN = 1;
const COMPLAINT_MS = 1_000;
/** After this long without a rate limit, the rate goes up by a quarter. */
const FASTER_MS = 30_000;
const FASTER = 1.25;

export function createRpcPace(
  { concurrencyMax, callsPerSecondMax }: PaceLimits,
  clock: Clock,
  host: string,
): RpcPace {
  const gate = createGate(concurrencyMax, WAITING_MAX);
  /** When everything let through so far will have used up its share of the rate. */
  let paidUntil = 0;
  let rate = callsPerSecondMax;
  let rateSetAt = Number.NEGATIVE_INFINITY;
  const setRate = (next: number): void => {
    rate = Math.max(RATE_MIN, Math.min(callsPerSecondMax, next));
    rateSetAt = clock.now();
  };
  return {
    callsPerSecond: () => rate,
    rest(ms) {
      paidUntil = Math.max(paidUntil, clock.now() + ms);
    },
    slower() {
      // Requests in flight at the same time count as one complaint.
      if (rate === callsPerSecondMax || clock.now() - rateSetAt >= COMPLAINT_MS) setRate(rate / 2);
    },
    async run(calls, work, signal = NEVER) {
      const leave = await gate.enter(signal);
      if (leave === "gone") throw signal.reason;
      if (leave === "busy") throw new RpcUnavailable(host, "has too many requests waiting for it");
      try {
        const now = clock.now();
        if (rate < callsPerSecondMax && now - rateSetAt >= FASTER_MS) setRate(rate * FASTER);
        // After a pause, one second's worth may be spent at once.
        paidUntil = Math.max(paidUntil, now - 1_000) + (calls * 1_000) / rate;
        if (paidUntil > now) await clock.sleep(paidUntil - now, signal);
        return await work();
      } finally {
        leave();
      }
    },
  };
}

const NEVER = new AbortController().signal;
