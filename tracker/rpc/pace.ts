// Being a good guest: at most so many requests at once and so many calls a second to one provider. Whoever has to wait
// is let through in order of arrival.
import type { Clock } from "../../kit/clock.ts";
import { createGate } from "../../kit/gate.ts";
import { RpcUnavailable } from "./errors.ts";

export interface PaceLimits {
  /** Requests in flight. */
  concurrencyMax: number;
  /** Calls, of which a batch has several. */
  callsPerSecondMax: number;
}

export interface RpcPace {
  /** Runs the work once there is room for this many calls. */
  run<T>(calls: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Requests that wait for a place; readers ask one after the other, so more than this is a mistake. */
const WAITING_MAX = 256;

export function createRpcPace(
  { concurrencyMax, callsPerSecondMax }: PaceLimits,
  clock: Clock,
  host: string,
): RpcPace {
  const gate = createGate(concurrencyMax, WAITING_MAX);
  /** When everything let through so far will have used up its share of the rate. */
  let paidUntil = 0;
  return {
    async run(calls, work, signal = NEVER) {
      const leave = await gate.enter(signal);
      if (leave === "gone") throw signal.reason;
      if (leave === "busy") throw new RpcUnavailable(host, "has too many requests waiting for it");
      try {
        const now = clock.now();
        // A second's worth may be spent at once after a pause.
        paidUntil = Math.max(paidUntil, now - 1_000) + (calls * 1_000) / callsPerSecondMax;
        if (paidUntil > now) await clock.sleep(paidUntil - now, signal);
        return await work();
      } finally {
        leave();
      }
    },
  };
}

const NEVER = new AbortController().signal;
