// Items in order, sorted only as far as somebody walks: the first hundred of twenty thousand cost a fraction of sorting all.

/** A heap of its own: what is given stays as it is, and what is equal comes in any order. */
export function* inOrderOf<T>(items: Iterable<T>, compare: (a: T, b: T) => number): Generator<T> {
  const heap = [...items];
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, compare);
  while (heap.length > 0) {
    yield heap[0] as T;
    const last = heap.pop() as T;
    if (heap.length === 0) return;
    heap[0] = last;
    sink(heap, 0, compare);
  }
}

/** Moves the item at a place down until neither of the two below it comes first. */
function sink<T>(heap: T[], at: number, compare: (a: T, b: T) => number): void {
  const item = heap[at] as T;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const first = right < heap.length && compare(heap[right] as T, heap[left] as T) < 0 ? right : left;
    if (compare(item, heap[first] as T) <= 0) break;
    heap[at] = heap[first] as T;
    at = first;
  }
  heap[at] = item;
}
