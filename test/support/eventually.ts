// Waits for a condition, not for a time. The bound only turns a condition that never comes into a failed test: it is one of
// time, so that a slow condition is given up too, and of looks, so that a machine that stood still meanwhile gets its chance.

const WAIT_MS_MAX = 400_000;
const LOOKS_MIN = 100;
/** What comes soon is seen soon; what takes long is looked at less often, because each look takes time from what it waits for. */
const FIRST_POLL_MS = 5;
const POLL_MS_MAX = 100;
const POLL_GROWTH = 1.2;

/** `pollMs`: always this, for conditions that count their looks or cost a rate limit. */
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
