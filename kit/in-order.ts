// A lazily sorted iteration: the first hundred of twenty thousand cost a fraction of sorting all.

/** Uses its own heap: the input is not changed, and equal items come in any order. */
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

/** Sifts the item down until neither of its children comes before it. */
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
