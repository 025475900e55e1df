// Time and randomness, so that tests can control both.

export interface Time {
  /** Resolves after the given time; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export const systemTime: Time = {
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", end);
        resolve();
      }, milliseconds);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end, { once: true });
    }),
  random: Math.random,
};

/** Full jitter: anywhere from 0 to the bound, which doubles with each attempt (from 0) up to a maximum. */
export function backoffMs(time: Time, attempt: number, baseMs: number, delayMsMax: number): number {
  return time.random() * Math.min(delayMsMax, baseMs * 2 ** attempt);
}
