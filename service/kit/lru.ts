// A map that holds at most so many entries: past the bound, the one unused for longest goes.

export interface Lru<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  size(): number;
}

export function createLru<Key, Value>(capacity: number): Lru<Key, Value> {
  const entries = new Map<Key, Value>();
  // What is asked for again and again stays last without being moved there each time.
  let newest: Key | undefined;
  const move = (key: Key, value: Value) => {
    entries.delete(key);
    entries.set(key, value);
    newest = key;
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined && key !== newest) move(key, value);
      return value;
    },
    set(key, value) {
      move(key, value);
      if (entries.size > capacity) entries.delete(entries.keys().next().value as Key);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    size: () => entries.size,
  };
}
