// A position in the log, and its storage between runs. A saved position was handed to the reader and processed: the reader
// asked for the next item. After a crash the last items may be repeated, but none is missing.

export interface StreamPosition {
  /** Identifies the log; a rebuilt one has another. */
  epoch: string;
  /** The last position that was processed. */
  seq: number;
  /** When that event happened, in epoch milliseconds. */
  ts?: number;
}

export interface PositionStore {
  load(): StreamPosition | null | undefined | Promise<StreamPosition | null | undefined>;
  save(position: StreamPosition): void | Promise<void>;
}

export interface Saver {
  /** Records a position; saves it if the last save is long enough ago. */
  note(position: StreamPosition): Promise<void>;
  /** Saves the recorded position if it isn't saved yet. */
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
