// The scheduler: endpoints with work, first come first served, one step of each at a time and a bounded number
// at once. Failing or slow ones share a part of the slots, so that many of them delay no one else.
import type { Endpoint } from "./endpoint.ts";

export interface Schedule {
  /** It has something to do, now. Asking again for one that waits or works changes nothing. */
  add(endpoint: Endpoint): void;
  remove(endpoint: Endpoint): void;
  underWay(): number;
  /** Begins nothing more. Resolves when nothing is under way. */
  drain(): Promise<void>;
}

/** Requests at once on one node: few megabytes, and far fewer than a process may have files open. */
const UNDER_WAY_MAX = 256;
/** Of those, for endpoints that failed or were slow the last time. */
const POORLY_UNDER_WAY_MAX = 128;

export function createSchedule(work: (endpoint: Endpoint) => Promise<void>): Schedule {
  const queues = { well: new Set<Endpoint>(), poorly: new Set<Endpoint>() };
  let isDraining = false;
  let underWay = 0;
  let poorlyUnderWay = 0;
  let drained: (() => void) | null = null;

  const next = (): Endpoint | undefined => {
    const [well] = queues.well;
    if (well) return well;
    return poorlyUnderWay < POORLY_UNDER_WAY_MAX ? queues.poorly.values().next().value : undefined;
  };
  const run = async (endpoint: Endpoint, isPoorly: boolean) => {
    underWay += 1;
    if (isPoorly) poorlyUnderWay += 1;
    endpoint.isBusy = true;
    try {
      await work(endpoint);
    } finally {
      underWay -= 1;
      if (isPoorly) poorlyUnderWay -= 1;
      if (isDraining && underWay === 0) drained?.();
      pump();
    }
  };
  const pump = () => {
    while (!isDraining && underWay < UNDER_WAY_MAX) {
      const endpoint = next();
      if (!endpoint) return;
      const isPoorly = queues.poorly.delete(endpoint);
      queues.well.delete(endpoint);
      void run(endpoint, isPoorly);
    }
  };
  return {
    add(endpoint) {
      if (endpoint.isBusy) return;
      queues[endpoint.isPoorly ? "poorly" : "well"].add(endpoint);
      pump();
    },
    remove(endpoint) {
      queues.well.delete(endpoint);
      queues.poorly.delete(endpoint);
    },
    underWay: () => underWay,
    drain() {
      isDraining = true;
      return underWay === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            drained = resolve;
          });
    },
  };
}
