// What a node holds of one caller: a slice of its minute, and places for its requests under way. It knows when each request
// of the slice was made, so that Redis counts them from then on and a slice may last for longer than a window is exact.
import type { Flights } from "./in-flight.ts";
import type { Flight, RateVerdict } from "./rate.ts";

/** A slice is for the requests of so long; Redis has it back sooner when it rests, or when another node is short. */
export const SLICE_MS = 2_000;
/** Requests this close together count as made with the last of them. */
const RUN_MS = 500;
/** Places that are taken ahead: for twice the recent peak, and for some at least. */
const AHEAD = 2;
const PLACES_MIN = 8;
/** Who calls twice in a second may be about to call often: asking again and again while it gets going would be dearer. */
const SLICE_MIN = 64;

interface RequestRun {
  began: number;
  /** Of its last request. */
  at: number;
  count: number;
}

export class CallerSlice {
  limit = 0;
  /** Of the slice: what is left to spend, and what was spent. */
  left = 0;
  runs: RequestRun[] = [];
  until = 0;
  spentAt = 0;
  /** Of the window, beyond the slice. */
  remaining = 0;
  resetsAt = 0;
  /** How many may be under way here. */
  places = 0;
  placesUntil = 0;
  flightMax = 0;
  flights: Flights | null = null;
  askedAt = 0;
  asking: Promise<unknown> | null = null;
  /** The most that were under way since Redis was asked, and in the time before that. */
  private peak = 0;
  private peakBefore = 0;
  /** Requests in the second that runs, and in the one before. */
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

  /** Ends the slice: Redis forgets it with the question that tells these, as "age:count age:count". */
  account(now: number): string {
    const used = this.runs.map(({ at, count }) => `${now - at}:${count}`).join(" ");
    this.runs = [];
    this.left = 0;
    return used;
  }

  /** Of the places to ask for, those beyond what is needed now. */
  ahead(needed: number): number {
    const busiest = Math.max(this.peak, this.peakBefore);
    this.peakBefore = this.peak;
    this.peak = needed;
    return Math.max(PLACES_MIN, AHEAD * busiest) - needed;
  }

  /** Anything that others could use. */
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

  /** What the next slice is for. A first request is taken alone. */
  demand(): number {
    const perSecond = Math.max(this.count, this.before, 1);
    return perSecond === 1 ? 1 : Math.max(SLICE_MIN, Math.ceil((perSecond * SLICE_MS) / 1_000));
  }
}
