// Several processes on one machine behind one port. The parent serves nothing: it starts the workers, restarts a crashed
// one after a backoff that grows while it keeps crashing, forwards signals, and exits after the last worker. The workers
// notice when the parent dies, through the channel between them, and stop as if they had received a signal.
import type { Kit } from "../../kit/kit.ts";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";

export interface WorkersParts extends Pick<Kit, "clock" | "log"> {
  count: number;
  /** The command of each worker, and its environment by number, from 0. */
  command: readonly string[];
  environmentOf(index: number): Record<string, string | undefined>;
  /** Its name in the log. */
  name?: string;
  /** Sent to each worker at start. */
  hello?: unknown;
  /** Receives a worker's messages. */
  hear?(message: unknown): void;
  /** Called when a worker exits unexpectedly. */
  lost?(): void;
}

export interface Workers {
  /** Signals every worker. After the first signal no worker is restarted. */
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
  /** The same, by message. */
  end(message: unknown): void;
  /** Process ids of the running workers. */
  pids(): number[];
  /** Resolves when all have exited after a signal: true if all exited cleanly. */
  ended: Promise<boolean>;
}

const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 15_000;
/** A worker that ran this long did not crash at start, so the backoff starts over. */
const SETTLED_MS = 30_000;

export function startWorkers(parts: WorkersParts): Workers {
  const { count, command, environmentOf, clock, log, name = "worker" } = parts;
  const running = new Map<number, Bun.Subprocess>();
  const leaving = new AbortController();

  /** Resolves when the worker has exited after a signal: whether it exited cleanly. */
  const keep = async (index: number): Promise<boolean> => {
    let pauseMs = FIRST_PAUSE_MS;
    let endedWell = true;
    const round = async () => {
      const startedAt = clock.now();
      const child = Bun.spawn([...command], {
        env: environmentOf(index),
        stdio: ["ignore", "inherit", "inherit"],
        // Its closing tells a worker that the parent is gone.
        ipc: (message) => parts.hear?.(message),
      });
      if (parts.hello !== undefined) child.send(parts.hello);
      running.set(index, child);
      log.info(`a ${name} runs`, { worker: index, pid: child.pid });
      const code = await child.exited;
      running.delete(index);
      if (leaving.signal.aborted) {
        endedWell = code === 0;
        return LOOP_DONE;
      }
      const restMs = clock.now() - startedAt >= SETTLED_MS ? FIRST_PAUSE_MS : pauseMs;
      pauseMs = Math.min(restMs * 2, PAUSE_MS_MAX);
      const ending = { worker: index, code, signal: child.signalCode, restMs };
      parts.lost?.();
      if (leaving.signal.aborted) return LOOP_DONE;
      log.error(`a ${name} ended and is started again`, ending);
      return restMs;
    };
    await runLoop(
      { failure: "a worker was not started", everyMs: PAUSE_MS_MAX, clock, log, round },
      leaving.signal,
    );
    return endedWell;
  };

  const all = Array.from({ length: count }, (_, index) => keep(index));
  return {
    signal(name) {
      leaving.abort();
      for (const child of running.values()) child.kill(name);
    },
    end(message) {
      leaving.abort();
      for (const child of running.values()) child.send(message);
    },
    pids: () => [...running.values()].map(({ pid }) => pid),
    ended: Promise.all(all).then((endings) => endings.every(Boolean)),
  };
}
