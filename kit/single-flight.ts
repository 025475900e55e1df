// Identical work asked for at once is done once: the first caller starts it, the rest share its promise.

export interface SingleFlight {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many different pieces of work are under way. */
  size(): number;
}

export function createSingleFlight(): SingleFlight {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const shared = underWay.get(key);
      if (shared) return shared as Promise<T>;
      const own = work().finally(() => underWay.delete(key));
      underWay.set(key, own);
      return own;
    },
    size: () => underWay.size,
  };
}
