// How fast the world lives, when: contiguous segments, each with its rate. The world never goes past the last
// segment's end, so once a segment is written down, everything anyone can have seen in it can be lived again.

export interface Segment {
  from: number;
  until: number;
  /** Events a second. */
  rate: number;
}

export class Schedule {
  #segments: Segment[] = [];

  constructor(segments: readonly Segment[] = []) {
    for (const segment of segments) this.put(segment);
  }

  get until(): number {
    return this.#segments.at(-1)?.until ?? Number.NEGATIVE_INFINITY;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** From `from` on, what was planned before no longer holds. A segment that carries the last one on joins it. */
  put(segment: Segment): void {
    const kept = this.#segments.filter((existing) => existing.from < segment.from);
    const last = kept.at(-1);
    if (last && last.until < segment.from)
      throw new RangeError("a segment must begin where the one before ends");
    if (last && last.rate === segment.rate) kept[kept.length - 1] = { ...last, until: segment.until };
    else {
      if (last) kept[kept.length - 1] = { ...last, until: segment.from };
      if (segment.until > segment.from) kept.push({ ...segment });
    }
    this.#segments = kept;
  }

  /** Forgets what ended before the given time. */
  forget(before: number): void {
    this.#segments = this.#segments.filter((segment) => segment.until >= before);
  }

  /** When `work` further events (a fraction is fine) will have come, counted from `from`; infinite if unplanned. */
  timeOf(work: number, from: number): number {
    for (const segment of this.#segments) {
      if (segment.until <= from) continue;
      const start = Math.max(segment.from, from);
      const fits = ((segment.until - start) / 1000) * segment.rate;
      if (work <= fits) return start + (work / segment.rate) * 1000;
      work -= fits;
    }
    return Number.POSITIVE_INFINITY;
  }

  rateAt(at: number): number {
    return this.#segments.find((segment) => at < segment.until)?.rate ?? this.#segments.at(-1)?.rate ?? 0;
  }

  /** How many events are expected between two times. */
  expected(from: number, until: number): number {
    return this.#segments.reduce((sum, segment) => {
      const overlapMs = Math.min(segment.until, until) - Math.max(segment.from, from);
      return sum + (overlapMs > 0 ? (overlapMs / 1000) * segment.rate : 0);
    }, 0);
  }
}
