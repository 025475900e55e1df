// Looks from time to time for what a crash left undone and for plans that are to end. The database says what is due, so
// any number of nodes may look.
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";

export interface Sweeper {
  start(): void;
  stop(): Promise<void>;
}

/** A plan ends up to this late; two indexed reads. */
const EVERY_MS = 15_000;

export function createSweeper(parts: { sweep(): Promise<void>; clock: Clock; log: Log }): Sweeper {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await parts.sweep().catch((problem) => {
        parts.log.warn("Card payments could not be looked through.", { problem });
      });
      await parts.clock.sleep(EVERY_MS, stopping.signal);
    }
  };
  return {
    start() {
      running ??= loop();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
