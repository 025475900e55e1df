// A reader's place, stored together with its data: each step changes both in one transaction of the sink, or neither. If the
// sink fails, it is unknown whether the step was committed: the in-memory place is dropped and reloaded from the database.
import type { Cursor, Sink } from "./chain.ts";

export interface StoredPlace<Place> {
  /** Throws unless loaded. */
  readonly current: Place;
  readonly isLoaded: boolean;
  /** Null when nothing was ever stored. */
  load(): Promise<Place | null>;
  forget(): void;
  /** A step that only saves work: if lost, it is simply redone. */
  note(next: Place): void;
  step(next: Place, store: (cursor: Cursor) => Promise<void>): Promise<void>;
}

export function createStoredPlace<Place>(
  sink: Pick<Sink, "cursor">,
  name: string,
  format: { encode(place: Place): string; decode(text: string): Place },
): StoredPlace<Place> {
  let current: Place | null = null;
  return {
    get current() {
      if (current === null) throw new Error(`the cursor ${name} was not loaded`);
      return current;
    },
    get isLoaded() {
      return current !== null;
    },
    async load() {
      const text = await sink.cursor(name);
      current = text === null ? null : format.decode(text);
      return current;
    },
    forget() {
      current = null;
    },
    note(next) {
      current = next;
    },
    async step(next, store) {
      const value = format.encode(next);
      current = null;
      await store({ name, value });
      current = next;
    },
  };
}
