// Ends a call at its deadline, when its caller leaves or when the upstream is closed, even if the work ignores the
// signal. Leaves no listener and no timer behind.
import type { Clock } from "../../kit/clock.ts";
import type { Call, Outcome } from "./port.ts";

export function byDeadline<T>(
  clock: Clock,
  call: Call,
  closed: AbortSignal,
  run: (signal: AbortSignal) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (closed.aborted) return Promise.resolve({ kind: "failed", reason: "closed" });
  if (call.deadlineMs <= 0 || call.signal?.aborted) return Promise.resolve({ kind: "timedOut" });
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const finish = (outcome: Outcome<T>) => {
      resolve(outcome);
      closed.removeEventListener("abort", close);
      call.signal?.removeEventListener("abort", leave);
      over.abort();
    };
    const close = () => finish({ kind: "failed", reason: "closed" });
    const leave = () => finish({ kind: "timedOut" });
    closed.addEventListener("abort", close, { once: true });
    call.signal?.addEventListener("abort", leave, { once: true });
    void clock.sleep(call.deadlineMs, over.signal).then(leave);
    run(over.signal).then(finish, reject);
  });
}
