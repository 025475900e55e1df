// Bounds a wait by the injected clock. The work itself continues: a caller that can interrupt it does so in `late`.
import type { Clock } from "./clock.ts";

/** The work's own outcome, or what `late` returns or throws once the time has passed. */
export async function within<T, L = never>(
  clock: Clock,
  timeoutMs: number,
  work: PromiseLike<T>,
  late: () => L,
): Promise<T | L> {
  const done = new AbortController();
  try {
    // Both are awaited to the end, so a later failure of the work is not an unhandled rejection.
    const first = await Promise.race([
      Promise.resolve(work).then((value) => ({ value })),
      clock.sleep(Math.max(0, timeoutMs), done.signal),
    ]);
    return first ? first.value : late();
  } finally {
    done.abort();
  }
}
