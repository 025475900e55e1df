// A map with a bounded number of entries: past the bound, the least recently used one is evicted.
//
// The order is a linked list next to the map. Deleting and inserting again would keep the order too, but the runtime's maps
// leave a tombstone for each, which every later lookup of that key walks over: a hot key gets slower with each use.

export interface Lru<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  size(): number;
}

interface LruEntry<Key, Value> {
  key: Key;
  value: Value;
  older: LruEntry<Key, Value> | null;
  newer: LruEntry<Key, Value> | null;
}

/** `capacity` counts entries; or, when `weightOf` weighs each, their total weight. */
export function createLru<Key, Value>(
  capacity: number,
  weightOf: (value: Value) => number = () => 1,
): Lru<Key, Value> {
  const entries = new Map<Key, LruEntry<Key, Value>>();
  let weight = 0;
  let oldest: LruEntry<Key, Value> | null = null;
  let newest: LruEntry<Key, Value> | null = null;
  const unlink = ({ older, newer }: LruEntry<Key, Value>) => {
    if (older) older.newer = newer;
    else oldest = newer;
    if (newer) newer.older = older;
    else newest = older;
  };
  const append = (entry: LruEntry<Key, Value>) => {
    entry.older = newest;
    entry.newer = null;
    if (newest) newest.newer = entry;
    else oldest = entry;
    newest = entry;
  };
  const drop = (entry: LruEntry<Key, Value>) => {
    entries.delete(entry.key);
    unlink(entry);
    weight -= weightOf(entry.value);
  };
  const use = (entry: LruEntry<Key, Value>) => {
    if (entry === newest) return;
    unlink(entry);
    append(entry);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      use(entry);
      return entry.value;
    },
    set(key, value) {
      const known = entries.get(key);
      if (known) {
        weight += weightOf(value) - weightOf(known.value);
        known.value = value;
        use(known);
      } else {
        const entry = { key, value, older: null, newer: null };
        entries.set(key, entry);
        append(entry);
        weight += weightOf(value);
      }
      while (weight > capacity && entries.size > 1 && oldest) drop(oldest);
    },
    delete(key) {
      const entry = entries.get(key);
      if (entry) drop(entry);
    },
    clear() {
      entries.clear();
      oldest = newest = null;
      weight = 0;
    },
    size: () => entries.size,
  };
}
