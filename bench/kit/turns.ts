// The longest turns of this thread's event loop during some work, and where their time went: computing, waiting for the disk
// or a lock, or runnable but not running, because other processes or other machines of the host had the core. Only the last is
// not our fault. Linux distinguishes them: a thread that never slept in a turn waited for nothing.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

export interface Turn {
  /** Wall time. */
  wallMs: number;
  computedMs: number;
  /** Time when it was runnable, but others had the core. */
  takenMs: number;
}

/** The work's own part of a turn: all but the time that others had the core. */
export const heldBy = ({ wallMs, takenMs }: Turn): number => Math.max(0, wallMs - takenMs);

export interface LongestTurns {
  /** The turn that held the thread longest, excluding others' time. */
  longest: Turn;
  /** The longest by wall time. */
  slowest: Turn;
  computedMs: number;
  tookMs: number;
}

const BYTES_MAX = 128;
/** Shorter turns are not analysed. */
const LOOKED_AT_MS = 3;

export async function turnsOf(work: () => Promise<unknown>): Promise<LongestTurns> {
  const file = openSync("/proc/thread-self/schedstat", "r");
  const bytes = Buffer.alloc(BYTES_MAX);
  const read = () => {
    const length = readSync(file, bytes, 0, BYTES_MAX, 0);
    const [computed = 0, queued = 0] = bytes.toString("latin1", 0, length).split(" ").map(Number);
    return { wallMs: performance.now(), computedMs: computed / 1e6, queuedMs: queued / 1e6 };
  };
  const none: Turn = { wallMs: 0, computedMs: 0, takenMs: 0 };
  const found = { longest: none, slowest: none, computedMs: 0 };
  let sleeps = sleepsOf();
  let running = true;
  let last = read();
  const turn = () => {
    if (!running) return;
    const now = read();
    const wallMs = now.wallMs - last.wallMs;
    const computedMs = now.computedMs - last.computedMs;
    let takenMs = now.queuedMs - last.queuedMs;
    if (wallMs > LOOKED_AT_MS) {
      const before = sleeps;
      sleeps = sleepsOf();
      if (sleeps === before) takenMs = wallMs - computedMs;
    }
    const one = { wallMs, computedMs, takenMs };
    last = now;
    if (heldBy(one) > heldBy(found.longest)) found.longest = one;
    if (one.wallMs > found.slowest.wallMs) found.slowest = one;
    found.computedMs = Math.max(found.computedMs, one.computedMs);
    setImmediate(turn);
  };
  setImmediate(turn);
  const beganAt = performance.now();
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  running = false;
  closeSync(file);
  return { ...found, tookMs: performance.now() - beganAt };
}

/** How often this thread has slept, which it does only while waiting. */
function sleepsOf(): number {
  const status = readFileSync("/proc/thread-self/status", "latin1");
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
}
