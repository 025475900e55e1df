// Automatic retry after a failure: soon at first, then with growing delays, and at once when the network is back.

export interface Retry {
  succeed(): void;
  /** The server may say how long to wait. */
  fail(waitSeconds?: number): void;
  stop(): void;
}

const WAIT_FIRST_MS = 2_000;
const WAIT_MS_MAX = 60_000;

export function createRetry(work: () => void): Retry {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const clear = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const wake = () => {
    if (timer === null) return;
    clear();
    work();
  };
  addEventListener("online", wake);
  return {
    succeed() {
      failures = 0;
      clear();
    },
    fail(waitSeconds = 0) {
      clear();
      const waitMs = Math.max(waitSeconds * 1_000, WAIT_FIRST_MS * 2 ** failures++);
      timer = setTimeout(
        () => {
          timer = null;
          work();
        },
        Math.min(WAIT_MS_MAX, waitMs),
      );
    },
    stop() {
      clear();
      removeEventListener("online", wake);
    },
  };
}
