// Bounds how many calls are in flight and how many are queued, first come first served. A call beyond both
// is refused at once, because waiting longer than its deadline is useless.

interface Gate {
  /** Returns a release function; "busy" when the queue is full; "gone" when the signal aborted first. */
  enter(signal: AbortSignal): Promise<(() => void) | "busy" | "gone">;
  waiting(): number;
  underWay(): number;
}

export function createGate(underWayMax: number, waitingMax: number): Gate {
  // A Set keeps order and removes from the middle cheaply, which is what an abort needs.
  const queue = new Set<(leave: () => void) => void>();
  let underWay = 0;

  const leaver = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      underWay -= 1;
      const next = queue.values().next().value;
      if (!next) return;
      queue.delete(next);
      underWay += 1;
      next(leaver());
    };
  };

  return {
    enter: async (signal) => {
      if (signal.aborted) return "gone";
      if (underWay < underWayMax) {
        underWay += 1;
        return leaver();
      }
      if (queue.size >= waitingMax) return "busy";
      return await new Promise((resolve) => {
        const turn = (leave: () => void) => {
          signal.removeEventListener("abort", abort);
          resolve(leave);
        };
        const abort = () => {
          queue.delete(turn);
          resolve("gone");
        };
        queue.add(turn);
        signal.addEventListener("abort", abort, { once: true });
      });
    },
    waiting: () => queue.size,
    underWay: () => underWay,
  };
}
