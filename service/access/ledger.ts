// The ledger. A charge is on disk before its promise resolves, is made once for a request id, and is decided where
// the balance is held, so no number of nodes can spend a credit twice. Charges that come together share one
// transaction. When the store is away the answer is a typed refusal that costs nothing.
import { fault } from "../../contract/errors.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { lockAccounts, updateAccounts, updateBalances } from "../store/accounts.ts";
import type { Database, Queries } from "../store/database.ts";
import { StoreUnavailable } from "../store/errors.ts";
import { capsOf, updateCap } from "../store/keys.ts";
import { findCharges, insertCharges, insertEntries } from "../store/ledger.ts";
import { createReversals } from "./reversals.ts";
import { type ChargeOrder, type ChargeResult, type Settlement, settle } from "./settle.ts";
import type { Views } from "./views.ts";

export interface Ledger {
  /** Rejects with the `unavailable` fault when nothing was, or will stay, charged. */
  charge(order: ChargeOrder): Promise<ChargeResult>;
  /** How many charges wait. */
  waiting(): number;
  /** Commits what waits, then refuses. */
  close(): Promise<void>;
}

export interface LedgerParts {
  db: Database;
  clock: Clock;
  log: Log;
  views: Views;
  metrics?: { refused(): void; committed(charges: number): void };
  limits?: Partial<Record<keyof typeof LEDGER_LIMITS, number>>;
}

const LEDGER_LIMITS = {
  /** A transaction this size takes some ten milliseconds; more would make the first in it wait for the last. */
  batchAtMost: 1_000,
  /** Some seconds' work for one node; when this many wait the store is not keeping up, and refusing is kinder. */
  waitingAtMost: 20_000,
  /** On PostgreSQL a round trip is dear, so charges gather a little; on SQLite one turn of the event loop is enough. */
  gatherMs: 2,
  /** How long a batch outlasts a store that went away: a restart of PostgreSQL on the spot is shorter. */
  retryForMs: 2_000,
  retryEveryMs: 100,
} as const;

interface Waiting {
  order: ChargeOrder;
  resolve(result: ChargeResult): void;
  reject(problem: unknown): void;
}

export function createLedger(parts: LedgerParts): Ledger {
  const { db, clock, log, views } = parts;
  const limits = { ...LEDGER_LIMITS, ...parts.limits };
  const reversals = createReversals({ db, clock, log });
  let queue: Waiting[] = [];
  let scheduled = false;
  let flushing: Promise<void> | null = null;
  let closed = false;

  const schedule = () => {
    if (scheduled || flushing) return;
    scheduled = true;
    if (db.dialect === "sqlite") setImmediate(start);
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
    const batch = queue.length <= limits.batchAtMost ? queue : queue.slice(0, limits.batchAtMost);
    queue = batch === queue ? [] : queue.slice(limits.batchAtMost);
    try {
      const { results } = await commit(batch.map((waiting) => waiting.order));
      parts.metrics?.committed(batch.length);
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as ChargeResult);
    } catch (problem) {
      log.warn("charges could not be made", { charges: batch.length, problem });
      for (const waiting of batch) waiting.reject(unavailable());
    }
  };

  const commit = async (batch: ChargeOrder[]): Promise<Settlement> => {
    const giveUpAt = clock.now() + limits.retryForMs;
    // Once an attempt may have been stored, each later one must look for what it left.
    let careful = false;
    for (;;) {
      try {
        const settlement = await db.write((tx) => settleBatch(tx, batch, careful));
        for (const account of settlement.accounts.values()) views.learn(account, clock.now());
        return settlement;
      } catch (problem) {
        if (problem instanceof Repeated) {
          careful = true;
          continue;
        }
        if (!(problem instanceof StoreUnavailable)) throw problem;
        if (problem.outcomeUnknown) careful = true;
        if (clock.now() >= giveUpAt) {
          if (careful) reversals.add(batch);
          throw problem;
        }
        await clock.sleep(limits.retryEveryMs);
      }
    }
  };

  return {
    charge(order) {
      if (closed || queue.length >= limits.waitingAtMost) {
        parts.metrics?.refused();
        return Promise.reject(unavailable());
      }
      return new Promise((resolve, reject) => {
        queue.push({ order, resolve, reject });
        schedule();
      });
    },
    waiting: () => queue.length,
    async close() {
      closed = true;
      while (queue.length > 0 || flushing || scheduled) {
        await (flushing ?? new Promise<void>((resolve) => setTimeout(resolve, limits.gatherMs)));
      }
      await reversals.close();
    },
  };
}

export function unavailable() {
  return fault("unavailable", "The service can not settle this call right now. It cost nothing.");
}

/** Some charge of the batch was there before: the transaction is undone and done again with a look. */
class Repeated extends Error {}

async function settleBatch(
  tx: Queries,
  batch: readonly ChargeOrder[],
  careful: boolean,
): Promise<Settlement> {
  const accountIds = [...new Set(batch.map((order) => order.accountId))];
  const accounts = await lockAccounts(tx, accountIds);
  const lineages = new Set(batch.flatMap((order) => (order.capOf === null ? [] : [order.capOf])));
  const caps = lineages.size > 0 ? await capsOf(tx, [...lineages]) : [];
  let settlement = settle(batch, accounts, caps, careful ? await chargedBefore(tx, batch) : new Set());
  if (!careful) {
    // What can not be paid now may have been paid before.
    const refused = batch.filter((_, index) => settlement.results[index]?.refused !== null);
    const repeated = refused.length > 0 ? await chargedBefore(tx, refused) : null;
    if (repeated?.size) settlement = settle(batch, accounts, caps, repeated);
  }
  const changed = [...settlement.accounts.values()];
  // Sent together: on PostgreSQL they share a round trip.
  const [inserted] = await Promise.all([
    insertCharges(tx, settlement.accepted),
    updateBalances(
      tx,
      changed.filter((account) => !settlement.entries.has(account.id)),
    ),
    updateAccounts(
      tx,
      changed.filter((account) => settlement.entries.has(account.id)),
    ),
    ...[...settlement.caps.values()].map((cap) => updateCap(tx, cap)),
    ...[...settlement.entries].map(([accountId, entries]) => insertEntries(tx, accountId, entries)),
  ]);
  if (inserted !== settlement.accepted.length) throw new Repeated();
  return settlement;
}

async function chargedBefore(tx: Queries, orders: readonly ChargeOrder[]): Promise<Set<string>> {
  const ids = orders.map((order) => order.requestId);
  return new Set((await findCharges(tx, ids)).map((charge) => charge.requestId));
}
