// Work to do later, each piece once no matter how many ask for it, and never more than a stated number of pieces: past the
// bound a new piece is rejected and counted, because a sweep finds rejected pieces again.

export interface WorkQueue<Item> {
  /** False when it was rejected. Adding a piece that is already queued returns true and adds nothing. */
  add(key: string, item: Item): boolean;
  get(key: string): Item | undefined;
  remove(key: string): void;
  /** Owned by the taker until it calls `done`. */
  take(): { key: string; item: Item } | undefined;
  done(): void;
  /** How many are queued. */
  size(): number;
  /** How many are queued or being worked on. */
  open(): number;
  turnedAway(): number;
  clear(): void;
  /** Resolves when there is something to take, or when the signal aborts. */
  waiting(signal: AbortSignal): Promise<void>;
}

export function createWorkQueue<Item>(capacity: number): WorkQueue<Item> {
  const items = new Map<string, Item>();
  const sleepers = new Set<() => void>();
  let turnedAway = 0;
  let inHand = 0;
  return {
    add(key, item) {
      if (!items.has(key) && items.size >= capacity) {
        turnedAway += 1;
        return false;
      }
      items.set(key, item);
      for (const wake of [...sleepers]) wake();
      return true;
    },
    get: (key) => items.get(key),
    remove: (key) => void items.delete(key),
    take() {
      for (const [key, item] of items) {
        items.delete(key);
        inHand += 1;
        return { key, item };
      }
      return undefined;
    },
    done() {
      inHand = Math.max(0, inHand - 1);
    },
    size: () => items.size,
    open: () => items.size + inHand,
    turnedAway: () => turnedAway,
    clear() {
      items.clear();
      inHand = 0;
    },
    waiting: (signal) =>
      new Promise((resolve) => {
        if (items.size > 0 || signal.aborted) return resolve();
        const wake = () => {
          sleepers.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        sleepers.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      }),
  };
}
