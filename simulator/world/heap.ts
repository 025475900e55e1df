// A heap of pending entries, ordered by time and then by insertion. It lives in a table of fixed capacity, so it is part of
// the snapshot.
import type { Tables } from "./state.ts";

type Heap = Tables["pending"]["columns"];

export interface Due {
  at: number;
  kind: number;
  code: number;
  number: number;
  slot: number;
}

/** Adds an entry to a heap of `count`. The caller keeps the count, and checks that there is room. */
export function pushDue(heap: Heap, count: number, order: number, due: Due): void {
  let place = count;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (heap.at.get(parent) <= due.at) break;
    copy(heap, parent, place);
    place = parent;
  }
  heap.at.set(place, due.at);
  heap.order.set(place, order);
  heap.kind.set(place, due.kind);
  heap.code.set(place, due.code);
  heap.number.set(place, due.number);
  heap.slot.set(place, due.slot);
}

/** Removes the first of `count` entries. */
export function popDue(heap: Heap, count: number): Due {
  const due = {
    at: heap.at.get(0),
    kind: heap.kind.get(0),
    code: heap.code.get(0),
    number: heap.number.get(0),
    slot: heap.slot.get(0),
  };
  const last = count - 1;
  let place = 0;
  for (;;) {
    let child = place * 2 + 1;
    if (child >= last) break;
    if (child + 1 < last && before(heap, child + 1, child)) child++;
    if (!before(heap, child, last)) break;
    copy(heap, child, place);
    place = child;
  }
  copy(heap, last, place);
  return due;
}

function before(heap: Heap, a: number, b: number): boolean {
  const first = heap.at.get(a);
  const second = heap.at.get(b);
  return first < second || (first === second && heap.order.get(a) < heap.order.get(b));
}

function copy(heap: Heap, from: number, to: number): void {
  heap.at.set(to, heap.at.get(from));
  heap.order.set(to, heap.order.get(from));
  heap.kind.set(to, heap.kind.get(from));
  heap.code.set(to, heap.code.get(from));
  heap.number.set(to, heap.number.get(from));
  heap.slot.set(to, heap.slot.get(from));
}
