// Waits for a condition, not for a time. The bound only turns a condition that never comes into a failed test.

const LONGEST_MS = 60_000;
const POLL_MS = 10;

export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < LONGEST_MS; waited += POLL_MS) {
    if (await condition()) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`This did not become true: ${what}.`);
}
