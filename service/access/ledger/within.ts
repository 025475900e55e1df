// Charges that are part of a caller's transaction: they are made if, and only if, the work they pay for is committed.
// Work whose progress is stored is charged this way, and can't be charged twice after a crash.
import type { Database, Queries } from "../../../database/database.ts";
import { monthsOf } from "../../../database/partitions.ts";
import type { Clock } from "../../../kit/clock.ts";
import { JOURNAL } from "../../store/money/months.ts";
import type { BalanceBook, BookedBatch } from "./book.ts";
import { chargeInOrder, newBatch } from "./charge-batch.ts";
import type { ChargeOrder, ChargeResult, Decision } from "./decide.ts";
import type { Views } from "./views.ts";

/** The charges of a transaction; they count once it is committed. */
export interface ChargedWithin {
  /** One for each order, in the same order. */
  results: readonly ChargeResult[];
  decision: Decision;
  /** Set where balances are in memory. */
  outcome: BookedBatch | null;
}

export interface Within {
  /** Before the transaction: makes room for charges of this time. */
  prepare(at: number): Promise<void>;
  /** Decides and journals the orders. One that can't be paid is refused and leaves no trace. */
  charge(tx: Queries, orders: readonly ChargeOrder[]): Promise<ChargedWithin>;
  /** After the commit. */
  keep(charged: ChargedWithin): void;
}

export function createWithin(parts: {
  database: Database;
  clock: Clock;
  views: Views;
  book: BalanceBook | null;
  committed(charges: number): void;
}): Within {
  const { database, clock, views, book } = parts;
  const months = monthsOf(database, JOURNAL);
  return {
    async prepare(at) {
      if (!book) await months.ensure([at]);
    },
    async charge(tx, orders) {
      const batch = newBatch(orders);
      if (!book) {
        const decision = await chargeInOrder(tx, batch, false);
        return { results: decision.results, decision, outcome: null };
      }
      const outcome = await book.charge(tx, batch, false);
      return { results: outcome.decision.results, decision: outcome.decision, outcome };
    },
    keep({ decision, outcome }) {
      if (outcome) book?.keep(outcome);
      const now = clock.now();
      for (const account of decision.accounts.values()) views.learn(account, now);
      if (decision.accepted.length > 0) parts.committed(decision.accepted.length);
    },
  };
}
