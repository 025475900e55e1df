// Background work that repeats until it is stopped. A round that fails is logged and never ends the
// loop; consecutive failures can back off; stopping waits for the current round; a wake that arrives
// during a round is not lost.
import { createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";
import { nextTurn } from "./turn.ts";

export interface Loop {
  /** Starts it; call once. */
  start(): void;
  /** Ends the current rest early. */
  wake(): void;
  stop(): Promise<void>;
}

/** A round that returns this was the last one. */
export const LOOP_DONE = Symbol("loop done");

export interface LoopParts {
  /** A log message for a failed round, such as "mail was not sent". Or a handler to call instead of logging. */
  failure: string | ((error: unknown) => void);
  /** The rest after a round. If omitted, the loop rests until it is woken. */
  everyMs?: number;
  /** Whether the first round runs at once or after the first rest. */
  first?: "now" | "later";
  /** The backoff after consecutive failures: it doubles up to the maximum. If omitted, the normal rest. */
  backoff?: { firstMs: number; msMax: number; random: Random };
  /** An error that ends the loop: `runLoop` rejects with it. */
  isFatal?(error: unknown): boolean;
  clock: Clock;
  log: Log;
  /**
   * If it resolves to a number, that is this round's rest; LOOP_DONE ends the loop. A long-lived round, such as a
   * connection, calls `works` once it is up, so that its end counts as the first consecutive failure.
   */
  round(signal: AbortSignal, works: () => void): unknown;
}

export function createLoop(parts: LoopParts): Loop {
  const stopping = new AbortController();
  const nap = createNap(parts.clock);
  let running: Promise<void> | null = null;
  return {
    start() {
      running ??= run(parts, nap, stopping.signal);
    },
    wake: nap.end,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** For work tied to a signal: resolves once the signal has aborted and the round has ended. */
export function runLoop(parts: LoopParts, signal: AbortSignal): Promise<void> {
  return run(parts, createNap(parts.clock), signal);
}

async function run(parts: LoopParts, nap: Nap, signal: AbortSignal): Promise<void> {
  const { everyMs = Number.POSITIVE_INFINITY, first = "now", round } = parts;
  const backoff =
    parts.backoff && createBackoff(parts.backoff.random, parts.backoff.firstMs, parts.backoff.msMax);
  const works = () => backoff?.reset();
  const once = async (): Promise<number | typeof LOOP_DONE> => {
    try {
      const result = await round(signal, works);
      works();
      return typeof result === "number" || result === LOOP_DONE ? result : everyMs;
    } catch (error) {
      if (parts.isFatal?.(error)) throw error;
      // A round interrupted by a stop did not fail.
      if (!signal.aborted) noteFailure(parts, error);
      return backoff?.nextMs() ?? everyMs;
    }
  };
  signal.addEventListener("abort", nap.end, { once: true });
  try {
    if (first === "later" && !signal.aborted) await nap.rest(everyMs);
    while (!signal.aborted) {
      nap.renew();
      const restMs = await once();
      if (restMs === LOOP_DONE) return;
      if (!signal.aborted) await nap.rest(restMs);
    }
  } finally {
    signal.removeEventListener("abort", nap.end);
  }
}

function noteFailure({ failure, log }: LoopParts, error: unknown): void {
  if (typeof failure === "string") log.warn(failure, { error });
  else failure(error);
}

/** A rest that can be ended early, even before it starts. */
type Nap = ReturnType<typeof createNap>;

function createNap(clock: Clock) {
  let ended = new AbortController();
  return {
    end: () => ended.abort(),
    renew() {
      if (ended.signal.aborted) ended = new AbortController();
    },
    /** Work without a rest still yields to the event loop. */
    rest: (restMs: number) => (restMs > 0 ? clock.sleep(restMs, ended.signal) : nextTurn()),
  };
}
