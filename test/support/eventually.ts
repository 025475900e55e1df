// Waits for a condition, not for a time. The limit only turns a condition that never holds into a failed test: it covers time,
// so that a slow condition is given up too, and checks, so that a machine that was suspended meanwhile gets its chance.

const WAIT_MS_MAX = 400_000;
const LOOKS_MIN = 100;
/**
 * Frequent at first, so that fast conditions are seen soon; then less often, because each check takes time from the work it
 * waits for.
 */
const FIRST_POLL_MS = 5;
const POLL_MS_MAX = 100;
const POLL_GROWTH = 1.2;

/** `pollMs`: a fixed interval, for conditions that count their checks or use up a rate limit. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  { pollMs }: { pollMs?: number } = {},
): Promise<void> {
  const since = performance.now();
  let restMs = pollMs ?? FIRST_POLL_MS;
  for (let looks = 1; ; looks++) {
    if (await condition()) return;
    const waitedMs = performance.now() - since;
    if (waitedMs > WAIT_MS_MAX && looks >= LOOKS_MIN)
      throw new Error(
        `This did not become true in ${Math.round(waitedMs / 1000)} s and ${looks} looks: ${what}.`,
      );
    await Bun.sleep(restMs);
    restMs = pollMs ?? Math.min(restMs * POLL_GROWTH, POLL_MS_MAX);
  }
}
