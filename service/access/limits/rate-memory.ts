// Rate windows and socket counts of one node, exact to the millisecond. A window holds one entry for each
// millisecond in which it allowed something, so its size is bounded by its length, whatever the limit.
import type { Clock } from "../../../kit/clock.ts";
import { type RateLimiter, type RateVerdict, WINDOW_MS } from "./rate.ts";

/** Active keys and addresses of one node: at some hundred bytes each this stays within tens of megabytes. */
const SUBJECTS_MAX = 100_000;
/** How many old subjects are looked at when a new one comes: two, so that idle ones go faster than new ones come. */
const SWEPT_PER_NEW_SUBJECT = 2;
const FIRST_CAPACITY = 8;

export function createMemoryRate(clock: Clock, subjectsMax = SUBJECTS_MAX): RateLimiter {
  const windows = new Map<string, SlidingLog>();
  const sockets = new Map<string, number>();

  const windowOf = (subject: string, now: number): SlidingLog => {
    const known = windows.get(subject);
    if (known) return known;
    sweep(now);
    const fresh = new SlidingLog();
    windows.set(subject, fresh);
    return fresh;
  };

  // A clock hand over the map's order: idle windows go, active ones move to its end; at the bound the one that has
  // waited longest goes, which forgives that subject at the most one minute's requests.
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
      const now = clock.now();
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

/** A ring of (millisecond, how many) runs, oldest first. */
class SlidingLog {
  private times = new Float64Array(FIRST_CAPACITY);
  private counts = new Uint32Array(FIRST_CAPACITY);
  private head = 0;
  private runs = 0;
  private total = 0;

  isIdle(now: number): boolean {
    this.forget(now);
    return this.total === 0;
  }

  take(now: number, limit: number, cost: 0 | 1): RateVerdict {
    this.forget(now);
    if (this.total + cost > limit) {
      return { allowed: false, limit, remaining: 0, resetMs: this.roomAt(limit) - now };
    }
    if (cost > 0) this.add(now);
    const oldest = this.runs > 0 ? (this.times[this.head] as number) : now;
    return { allowed: true, limit, remaining: limit - this.total, resetMs: oldest + WINDOW_MS - now };
  }

  private forget(now: number): void {
    while (this.runs > 0 && (this.times[this.head] as number) <= now - WINDOW_MS) {
      this.total -= this.counts[this.head] as number;
      this.head = (this.head + 1) % this.times.length;
      this.runs--;
    }
  }

  /** When fewer than the limit will be left: later than the oldest's end if the limit was lowered meanwhile. */
  private roomAt(limit: number): number {
    let left = this.total;
    for (let i = 0; i < this.runs; i++) {
      const at = (this.head + i) % this.times.length;
      left -= this.counts[at] as number;
      if (left < limit) return (this.times[at] as number) + WINDOW_MS;
    }
    return (this.times[this.head] ?? 0) + WINDOW_MS;
  }

  private add(now: number): void {
    this.total++;
    const newest = (this.head + this.runs - 1 + this.times.length) % this.times.length;
    if (this.runs > 0 && this.times[newest] === now) {
      this.counts[newest] = (this.counts[newest] as number) + 1;
      return;
    }
    if (this.runs === this.times.length) this.grow();
    const at = (this.head + this.runs) % this.times.length;
    this.times[at] = now;
    this.counts[at] = 1;
    this.runs++;
  }

  private grow(): void {
    const times = new Float64Array(this.times.length * 2);
    const counts = new Uint32Array(times.length);
    for (let i = 0; i < this.runs; i++) {
      const from = (this.head + i) % this.times.length;
      times[i] = this.times[from] as number;
      counts[i] = this.counts[from] as number;
    }
    this.times = times;
    this.counts = counts;
    this.head = 0;
  }
}
