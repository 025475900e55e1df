// The world's speed over time: contiguous segments, each with its mean rate, paced by the hour. The world never goes past the
// last segment's end, so once a segment is written down, everything anyone can have seen in it can be replayed.

import { HOUR_MS } from "../../kit/units.ts";
import type { WorldScenario } from "./scenario-names.ts";

export interface Segment {
  from: number;
  until: number;
  /** Events per second, on average over a week. */
  rate: number;
  /** A requested scenario, at the segment's beginning. */
  scenario?: WorldScenario;
}

export class WorldSchedule {
  #segments: Segment[] = [];
  #first = 0;
  #askedFrom = Number.NEGATIVE_INFINITY;
  readonly #pace: (at: number) => number;

  /** `pace` multiplies the rate; it is constant within an hour. */
  constructor(segments: readonly Segment[] = [], pace: (at: number) => number = () => 1) {
    this.#pace = pace;
    for (const segment of segments) this.put(segment);
  }

  get until(): number {
    return this.#segments.at(-1)?.until ?? Number.NEGATIVE_INFINITY;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Replaces the plan from `from` on. A segment that continues the last one is merged into it. */
  put(segment: Segment): void {
    const kept = this.#segments.filter((existing) => existing.from < segment.from);
    const last = kept.at(-1);
    if (last && last.until < segment.from)
      throw new RangeError("a segment must begin where the one before ends");
    if (last && last.rate === segment.rate && segment.scenario === undefined)
      kept[kept.length - 1] = { ...last, until: segment.until };
    else {
      if (last) kept[kept.length - 1] = { ...last, until: segment.from };
      if (segment.until > segment.from) kept.push({ ...segment });
    }
    this.#segments = kept;
    this.#first = 0;
  }

  /** Drops segments that ended before the given time. */
  forget(before: number): void {
    this.#segments = this.#segments.filter((segment) => segment.until >= before);
    this.#first = 0;
  }

  /** When `work` more events (a fraction is fine) will have happened, counted from `from`; infinite if unplanned. */
  timeOf(work: number, from: number): number {
    // The world calls this in time order: segments before the last call's start are not searched again.
    if (from < this.#askedFrom) this.#first = 0;
    this.#askedFrom = from;
    while (this.#first < this.#segments.length && (this.#segments[this.#first] as Segment).until <= from)
      this.#first++;
    for (let place = this.#first; place < this.#segments.length; place++) {
      const segment = this.#segments[place] as Segment;
      let start = Math.max(segment.from, from);
      while (start < segment.until) {
        const end = Math.min(segment.until, (Math.floor(start / HOUR_MS) + 1) * HOUR_MS);
        const rate = segment.rate * this.#pace(start);
        const fits = ((end - start) / 1000) * rate;
        if (work <= fits) return start + (work / rate) * 1000;
        work -= fits;
        start = end;
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first scenario after a time. */
  nextScenario(after: number): { at: number; scenario: WorldScenario } | undefined {
    for (const { from, scenario } of this.#segments)
      if (scenario !== undefined && from > after) return { at: from, scenario };
    return undefined;
  }

  rateAt(at: number): number {
    return this.#segments.find((segment) => at < segment.until)?.rate ?? this.#segments.at(-1)?.rate ?? 0;
  }

  /** The expected number of events between two times, at the mean pace. */
  expected(from: number, until: number): number {
    return this.#segments.reduce((sum, segment) => {
      const overlapMs = Math.min(segment.until, until) - Math.max(segment.from, from);
      return sum + (overlapMs > 0 ? (overlapMs / 1000) * segment.rate : 0);
    }, 0);
  }
}
