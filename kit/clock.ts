// Time, injected. `now` never goes backwards and never jumps: it is the wall clock read once at start,
// carried on by the monotonic clock, so a stepped system clock moves no delay, window or expiry.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after the given time, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of a timer; a longer one would fire at once. Longer sleeps end early, after 24 days. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function systemClock(): Clock {
  const wallAtStart = Date.now() - performance.now();
  return {
    now: () => Math.floor(wallAtStart + performance.now()),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const finish = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", finish);
          resolve();
        };
        const timer = setTimeout(finish, Math.max(0, Math.min(milliseconds, TIMER_MS_MAX)));
        signal?.addEventListener("abort", finish, { once: true });
      }),
  };
}

/** A clock that a test moves. Sleepers wake in order of their time as it passes them. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): Promise<void>;
  /** Like a machine waking from sleep: timers that came due meanwhile fire once, at the end. Days pass as fast as seconds. */
  jump(milliseconds: number): Promise<void>;
}

export function manualClock(startAt: number): ManualClock {
  let current = startAt;
  const sleepers = new Set<{ wakeAt: number; wake: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const advance = async (milliseconds: number) => {
    const target = current + milliseconds;
    for (;;) {
      const due = [...sleepers].filter((s) => s.wakeAt <= target).sort((a, b) => a.wakeAt - b.wakeAt)[0];
      if (!due) break;
      current = Math.max(current, due.wakeAt);
      due.wake();
      await settle();
    }
    current = target;
    await settle();
  };
  return {
    now: () => current,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = {
          wakeAt: current + milliseconds,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      }),
    advance,
    async jump(milliseconds) {
      current += milliseconds;
      await advance(0);
    },
  };
}
