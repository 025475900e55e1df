// Exits that rules have decided on, the earliest first.

export interface DueExit {
  at: number;
  position: number;
  /** Which holding of the position it is meant for: a later one is left alone. */
  trip: number;
  cause: RuleCause;
  /** The price at which the rule was triggered. */
  basisUsd: number;
}

export type RuleCause = "stopLoss" | "takeProfit" | "trailing" | "maxHold";

export class DueExits {
  readonly #heap: DueExit[] = [];

  get nextAt(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** The one that is meant for this holding, if there is one. */
  of(position: number, trip: number): DueExit | null {
    return this.#heap.find((exit) => exit.position === position && exit.trip === trip) ?? null;
  }

  add(exit: DueExit): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(exit);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(exit, heap[parent] as DueExit)) break;
      heap[place] = heap[parent] as DueExit;
      place = parent;
    }
    heap[place] = exit;
  }

  take(): DueExit | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as DueExit, heap[child] as DueExit)) child += 1;
      if (!isBefore(heap[child] as DueExit, last)) break;
      heap[place] = heap[child] as DueExit;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

const isBefore = (a: DueExit, b: DueExit): boolean =>
  a.at < b.at || (a.at === b.at && a.position < b.position);
