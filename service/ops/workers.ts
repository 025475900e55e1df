// Several processes of one machine behind one port. The parent serves nothing: it starts the workers, starts a crashed
// one again after a pause that grows while it keeps crashing, hands signals on, and ends when the last has ended. The
// workers notice when the parent dies, through the channel between them, and leave as if they had been told to.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";

export interface WorkersParts {
  count: number;
  /** The command of the worker with this number, from 0 on, and what it finds in its environment. */
  command: readonly string[];
  environmentOf(index: number): Record<string, string | undefined>;
  clock: Clock;
  log: Log;
}

export interface Workers {
  /** To every worker. After the first, none is started again. */
  signal(name: "SIGTERM" | "SIGINT"): void;
  /** Resolves when all have ended after a signal: true when each of them ended well. */
  ended: Promise<boolean>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** Who ran this long did not crash at start, so the next pause is the first again. */
const SETTLED_MS = 30_000;

export function startWorkers({ count, command, environmentOf, clock, log }: WorkersParts): Workers {
  const running = new Map<number, Bun.Subprocess>();
  const leaving = new AbortController();

  const keep = async (index: number): Promise<boolean> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = clock.now();
      const child = Bun.spawn([...command], {
        env: environmentOf(index),
        stdio: ["ignore", "inherit", "inherit"],
        // Nothing is said on it; that it closes tells a worker that its parent is gone.
        ipc: () => {},
      });
      running.set(index, child);
      log.info("a worker runs", { worker: index, pid: child.pid });
      const code = await child.exited;
      running.delete(index);
      if (leaving.signal.aborted) return code === 0;
      if (clock.now() - startedAt >= SETTLED_MS) pauseMs = FIRST_PAUSE_MS;
      log.error("a worker ended and is started again", {
        worker: index,
        code,
        signal: child.signalCode,
        pauseMs,
      });
      await clock.sleep(pauseMs, leaving.signal);
      if (leaving.signal.aborted) return true;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  const all = Array.from({ length: count }, (_, index) => keep(index));
  return {
    signal(name) {
      leaving.abort();
      for (const child of running.values()) child.kill(name);
    },
    ended: Promise.all(all).then((endings) => endings.every(Boolean)),
  };
}
