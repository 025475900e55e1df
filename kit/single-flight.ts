// Concurrent identical work is done once: the first caller starts it, the rest share its promise. A caller that leaves
// does not cancel it for others: it aborts only when all callers have left, and a later caller starts it again.

export interface SingleFlight {
  /** `caller` aborts when that caller leaves; without it, the work always runs to its end. */
  run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T>;
  /** How many different pieces of work are in flight. */
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
      // Abandoned work may still be ending when new work with the same key has started.
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
  /** Aborts when all callers who joined have left. */
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
    // A signal that never aborts, for a caller that never leaves.
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
