// What the process that owns a SQLite store charged since the last rollup, added up as it was charged, so that the rollup
// need not read back and decode the rows that this very process wrote.
//
// It is noted inside transactions that may yet fail, and other processes write too. So it counts only where the store
// itself says so: when the rollup's position is where the tally began, and the journal ends with the row it noted last.
import type { Charge } from "./journal.ts";
import { createSums, type Sums } from "./sums.ts";

/** The journal's last row: its position alone could be another's, after a transaction that failed. */
export interface JournalEnd {
  head: number;
  batchId: string | null;
}

export interface Tally {
  /** Inside the transaction that appends these to a journal which ended there. */
  note(before: JournalEnd, after: JournalEnd, charges: readonly Charge[]): void;
  /** The sums of all rows from a position on, if they are known. */
  sumsFrom(position: number, end: JournalEnd): Sums | null;
  /** Everything up to this end was rolled up. */
  restart(end: JournalEnd): void;
}

/** When a store refuses rollups for long, reading the journal afterwards beats holding all of it. */
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
