// Waits for a condition, not for a time. The bound only turns a condition that never comes into a failed test: it is one of
// time, so that a slow condition is given up too, and of looks, so that a machine that stood still meanwhile gets its chance.

const LONGEST_MS = 120_000;
const LOOKS_MIN = 100;
const POLL_MS = 10;

export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const since = performance.now();
  for (let looks = 1; ; looks++) {
    if (await condition()) return;
    const waitedMs = performance.now() - since;
    if (waitedMs > LONGEST_MS && looks >= LOOKS_MIN)
      throw new Error(
        `This did not become true in ${Math.round(waitedMs / 1000)} s and ${looks} looks: ${what}.`,
      );
    await Bun.sleep(POLL_MS);
  }
}
