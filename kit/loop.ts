// Background work that is done again and again until it is stopped. A round that fails is logged and never ends the
// loop; stopping waits for the round that is under way; a wake that comes during a round is not lost.
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface Loop {
  /** Begins, once. */
  start(): void;
  /** Ends the present rest early. */
  wake(): void;
  stop(): Promise<void>;
}

export interface LoopParts {
  /** What the work is, for the log: "mail was not sent". */
  failure: string;
  everyMs: number;
  /** Whether the first round comes at once, or after the first rest. */
  first?: "now" | "later";
  clock: Clock;
  log: Log;
  /** A number that it resolves to is how long to rest this time. */
  round(signal: AbortSignal): unknown;
}

export function createLoop({ failure, everyMs, first = "now", clock, log, round }: LoopParts): Loop {
  const stopping = new AbortController();
  let nap = new AbortController();
  let running: Promise<void> | null = null;

  const once = async (): Promise<number> => {
    try {
      const restMs = await round(stopping.signal);
      return typeof restMs === "number" ? restMs : everyMs;
    } catch (problem) {
      log.warn(failure, { problem });
      return everyMs;
    }
  };
  const run = async () => {
    if (first === "later") await clock.sleep(everyMs, AbortSignal.any([stopping.signal, nap.signal]));
    while (!stopping.signal.aborted) {
      nap = new AbortController();
      const restMs = await once();
      await clock.sleep(restMs, AbortSignal.any([stopping.signal, nap.signal]));
    }
  };
  return {
    start() {
      running ??= run();
    },
    wake: () => nap.abort(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
