// The rollup of many accounts in several short transactions, so that no charge waits for all of their rows. After each,
// ledger_state says how far which accounts are rolled up, and every reader uses that: see `rolledBelowOf`. The sums come
// from the tally; a slice that finds ledger_state changed since the last one starts over from the journal.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { type LedgerState, ledgerState, type RolledUp, rollUp } from "./rollup.ts";
import { writeSums } from "./rollup-write.ts";
import type { AccountSum } from "./sums.ts";
import type { Tally } from "./tally.ts";

/** A balance and an hour each: about five milliseconds, during which charges wait. */
const ACCOUNTS_PER_SLICE_MAX = 500;
/** Read back from the journal in one transaction. */
const CHARGES_READ_MAX = 50_000;

/** The unwritten sums of the charges between two positions of the journal. */
interface UnwrittenSums {
  from: number;
  below: number;
  /** The last account written. */
  through: string;
  left: readonly AccountSum[];
}

/** On SQLite: each call is one transaction's worth, until nothing is left. */
export type RollUpSlice = (tx: Queries) => Promise<RolledUp>;

export function createSlicedRollup(tally: Tally, accountsMax = ACCOUNTS_PER_SLICE_MAX): RollUpSlice {
  let going: UnwrittenSums | null = null;
  return async (tx) => {
    const state = await ledgerState(tx);
    const slices = going && isAsLeft(state, going) ? going : begin(state, tally);
    // Until this one succeeds: after a failed transaction, the next one would not find the expected state.
    going = null;
    if (!slices) return rollUp(tx, { tally, chargesMax: CHARGES_READ_MAX });
    const accounts = slices.left.slice(0, accountsMax);
    const left = slices.left.slice(accountsMax);
    const through = accounts.at(-1)?.accountId ?? "";
    await writeSums(tx, accounts);
    await tx.run(
      left.length > 0
        ? sql`UPDATE ledger_state SET sliced_below = ${slices.below}, sliced_through = ${through}`
        : sql`UPDATE ledger_state SET rolled_below = ${slices.below}, sliced_below = 0, sliced_through = ''`,
    );
    if (left.length > 0) going = { ...slices, through, left };
    return { charges: accounts.reduce((sum, { calls }) => sum + calls, 0), more: left.length > 0 };
  };
}

/** Null when the tally lacks the sums, or when another process left slices behind: then the journal must be read. */
function begin(state: LedgerState, tally: Tally): UnwrittenSums | null {
  const sums = state.slicedThrough === "" ? tally.sumsFrom(state.rolledBelow, state) : null;
  if (!sums) return null;
  // From here on it sums later charges.
  tally.restart(state);
  return { from: state.rolledBelow, below: state.head + 1, through: "", left: sums.accounts() };
}

function isAsLeft({ rolledBelow, slicedBelow, slicedThrough }: LedgerState, sums: UnwrittenSums): boolean {
  return rolledBelow === sums.from && slicedBelow === sums.below && slicedThrough === sums.through;
}
