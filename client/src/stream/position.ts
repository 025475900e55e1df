// A place in the log, and where it is kept between runs. What is saved was handed to the reader and dealt with: it asked
// for the next item. After a crash the last items may come again, none is missing.

export interface StreamPosition {
  /** Identifies the log; a rebuilt one has another. */
  epoch: string;
  /** The last place that was dealt with. */
  seq: number;
  /** When that event happened, in epoch milliseconds. */
  ts?: number;
}

export interface PositionStore {
  load(): StreamPosition | null | undefined | Promise<StreamPosition | null | undefined>;
  save(position: StreamPosition): void | Promise<void>;
}

export interface Saver {
  /** Notes a position; saves it if the last save is long enough ago. */
  note(position: StreamPosition): Promise<void>;
  /** Saves what is noted and not yet saved. */
  flush(): Promise<void>;
}

export function createSaver(
  save: ((position: StreamPosition) => void | Promise<void>) | undefined,
  everyMs: number,
): Saver {
  let noted: StreamPosition | null = null;
  let savedAt = Number.NEGATIVE_INFINITY;
  const flush = async () => {
    const position = noted;
    if (!save || position === null) return;
    noted = null;
    savedAt = performance.now();
    await save(position);
  };
  return {
    async note(position) {
      noted = position;
      if (performance.now() - savedAt >= everyMs) await flush();
    },
    flush,
  };
}
