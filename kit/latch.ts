// A wait that someone else ends. An open latch lets everyone through; a closed one holds them until it opens or their
// signal aborts. It may be closed again, so it also serves as the wake-up of a loop that sleeps until there is work.

export interface Latch {
  open(): void;
  close(): void;
  isOpen(): boolean;
  /** Resolves once the latch is open or the signal aborts. */
  wait(signal?: AbortSignal): Promise<void>;
}

export function createLatch(): Latch {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    open() {
      isOpen = true;
      for (const release of [...waiting]) release();
    },
    close() {
      isOpen = false;
    },
    isOpen: () => isOpen,
    wait: (signal) =>
      new Promise((resolve) => {
        if (isOpen || signal?.aborted) return resolve();
        const release = () => {
          waiting.delete(release);
          signal?.removeEventListener("abort", release);
          resolve();
        };
        waiting.add(release);
        signal?.addEventListener("abort", release, { once: true });
      }),
  };
}
