// A set of listeners that can't harm each other.
import type { Log } from "../../kit/log.ts";

export interface Listeners<T> {
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
}

export function createListeners<T>(log: Log): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      // Wrapped, so that a function added twice is called twice and removed once per handle.
      const mine = (value: T) => listener(value);
      listeners.add(mine);
      return () => void listeners.delete(mine);
    },
    tell(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          log.error("a listener on the bus failed", { error });
        }
      }
    },
  };
}
