// Being asked to stop: the first signal asks for a tidy end, which may not take for ever. Ctrl-C reaches the whole process
// group, and npm or npx pass it on once more, so a signal that follows at once is the same one; a later one insists.

/** What closing may take after a drain; past this, waiting longer for a tidy end helps nobody. */
const CLOSE_MS_MAX = 10_000;
/** What is passed on arrives within milliseconds; nobody's second thought is that quick. */
const SAME_SIGNAL_MS = 500;

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** `drainMs`: how long the tidy end may take before it even closes. */
export function untilSignal(drainMs = 0): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    let insists = false;
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        if (insists) process.exit(code);
        if (isStopping) return;
        isStopping = true;
        setTimeout(() => process.exit(1), drainMs + CLOSE_MS_MAX).unref();
        setTimeout(() => {
          insists = true;
        }, SAME_SIGNAL_MS).unref();
        resolve();
      });
    }
  });
}
