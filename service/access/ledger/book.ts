// Balances in memory, for the process that owns a SQLite store: a batch then writes only its journal row, however many
// accounts it charges. The rollup updates the balance rows.
//
// It stays exact with other processes writing. In the transaction of each batch, where no one else can write, it reads two
// numbers: the version, which every grant, renewal and refund raises, and the journal's end, which another charging
// process moves. If either differs from the known one, the rollup brings the rows up to date and memory is reloaded.
import type { Queries } from "../../../database/database.ts";
import { type Account, findAccount, rowsOfAccounts } from "../../store/money/accounts.ts";
import { appendRows, rowsOf } from "../../store/money/journal.ts";
import { ledgerState, rollUp } from "../../store/money/rollup.ts";
import { createTally, type Tally } from "../../store/money/tally.ts";
import { type Batch, decideHeld, idsOf, Repeated, refuseRepeated } from "./charge-batch.ts";
import type { Decision } from "./decide.ts";

export interface BalanceBook {
  /** Part of a transaction. Its results count only after the commit: see `keep`. */
  charge(tx: Queries, batch: Batch, careful: boolean): Promise<BookedBatch>;
  /** After the commit. */
  keep(outcome: BookedBatch): void;
  /** After a commit whose outcome is unknown. */
  doubt(): void;
  /** An account as of the last commit; only charges that are not in memory are read. */
  find(queries: Queries, accountId: string): Promise<Account | null>;
  /** An account's row with the charges that the row does not include yet. */
  latest(row: Account): Account;
  tally: Tally;
}

export interface BookedBatch {
  decision: Decision;
  /** Whether memory is still valid. */
  isCurrent: boolean;
  accounts: Account[];
  version: number;
  head: number;
}

const NONE: ReadonlyMap<string, Account> = new Map();

/** Accounts with pending charges stay in memory; past this many, all are dropped at the next opportunity. */
const ACCOUNTS_MAX = 100_000;
const NOWHERE = -1;

export function createBook(): BalanceBook {
  let accounts = new Map<string, Account>();
  let version = NOWHERE;
  let head = NOWHERE;
  const tally = createTally();
  return {
    tally,
    async charge(tx, batch, careful) {
      const state = await ledgerState(tx);
      const isCurrent = state.version === version && state.head === head && accounts.size < ACCOUNTS_MAX;
      if (!isCurrent) await rollUp(tx, { tally });
      if (careful) await refuseRepeated(tx, batch);
      const { held, missing } = lookUp(idsOf(batch.orders), isCurrent ? accounts : NONE);
      const read = missing.length > 0 ? await rowsOfAccounts(tx, missing) : [];
      const { decision, renewed } = await decideHeld(tx, batch.orders, [...held, ...read]);
      const rows = decision.accepted.length > 0 ? rowsOf(batch.id, batch.orders, decision.accepted) : [];
      if (!(await appendRows(tx, rows))) throw new Repeated();
      if (rows.length > 0) {
        const end = { head: state.head + rows.length, batchId: batch.id };
        tally.note(state, end, decision.accepted);
      }
      return {
        decision,
        isCurrent,
        accounts: [...read, ...renewed, ...decision.accounts.values()],
        version: renewed[0]?.version ?? state.version,
        head: state.head + rows.length,
      };
    },
    keep(outcome) {
      // Of two that ended together the later one may be kept first, and the rows it started from include the earlier one.
      if (outcome.head < head) return;
      if (!outcome.isCurrent) accounts = new Map();
      ({ version, head } = outcome);
      for (const account of outcome.accounts) accounts.set(account.id, account);
    },
    doubt() {
      head = NOWHERE;
    },
    find(queries, accountId) {
      const account = accounts.get(accountId) ?? null;
      return findAccount(queries, accountId, head === NOWHERE ? null : { account, head, version });
    },
    latest(row) {
      const known = accounts.get(row.id);
      return known && known.version >= row.version ? known : row;
    },
  };
}

/** The cached accounts, and the ids of the others. */
function lookUp(ids: readonly string[], known: ReadonlyMap<string, Account>) {
  const [held, missing]: [Account[], string[]] = [[], []];
  for (const id of ids) {
    const account = known.get(id);
    if (account) held.push(account);
    else missing.push(id);
  }
  return { held, missing };
}
