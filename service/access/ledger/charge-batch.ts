// How a batch of charges becomes durable: lock the balances, decide in order of arrival, append to the journal, commit. On
// PostgreSQL that is several round trips, so accounts whose charges all fit are first charged by one statement; on SQLite
// balances are held in memory (book.ts). All paths give the same results and the same rows.

import type { Database, Queries } from "../../../database/database.ts";
import { freshUuid } from "../../../kit/ids.ts";
import {
  type Account,
  lockAccounts,
  rowsOfAccounts,
  updateAccounts,
  updateBalances,
} from "../../store/money/accounts.ts";
import { appendRows, type JournalRow, minuteOf, rowsOf, storedRows } from "../../store/money/journal.ts";
import { capsOf, updateCap } from "../../store/money/keys.ts";
import { insertEntries } from "../../store/money/ledger.ts";
import { type ChargedBalance, chargeFitting } from "../../store/money/ledger-batch.ts";
import { rollUp } from "../../store/money/rollup.ts";
import { type ChargeOrder, type Decision, decide } from "./decide.ts";
import { advance } from "./renewal.ts";

/** Orders under an idempotency name: stored once, no matter how many times they are sent. */
export interface Batch {
  id: string;
  orders: readonly ChargeOrder[];
  /** What the single statement left over: to be decided in order. */
  isRest?: boolean;
}

export function newBatch(orders: readonly ChargeOrder[]): Batch {
  return { id: freshUuid(), orders };
}

export function namesOf({ id, orders }: Batch): Pick<JournalRow, "at" | "batchId">[] {
  return rowsOf(id, orders, []).map(({ at, batchId }) => ({ at, batchId }));
}

/** The batch is stored: its orders were charged and must not be charged again. */
export class Repeated extends Error {}

/** Charges the orders of as many accounts as possible in one statement. The others are returned as `rest`. */
export async function chargeAtOnce(
  database: Database,
  { id, orders }: Batch,
  known: (accountId: string) => Account | undefined,
): Promise<{ orders: ChargeOrder[]; decision: Decision; rest: ChargeOrder[] }> {
  const simple = simpleOf(orders);
  // The name of this minute's row, the same in every attempt.
  const minute = minuteOf(simple[0]?.at ?? 0);
  const name = namesOf({ id, orders }).find(({ at }) => minuteOf(at) === minute);
  const charged = name && simple.length > 0 ? await chargeFitting(database, name, simple) : [];
  if (charged === null) throw new Repeated();
  const ids = new Set(charged.map(({ accountId }) => accountId));
  const done = simple.filter((order) => ids.has(order.accountId));
  const paid = new Set(done);
  const decision = await decidedBy(database, done, charged, known).catch((cause: unknown) => {
    // They are committed, so whatever has failed since, they are looked up rather than treated as uncharged.
    throw new Repeated("The charges were made, but not worked out again.", { cause });
  });
  return {
    orders: done,
    decision,
    rest: orders.filter((order) => !paid.has(order)),
  };
}

/** The statement's effect, recomputed from its starting point. */
async function decidedBy(
  database: Database,
  done: readonly ChargeOrder[],
  charged: readonly ChargedBalance[],
  known: (accountId: string) => Account | undefined,
): Promise<Decision> {
  const unknown = charged.filter(({ accountId, version }) => known(accountId)?.version !== version);
  const read = unknown.length > 0 ? await rowsOfAccounts(database.read, idsOf(unknown)) : [];
  const fresh = new Map(read.map((account) => [account.id, account]));
  const before = charged.map(({ accountId, ...balance }): Account => {
    const account = fresh.get(accountId) ?? known(accountId);
    if (!account) throw new Error("A charge names an account that does not exist.");
    return { ...account, ...balance };
  });
  return decide(done, before);
}

/** Orders of one minute, without accounts that have a cap or a repeated request: the others are decided in order. */
function simpleOf(orders: readonly ChargeOrder[]): ChargeOrder[] {
  const inOrder = new Set<string>();
  const seen = new Set<string>();
  const minute = minuteOf(orders[0]?.at ?? 0);
  for (const { accountId, capOf, requestId, at } of orders) {
    if (capOf !== null || seen.has(requestId) || minuteOf(at) !== minute) inOrder.add(accountId);
    seen.add(requestId);
  }
  return orders.filter((order) => !inOrder.has(order.accountId));
}

/** With `careful`, an attempt of this batch may have been stored; once the balances are locked, this is checked. */
export async function chargeInOrder(tx: Queries, batch: Batch, careful: boolean): Promise<Decision> {
  const held = await lockAccounts(tx, idsOf(batch.orders));
  if (careful) await refuseRepeated(tx, batch);
  const { decision } = await decideHeld(tx, batch.orders, held);
  const [isNew] = await Promise.all([
    appendRows(tx, rowsOf(batch.id, batch.orders, decision.accepted)),
    updateBalances(tx, [...decision.accounts.values()]),
  ]);
  if (!isNew) throw new Repeated();
  return decision;
}

export async function refuseRepeated(tx: Queries, batch: Batch): Promise<void> {
  if ((await storedRows(tx, namesOf(batch))).length > 0) throw new Repeated();
}

export interface HeldDecision {
  decision: Decision;
  /** Those renewed or expired, before this batch. */
  renewed: Account[];
}

/** Decides over locked balances; writes renewals, expiries and caps. */
export async function decideHeld(
  tx: Queries,
  orders: readonly ChargeOrder[],
  held: readonly Account[],
): Promise<HeldDecision> {
  const renewed = await renewDue(tx, orders, held);
  const current = new Map(renewed.map((account) => [account.id, account]));
  const lineages = new Set<string>();
  for (const { capOf } of orders) if (capOf !== null) lineages.add(capOf);
  const caps = lineages.size > 0 ? await capsOf(tx, [...lineages]) : [];
  const accounts = renewed.length === 0 ? held : held.map((account) => current.get(account.id) ?? account);
  const decision = decide(orders, accounts, caps);
  for (const cap of decision.caps.values()) await updateCap(tx, cap);
  return { decision, renewed };
}

/** Due renewals and expiries, up to the latest order of each account. */
async function renewDue(
  tx: Queries,
  orders: readonly ChargeOrder[],
  held: readonly Account[],
): Promise<Account[]> {
  const earliest = held.reduce((first, { nextChangeAt }) => Math.min(first, nextChangeAt), Number.MAX_VALUE);
  if (!orders.some(({ at }) => at >= earliest)) return [];
  const latest = new Map<string, number>();
  for (const { accountId, at } of orders) latest.set(accountId, Math.max(at, latest.get(accountId) ?? at));
  const changes = held.flatMap((account) => {
    const at = latest.get(account.id) ?? 0;
    return at >= account.nextChangeAt ? [advance(account, at)] : [];
  });
  if (changes.length === 0) return [];
  // Rows are about to be overwritten, so earlier charges must be in them.
  if (tx.dialect === "sqlite") await rollUp(tx);
  for (const { account, entries } of changes) await insertEntries(tx, account.id, entries);
  return updateAccounts(
    tx,
    changes.map(({ account }) => account),
  );
}

export function idsOf(orders: readonly { accountId: string }[]): string[] {
  return [...new Set(orders.map(({ accountId }) => accountId))];
}
