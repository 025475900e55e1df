// Background work that is done again and again until it is stopped. A round that fails is logged and never ends the
// loop; failures in a row may be spaced ever further apart; stopping waits for the round under way; a wake that arrives
// during a round is not lost.
import { createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";
import { nextTurn } from "./turn.ts";

export interface Loop {
  /** Begins, once. */
  start(): void;
  /** Ends the present rest early. */
  wake(): void;
  stop(): Promise<void>;
}

/** A round that returns this was the last one. */
export const LOOP_DONE = Symbol("loop done");

export interface LoopParts {
  /** What a failed round means, for the log: "mail was not sent". Or what to do about it instead of logging. */
  failure: string | ((error: unknown) => void);
  /** The rest after a round. Left out, the loop rests until it is woken. */
  everyMs?: number;
  /** Whether the first round comes at once, or after the first rest. */
  first?: "now" | "later";
  /** How long to rest after failures in a row: it doubles up to the maximum. Left out, as after any round. */
  backoff?: { firstMs: number; msMax: number; random: Random };
  /** An error that ends the loop: `runLoop` rejects with it. */
  isFatal?(error: unknown): boolean;
  clock: Clock;
  log: Log;
  /**
   * A number that it resolves to is how long to rest this time, LOOP_DONE ends the loop. A round that lasts, such as a
   * connection, calls `works` once it does, so that its end counts as the first failure in a row.
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

/** For work that is bound to a signal: resolves once the signal has aborted and the round has ended. */
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
      // What a stop interrupts did not fail.
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

/** A rest that can be ended early, also before it begins. */
type Nap = ReturnType<typeof createNap>;

function createNap(clock: Clock) {
  let ended = new AbortController();
  return {
    end: () => ended.abort(),
    renew() {
      if (ended.signal.aborted) ended = new AbortController();
    },
    /** Work without a rest still leaves the event loop to others. */
    rest: (restMs: number) => (restMs > 0 ? clock.sleep(restMs, ended.signal) : nextTurn()),
  };
}
