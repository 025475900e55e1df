// A map that holds at most so many entries: past the bound, the one unused for longest goes.

export interface Lru<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  size(): number;
}

/** `capacity` counts entries; or, when each is told by `weightOf`, what they weigh together. */
export function createLru<Key, Value>(
  capacity: number,
  weightOf: (value: Value) => number = () => 1,
): Lru<Key, Value> {
  const entries = new Map<Key, Value>();
  let weight = 0;
  // What is asked for again and again stays last without being moved there each time.
  let newest: Key | undefined;
  const drop = (key: Key) => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weightOf(value);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined || key === newest) return value;
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      return value;
    },
    set(key, value) {
      drop(key);
      entries.set(key, value);
      newest = key;
      weight += weightOf(value);
      while (weight > capacity && entries.size > 1) drop(entries.keys().next().value as Key);
    },
    delete: drop,
    clear() {
      entries.clear();
      weight = 0;
    },
    size: () => entries.size,
  };
}
