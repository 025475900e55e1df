// Rate windows and socket counts of one node, exact to the millisecond. A window holds one entry for each
// millisecond in which it allowed something, so its size is bounded by its length, whatever the limit.
import type { Clock } from "../../../kit/clock.ts";
import { type RateLimiter, type RateVerdict, WINDOW_MS } from "./rate.ts";

/** Active keys and addresses of one node: at some hundred bytes each this stays within tens of megabytes. */
const SUBJECTS_MAX = 100_000;
/** How many old subjects are checked when a new one arrives: two, so that idle ones are evicted faster than new ones arrive. */
const SWEPT_PER_NEW_SUBJECT = 2;
/** Milliseconds that a window has room for at first; a power of two. */
const FIRST_RUNS = 8;

export function createMemoryRate(clock: Clock, subjectsMax = SUBJECTS_MAX): RateLimiter {
  const windows = new Map<string, SlidingLog>();
  const sockets = new Map<string, number>();
  // Counted from here: small integers, which make window arithmetic far faster.
  const beganAt = clock.now();

  const windowOf = (subject: string, now: number): SlidingLog => {
    const known = windows.get(subject);
    if (known) return known;
    sweep(now);
    const fresh = new SlidingLog();
    windows.set(subject, fresh);
    return fresh;
  };

  // CLOCK eviction in the map's order: idle windows are evicted, active ones move to its end; at the bound the one that has
  // waited longest is evicted, which forgives that subject at most one minute's requests.
  const sweep = (now: number) => {
    for (let i = 0; i < SWEPT_PER_NEW_SUBJECT; i++) {
      const first = windows.entries().next().value;
      if (!first) return;
      const [subject, log] = first;
      windows.delete(subject);
      if (!log.isIdle(now)) windows.set(subject, log);
    }
    while (windows.size >= subjectsMax) windows.delete(windows.keys().next().value as string);
  };

  return {
    take(subject, limit, cost = 1) {
      const now = clock.now() - beganAt;
      return windowOf(subject, now).take(now, limit, cost);
    },
    openSocket(subject, limit) {
      const open = sockets.get(subject) ?? 0;
      if (open >= limit) return false;
      sockets.set(subject, open + 1);
      return true;
    },
    closeSocket(subject) {
      const open = sockets.get(subject) ?? 0;
      if (open <= 1) sockets.delete(subject);
      else sockets.set(subject, open - 1);
    },
    degraded: () => false,
    close: async () => {},
  };
}

/** A ring of pairs, oldest first: a millisecond, cut to 32 bits, and how many it allowed. */
class SlidingLog {
  private ring = new Uint32Array(2 * FIRST_RUNS);
  private head = 0;
  private runs = 0;
  private total = 0;
  /** The full time: the 32-bit form wraps after some weeks, so it only distinguishes nearby times. */
  private newestAt = -WINDOW_MS;

  isIdle(now: number): boolean {
    this.forget(now);
    return this.total === 0;
  }

  take(now: number, limit: number, cost: 0 | 1): RateVerdict {
    this.forget(now);
    if (this.total + cost > limit) {
      return { allowed: false, limit, remaining: 0, resetMs: this.roomIn(now, limit) };
    }
    if (cost > 0) this.add(now);
    return { allowed: true, limit, remaining: limit - this.total, resetMs: this.leavesIn(now, 0) };
  }

  private forget(now: number): void {
    if (now - this.newestAt >= WINDOW_MS) this.head = this.runs = this.total = 0;
    while (this.runs > 0 && this.leavesIn(now, 0) <= 0) {
      this.total -= this.ring[this.head + 1] as number;
      this.head = this.placeOf(1);
      this.runs--;
    }
  }

  /** Until one more is allowed: later than the oldest's end if the limit was lowered meanwhile. */
  private roomIn(now: number, limit: number): number {
    let left = this.total;
    for (let run = 0; run < this.runs; run++) {
      left -= this.ring[this.placeOf(run) + 1] as number;
      if (left < limit) return this.leavesIn(now, run);
    }
    return this.leavesIn(now, 0);
  }

  /** Until the run leaves the window; a whole window without one. */
  private leavesIn(now: number, run: number): number {
    if (run >= this.runs) return WINDOW_MS;
    return WINDOW_MS - ((now - (this.ring[this.placeOf(run)] as number)) >>> 0);
  }

  /** Where the run is; the ring's length is a power of two. */
  private placeOf(run: number): number {
    return (this.head + 2 * run) & (this.ring.length - 1);
  }

  private add(now: number): void {
    this.total++;
    if (this.newestAt === now && this.runs > 0) {
      const newest = this.placeOf(this.runs - 1) + 1;
      this.ring[newest] = (this.ring[newest] as number) + 1;
      return;
    }
    if (2 * this.runs === this.ring.length) this.grow();
    this.newestAt = now;
    const place = this.placeOf(this.runs++);
    this.ring[place] = now;
    this.ring[place + 1] = 1;
  }

  private grow(): void {
    const ring = new Uint32Array(2 * this.ring.length);
    ring.set(this.ring.subarray(this.head));
    ring.set(this.ring.subarray(0, this.head), this.ring.length - this.head);
    this.ring = ring;
    this.head = 0;
  }
}
