// A first start reads a whole history: it makes garbage faster than a collector that waits for the heap to grow takes it
// away, and a process hardly gives back what its heap once had. So in its first seconds it is collected every second.

/** On two shared cores the default world is read in about fifteen seconds. */
const FIRST_SECONDS = 20;
const EVERY_MS = 1_000;

export function tidyStart(): void {
  let left = FIRST_SECONDS;
  const timer = setInterval(() => {
    Bun.gc(true);
    left -= 1;
    if (left === 0) clearInterval(timer);
  }, EVERY_MS);
  timer.unref();
}
