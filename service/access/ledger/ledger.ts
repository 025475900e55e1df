// The ledger. A charge is on disk before its promise resolves, is made once no matter how many times its commit is tried, and is decided where
// the balance is locked, so no number of nodes can spend a credit twice. Concurrent charges share one
// transaction. When the store is unavailable the answer is a typed refusal that costs nothing.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Kit } from "../../../kit/kit.ts";
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import { type Account, findAccount } from "../../store/money/accounts.ts";
import { createCommit } from "./commit.ts";
import type { ChargeOrder, ChargeResult, Decision } from "./decide.ts";
import { createReversals } from "./reversals.ts";
import { createRollups } from "./rollups.ts";
import { unavailable } from "./unavailable.ts";
import type { Views } from "./views.ts";
import { createWithin, type Within } from "./within.ts";

export interface Ledger {
  /** Rejects with the `unavailable` fault when nothing was, or will stay, charged. */
  charge(order: ChargeOrder): Promise<ChargeResult>;
  /**
   * The same with the result mapped by `settle`, and errors from it or faults mapped by `refuse`. Every
   * extra promise would show in the cost of a metered read.
   */
  charge<T>(
    order: ChargeOrder,
    settle: (result: ChargeResult) => T,
    refuse?: (error: unknown) => MaybePromise<T>,
  ): Promise<T>;
  /** The account as of the last commit; null if it does not exist. */
  account(accountId: string): Promise<Account | null>;
  /** The time for a charge made now: shared by a whole batch, because charges with the same time are stored far more cheaply. */
  moment(): number;
  /** Charges that are part of a caller's transaction. */
  within: Within;
  /** How many charges are waiting. */
  waiting(): number;
  /** Commits waiting charges, then refuses new ones. */
  close(): Promise<void>;
}

export interface LedgerParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  views: Views;
  metrics?: { refused(): void; committed(charges: number): void };
  limits?: Partial<Record<keyof typeof LEDGER_LIMITS, number>>;
  /** Where charges in doubt outlive this process. */
  doubtfulFolder?: string | undefined;
}

const LEDGER_LIMITS = {
  /** A transaction this size takes some ten milliseconds; a larger one would make the first charge wait for the last. */
  batchMax: 1_000,
  /** Some seconds' work for one node; when this many wait the store can't keep up, and refusing is better. */
  waitingMax: 20_000,
  /** On PostgreSQL round trips are expensive, so charges are collected for a moment; on SQLite one turn of the event loop is enough. */
  gatherMs: 2,
  /** How long a batch survives a store outage: longer than an in-place restart of PostgreSQL. */
  retryForMs: 2_000,
  retryEveryMs: 100,
} as const;

/** A caller that waits for a charge. A class, so that its functions are not created for each. */
class WaitingCharge<T = unknown> {
  constructor(
    readonly order: ChargeOrder,
    private readonly use: (result: ChargeResult) => T,
    private readonly excuse: (error: unknown) => MaybePromise<T>,
    private readonly resolve: (value: MaybePromise<T>) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  settle(result: ChargeResult): void {
    try {
      this.resolve(this.use(result));
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error: unknown): void {
    try {
      this.resolve(this.excuse(error));
    } catch (unanswered) {
      this.reject(unanswered);
    }
  }
}

export function createLedger(parts: LedgerParts): Ledger {
  const { database, clock, log, views } = parts;
  const limits = { ...LEDGER_LIMITS, ...parts.limits };
  const reversals = createReversals({ database, clock, log, doubtfulFolder: parts.doubtfulFolder });
  const commit = createCommit({ database, clock, views, reversals, ...limits });
  const rollups = createRollups({ database, clock, log, tally: commit.book?.tally ?? null });
  if (commit.book) views.correctBy(commit.book.latest);
  const committed = (charges: number) => {
    rollups.note(charges);
    parts.metrics?.committed(charges);
  };
  const within = createWithin({ database, clock, views, book: commit.book, committed });
  let queue: WaitingCharge[] = [];
  let gatheringSince = 0;
  let scheduled = false;
  let flushing: Promise<void> | null = null;
  let closed = false;

  const schedule = () => {
    if (scheduled || flushing) return;
    scheduled = true;
    if (database.dialect === "sqlite") setImmediate(start);
    else setTimeout(start, limits.gatherMs);
  };
  const start = () => {
    scheduled = false;
    flushing = flush().finally(() => {
      flushing = null;
      if (queue.length > 0) schedule();
    });
  };
  const flush = async () => {
    const batch = queue.length <= limits.batchMax ? queue : queue.slice(0, limits.batchMax);
    queue = batch === queue ? [] : queue.slice(limits.batchMax);
    const waiting = new Waiters(batch, views, clock);
    try {
      await commit.run(
        batch.map(({ order }) => order),
        waiting.answer,
      );
      committed(batch.length);
    } catch (error) {
      log.warn("charges could not be made", { charges: waiting.count(), error });
      waiting.refuse(unavailable);
    }
  };

  return {
    charge<T>(
      order: ChargeOrder,
      settle: (result: ChargeResult) => T = itself,
      refuse: (error: unknown) => MaybePromise<T> = thrown,
    ): Promise<T> {
      if (closed || queue.length >= limits.waitingMax) {
        parts.metrics?.refused();
        return Promise.resolve(unavailable()).then(refuse);
      }
      return new Promise<T>((resolve, reject) => {
        queue.push(new WaitingCharge(order, settle, refuse, resolve, reject) as WaitingCharge);
        schedule();
      });
    },
    moment() {
      if (queue.length === 0) gatheringSince = clock.now();
      return gatheringSince;
    },
    account: (accountId) =>
      commit.book ? commit.book.find(database.read, accountId) : findAccount(database.read, accountId),
    within,
    waiting: () => queue.length,
    async close() {
      closed = true;
      while (queue.length > 0 || flushing || scheduled) {
        await (flushing ?? new Promise<void>((resolve) => setTimeout(resolve, limits.gatherMs)));
      }
      await reversals.close();
      await rollups.close();
    },
  };
}

const itself = <T>(result: ChargeResult): T => result as T;

const thrown = (error: unknown): never => {
  throw error;
};

/** Callers in a batch that have no answer yet. */
class Waiters {
  constructor(
    private waiting: WaitingCharge[],
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  count = (): number => this.waiting.length;

  /** Answers the callers that have a decision and keeps the others waiting. */
  answer = (orders: readonly ChargeOrder[], { results }: Decision): void => {
    const now = this.clock.now();
    // Orders are in the same order as the waiting callers, so one pass is enough.
    let index = 0;
    const left: WaitingCharge[] = [];
    for (const one of this.waiting) {
      const result = one.order === orders[index] ? results[index++] : undefined;
      if (!result) {
        left.push(one);
        continue;
      }
      const { view } = one.order;
      if (view) this.views.see(view, result.account, now);
      else this.views.learn(result.account, now);
      one.settle(result);
    }
    this.waiting = left;
  };

  refuse(fault: () => unknown): void {
    for (const one of this.waiting) one.refuse(fault());
  }
}
