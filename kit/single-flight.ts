// Identical work asked for at once is done once: the first caller starts it, the rest share its promise. Who goes takes it
// from nobody: its signal aborts only when all who asked have gone, and who asks after that starts it again.

export interface SingleFlight {
  /** `caller` aborts when that caller has gone; without it, the work is wanted to its end. */
  run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T>;
  /** How many different pieces of work are under way. */
  size(): number;
}

interface SharedWork {
  askers: Askers;
  ended: Promise<unknown>;
}

export function createSingleFlight(): SingleFlight {
  const underWay = new Map<string, SharedWork>();

  const start = <T>(key: string, work: (signal: AbortSignal) => Promise<T>, askers: Askers): Promise<T> => {
    const ended = work(askers.gone).finally(() => {
      askers.forget();
      // Work that all had left may still be ending when the next of its name is under way.
      if (underWay.get(key)?.askers === askers) underWay.delete(key);
    });
    underWay.set(key, { askers, ended });
    return ended;
  };

  return {
    run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T> {
      const shared = underWay.get(key);
      if (shared && !shared.askers.gone.aborted) {
        shared.askers.join(caller);
        return shared.ended as Promise<T>;
      }
      const askers = createAskers();
      askers.join(caller);
      return start(key, work, askers);
    },
    size: () => underWay.size,
  };
}

interface Askers {
  join(caller?: AbortSignal): void;
  /** Aborts when all who joined have gone. */
  gone: AbortSignal;
  /** Leaves no listener behind. */
  forget(): void;
}

function createAskers(): Askers {
  const gone = new AbortController();
  const staying = new Set<AbortSignal>();
  const leave = ({ target }: { target: unknown }) => {
    staying.delete(target as AbortSignal);
    if (staying.size === 0) gone.abort();
  };
  return {
    gone: gone.signal,
    // A signal that nobody can abort stands for who never goes.
    join(caller = new AbortController().signal) {
      if (caller.aborted) return leave({ target: caller });
      staying.add(caller);
      caller.addEventListener("abort", leave, { once: true });
    },
    forget() {
      for (const caller of staying) caller.removeEventListener("abort", leave);
    },
  };
}
