// Commits a batch to a store that may fail at any moment. Every attempt carries the same name, so
// that it is stored once; if the outcome stays unknown, its charges are recorded as doubtful before any caller gets an answer.
import type { Database } from "../../../database/database.ts";
import { StoreUnavailable } from "../../../database/errors.ts";
import { monthsOf } from "../../../database/partitions.ts";
import type { Clock } from "../../../kit/clock.ts";
import { rowsOfAccounts } from "../../store/money/accounts.ts";
import { chargesIn, storedRows } from "../../store/money/journal.ts";
import { JOURNAL } from "../../store/money/months.ts";
import { type BalanceBook, createBook } from "./book.ts";
import {
  type Batch,
  chargeAtOnce,
  chargeInOrder,
  idsOf,
  namesOf,
  newBatch,
  Repeated,
} from "./charge-batch.ts";
import { type ChargeOrder, type Decision, decide } from "./decide.ts";
import type { Reversals } from "./reversals.ts";
import type { Views } from "./views.ts";

export interface CommitParts {
  database: Database;
  clock: Clock;
  views: Views;
  reversals: Reversals;
  retryForMs: number;
  retryEveryMs: number;
}

/** Called for parts of the batch as they are decided. */
export type OnDecided = (orders: readonly ChargeOrder[], decision: Decision) => void;

export interface Commit {
  run(orders: readonly ChargeOrder[], answer: OnDecided): Promise<void>;
  /** Set where balances are in memory. */
  book: BalanceBook | null;
}

export function createCommit(parts: CommitParts): Commit {
  const { database, clock, views, reversals } = parts;
  const months = monthsOf(database, JOURNAL);
  const book = database.dialect === "sqlite" ? createBook() : null;

  const charge = async (batch: Batch, careful: boolean): Promise<Decision> => {
    if (!book) return database.write((tx) => chargeInOrder(tx, batch, careful));
    const outcome = await database.write((tx) => book.charge(tx, batch, careful), { flushAside: true });
    book.keep(outcome);
    return outcome.decision;
  };

  /** One attempt. Returns the remaining work, null when done. */
  const attempt = async (batch: Batch, careful: boolean, answer: OnDecided): Promise<Batch | null> => {
    if (!book) await months.ensure(namesOf(batch).map(({ at }) => at));
    if (database.dialect === "sqlite" || careful || batch.isRest) {
      answer(batch.orders, await charge(batch, careful));
      return null;
    }
    const done = await chargeAtOnce(database, batch, (id) => views.get(id)?.account);
    answer(done.orders, done.decision);
    return done.rest.length > 0 ? { ...newBatch(done.rest), isRest: true } : null;
  };

  /** The batch is stored: its orders are paid, the rest continues under another name. */
  const splitStored = async (batch: Batch, answer: OnDecided): Promise<Batch | null> => {
    const rows = await storedRows(database.read, namesOf(batch));
    const stored = new Set(rows.flatMap((row) => chargesIn(row).map(({ requestId }) => requestId)));
    const paid = batch.orders.filter((order) => stored.has(order.requestId));
    const accounts = await rowsOfAccounts(database.read, idsOf(paid));
    if (paid.length > 0) answer(paid, decide(paid, accounts, [], stored));
    const rest = batch.orders.filter((order) => !stored.has(order.requestId));
    return rest.length > 0 ? { ...newBatch(rest), isRest: true } : null;
  };

  return {
    book,
    async run(orders, answer) {
      const giveUpAt = clock.now() + parts.retryForMs;
      let batch: Batch | null = newBatch(orders);
      // Once an attempt may have been stored, each later one must check for it.
      let [careful, isStored] = [false, false];
      while (batch) {
        const tried: Batch = batch;
        try {
          batch = isStored ? await splitStored(tried, answer) : await attempt(tried, careful, answer);
          careful = isStored = false;
        } catch (error) {
          if (error instanceof Repeated) {
            isStored = true;
            continue;
          }
          const isAway = error instanceof StoreUnavailable;
          if (isAway && error.outcomeUnknown) {
            careful = true;
            book?.doubt();
          }
          if (!isAway || clock.now() >= giveUpAt) {
            // Recorded before the callers get their answer: a 503 stays free whatever happens to this process.
            if (careful || isStored) await reversals.add(doubtfulOf(tried));
            throw error;
          }
          await clock.sleep(parts.retryEveryMs);
        }
      }
    },
  };
}

function doubtfulOf(batch: Batch) {
  const names = namesOf(batch);
  return batch.orders.map(({ requestId, accountId, at }) => ({ requestId, accountId, at, batch: names }));
}
