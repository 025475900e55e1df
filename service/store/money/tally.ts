// The charges that the process owning a SQLite store made since the last rollup, summed as they were made, so that the
// rollup need not read back and decode rows that this process wrote.
//
// It is updated inside transactions that may still fail, and other processes write too. So it is used only if the store
// confirms it: when the rollup's position is where the tally began, and the journal ends with the last row it noted.
import type { Charge } from "./journal.ts";
import { createSums, type Sums } from "./sums.ts";

/** The journal's last row: after a failed transaction, its position alone could be another row's. */
export interface JournalEnd {
  head: number;
  batchId: string | null;
}

export interface Tally {
  /** Call inside the transaction that appends these to a journal that ended at `before`. */
  note(before: JournalEnd, after: JournalEnd, charges: readonly Charge[]): void;
  /** The sums of all rows starting at a position, if known. */
  sumsFrom(position: number, end: JournalEnd): Sums | null;
  /** Everything up to this end was rolled up. */
  restart(end: JournalEnd): void;
}

/** If a store refuses rollups for a long time, reading the journal afterwards beats holding all of it in memory. */
const CHARGES_MAX = 1_000_000;

export function createTally(): Tally {
  let from = Number.NaN;
  let last: JournalEnd = { head: Number.NaN, batchId: null };
  let sums = createSums();
  const endsHere = (end: JournalEnd) => end.head === last.head && end.batchId === last.batchId;
  const restart = (end: JournalEnd) => {
    from = end.head + 1;
    last = end;
    sums = createSums();
  };
  return {
    restart,
    note(before, after, charges) {
      if (!endsHere(before) || sums.charges() > CHARGES_MAX) restart(before);
      for (const charge of charges) sums.add(charge);
      last = after;
    },
    sumsFrom: (position, end) => (position === from && endsHere(end) ? sums : null),
  };
}
