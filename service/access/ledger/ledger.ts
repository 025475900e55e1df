// The ledger. A charge is on disk before its promise resolves, is made once no matter how many times its commit is tried, and is decided where
// the balance is held, so no number of nodes can spend a credit twice. Charges that come together share one
// transaction. When the store is away the answer is a typed refusal that costs nothing.
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
   * The same for what `settle` makes of the result; what it throws, or a fault, becomes what `refuse` makes of that. Every
   * promise more would show in the cost of a metered read.
   */
  charge<T>(
    order: ChargeOrder,
    settle: (result: ChargeResult) => T,
    refuse?: (error: unknown) => MaybePromise<T>,
  ): Promise<T>;
  /** The account as it stands after the last commit; null if it does not exist. */
  account(accountId: string): Promise<Account | null>;
  /** The time for a charge made now: one for all that gather, because charges of one time are stored far cheaper. */
  moment(): number;
  /** Charges that are part of somebody else's transaction. */
  within: Within;
  /** How many charges wait. */
  waiting(): number;
  /** Commits what waits, then refuses. */
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
  /** A transaction this size takes some ten milliseconds; more would make the first in it wait for the last. */
  batchMax: 1_000,
  /** Some seconds' work for one node; when this many wait the store is not keeping up, and refusing is kinder. */
  waitingMax: 20_000,
  /** On PostgreSQL a round trip is dear, so charges gather a little; on SQLite one turn of the event loop is enough. */
  gatherMs: 2,
  /** How long a batch outlasts a store that went away: a restart of PostgreSQL on the spot is shorter. */
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

/** Those of a batch who were not answered yet. */
class Waiters {
  constructor(
    private waiting: WaitingCharge[],
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  count = (): number => this.waiting.length;

  /** Answers those that a decision is of, and keeps the others waiting. */
  answer = (orders: readonly ChargeOrder[], { results }: Decision): void => {
    const now = this.clock.now();
    // Orders keep the order of those who wait, so one look at each is enough.
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
