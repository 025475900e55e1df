// A reader's place together with what it stores: each step changes both in one transaction of the sink, or neither. After a
// failure of the sink it is unknown whether the step was stored: the place is forgotten, and what is stored decides.
import type { Cursor, Sink } from "./chain.ts";

export interface StoredPlace<Place> {
  /** Throws unless it was loaded. */
  readonly current: Place;
  readonly isLoaded: boolean;
  /** Null when nothing was ever stored. */
  load(): Promise<Place | null>;
  forget(): void;
  /** A step that only saves work: when it is lost, it is done again. */
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
