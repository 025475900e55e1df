// How a batch of charges becomes durable. In general: lock the accounts, decide in order of arrival, write, commit. On
// PostgreSQL that is several round trips, so accounts whose charges all fit are settled by one statement before; both
// ways give the same results and leave the same rows.

import type { Database, Queries } from "../../../database/database.ts";
import { lockAccounts, updateAccounts, updateBalances } from "../../store/money/accounts.ts";
import { capsOf, updateCap } from "../../store/money/keys.ts";
import { findCharges, insertCharges, insertEntries } from "../../store/money/ledger.ts";
import { chargeFitting } from "../../store/money/ledger-batch.ts";
import { type ChargeOrder, type Decision, decide } from "./decide.ts";

/** Settles the orders of every account it can in one statement. The others are left as they are: `rest`. */
export async function chargeAtOnce(
  db: Database,
  batch: readonly ChargeOrder[],
): Promise<{ orders: ChargeOrder[]; decision: Decision; rest: ChargeOrder[] }> {
  // Accounts with a cap to look at, or with a request twice, are decided in order.
  const inOrder = new Set<string>();
  const seen = new Set<string>();
  for (const { accountId, capOf, requestId } of batch) {
    if (capOf !== null || seen.has(requestId)) inOrder.add(accountId);
    seen.add(requestId);
  }
  const simple = batch.filter((order) => !inOrder.has(order.accountId));
  const settled = simple.length > 0 ? await chargeFitting(db, simple) : [];
  const ids = new Set(settled.map(({ account }) => account.id));
  const orders = batch.filter((order) => ids.has(order.accountId));
  const accounts = settled.map(({ account }) => account);
  const repeated = new Set(settled.flatMap((one) => one.repeated));
  return {
    orders,
    // What the statement did, worked out again from where it began.
    decision: decide(orders, accounts, [], repeated),
    rest: batch.filter((order) => !ids.has(order.accountId)),
  };
}

/** Some charge of the batch was there before: the transaction is undone and done again with a look. */
export class Repeated extends Error {}

/** With `careful`, charges that are stored already are looked for first. */
export async function chargeInOrder(
  tx: Queries,
  batch: readonly ChargeOrder[],
  careful: boolean,
): Promise<Decision> {
  const accountIds = [...new Set(batch.map((order) => order.accountId))];
  const accounts = await lockAccounts(tx, accountIds);
  const lineages = new Set<string>();
  for (const { capOf } of batch) if (capOf !== null) lineages.add(capOf);
  const caps = lineages.size > 0 ? await capsOf(tx, [...lineages]) : [];
  let decision = decide(batch, accounts, caps, careful ? await chargedBefore(tx, batch) : new Set());
  if (!careful) {
    // What can not be paid now may have been paid before.
    const refused = batch.filter((_, index) => decision.results[index]?.refused !== null);
    const repeated = refused.length > 0 ? await chargedBefore(tx, refused) : null;
    if (repeated?.size) decision = decide(batch, accounts, caps, repeated);
  }
  const changed = [...decision.accounts.values()];
  // Sent together: on PostgreSQL they share a round trip.
  const [inserted] = await Promise.all([
    insertCharges(tx, decision.accepted),
    updateBalances(
      tx,
      changed.filter((account) => !decision.entries.has(account.id)),
    ),
    updateAccounts(
      tx,
      changed.filter((account) => decision.entries.has(account.id)),
    ),
    ...[...decision.caps.values()].map((cap) => updateCap(tx, cap)),
    ...[...decision.entries].map(([accountId, entries]) => insertEntries(tx, accountId, entries)),
  ]);
  if (inserted !== decision.accepted.length) throw new Repeated();
  return decision;
}

async function chargedBefore(tx: Queries, orders: readonly ChargeOrder[]): Promise<Set<string>> {
  return new Set((await findCharges(tx, orders)).map((charge) => charge.requestId));
}
