// One caller's share on this node: a slice of its minute, and places for its requests in flight. It knows when each request
// of the slice was made, so that Redis counts them from then on and a slice may last longer than the window's precision.
import type { Flights } from "./in-flight.ts";
import type { Flight, RateVerdict } from "./rate.ts";

/** A slice covers requests for this long; it is returned sooner when idle, or when another node runs short. */
export const SLICE_MS = 2_000;
/** Requests this close together count as made with the last of them. */
const RUN_MS = 500;
/** Places taken in advance: twice the recent peak, with a minimum. */
const AHEAD = 2;
const PLACES_MIN = 8;
/** A caller with two calls in a second may be ramping up: asking again and again meanwhile would cost more. */
const SLICE_MIN = 64;

interface RequestRun {
  began: number;
  /** Of its last request. */
  at: number;
  count: number;
}

export class CallerSlice {
  limit = 0;
  /** Of the slice: how much is left, and how much was spent. */
  left = 0;
  runs: RequestRun[] = [];
  until = 0;
  spentAt = 0;
  /** Of the window, beyond the slice. */
  remaining = 0;
  resetsAt = 0;
  /** How many may be in flight here. */
  places = 0;
  placesUntil = 0;
  flightMax = 0;
  flights: Flights | null = null;
  askedAt = 0;
  asking: Promise<unknown> | null = null;
  /** The peak in flight since Redis was asked, and in the period before that. */
  private peak = 0;
  private peakBefore = 0;
  /** Requests in the current second, and in the one before. */
  private second = 0;
  private count = 0;
  private before = 0;

  spend(now: number, limit: number, flight?: Flight): RateVerdict | undefined {
    if (this.left < 1 || now >= this.until || this.limit !== limit) return undefined;
    if (flight && (flight.here > this.places || now >= this.placesUntil)) return undefined;
    this.left -= 1;
    this.spentAt = now;
    const run = this.runs[this.runs.length - 1];
    if (run && now - run.began < RUN_MS) {
      run.count += 1;
      run.at = now;
    } else this.runs.push({ began: now, at: now, count: 1 });
    if (flight) this.see(flight);
    const remaining = this.remaining + this.left;
    return { allowed: true, limit, remaining, resetMs: Math.max(0, this.resetsAt - now) };
  }

  /** Remembers how many there are at once. */
  see(flight: Flight): void {
    this.flights = flight.flights;
    this.flightMax = flight.max;
    if (flight.here > this.peak) this.peak = flight.here;
  }

  underWay(): number {
    return this.flights ? this.flights.open + this.flights.arriving : 0;
  }

  /** Ends the slice: the next call to Redis reports these, as "age:count age:count", and releases it. */
  account(now: number): string {
    const used = this.runs.map(({ at, count }) => `${now - at}:${count}`).join(" ");
    this.runs = [];
    this.left = 0;
    return used;
  }

  /** Of the places to request, those beyond what is needed now. */
  ahead(needed: number): number {
    const busiest = Math.max(this.peak, this.peakBefore);
    this.peakBefore = this.peak;
    this.peak = needed;
    return Math.max(PLACES_MIN, AHEAD * busiest) - needed;
  }

  /** Unused quota that others could use. */
  isSpare(): boolean {
    return this.left > 0 || this.places > this.underWay();
  }

  countDemand(now: number): void {
    const second = Math.floor(now / 1_000);
    if (second !== this.second) {
      this.before = second === this.second + 1 ? this.count : 0;
      this.second = second;
      this.count = 0;
    }
    this.count += 1;
  }

  /** The size of the next slice. A first request is taken alone. */
  demand(): number {
    const perSecond = Math.max(this.count, this.before, 1);
    return perSecond === 1 ? 1 : Math.max(SLICE_MIN, Math.ceil((perSecond * SLICE_MS) / 1_000));
  }
}
