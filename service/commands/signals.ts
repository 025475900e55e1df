// Handles stop signals: the first one requests a clean shutdown, which has a time limit. Ctrl-C reaches the whole process
// group, and npm or npx forward it once more, so a signal that follows immediately is the same one; a later one forces it.

/** The time limit for closing after a drain; waiting longer for a clean shutdown helps no one. */
const CLOSE_MS_MAX = 10_000;
/** A forwarded signal arrives within milliseconds; no person presses again that quickly. */
const SAME_SIGNAL_MS = 500;

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** `drainMs`: how long the drain may take before closing begins. */
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
