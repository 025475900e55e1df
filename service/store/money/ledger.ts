// The ledger's rows: one charge for each request that cost something, one entry for each other change of a balance.
// Entries less charges (those kept and those rolled up) are the balance; `imbalances` names where they are not.

import { insertMany, type Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { LedgerEntry } from "./accounts.ts";

export interface Charge {
  requestId: string;
  accountId: string;
  keyId: string;
  routeId: string;
  credits: number;
  resolutions: number;
  at: number;
}

const CHARGE_COLUMNS = [
  "request_id",
  "account_id",
  "key_id",
  "route_id",
  "credits",
  "resolutions",
  "at",
] as const;

/** Charges of one account, key, route, cost and millisecond: below this many, a statement of their own is dearer. */
const ALIKE_AT_LEAST = 4;

/** Returns how many were new: a charge that is stored already is left as it is. */
export async function insertCharges(tx: Queries, charges: readonly Charge[]): Promise<number> {
  const alike = tx.dialect === "sqlite" ? groupsOf(charges) : [charges];
  const others: Charge[] = [];
  let inserted = 0;
  for (const group of alike) {
    const first = group[0];
    if (first && tx.dialect === "sqlite" && group.length >= ALIKE_AT_LEAST) {
      inserted += await insertAlike(tx, first, group);
    } else {
      others.push(...group);
    }
  }
  return (
    inserted +
    (await insertMany(
      tx,
      "charge",
      CHARGE_COLUMNS,
      others.map((c) => [c.requestId, c.accountId, c.keyId, c.routeId, c.credits, c.resolutions, c.at]),
      "ON CONFLICT DO NOTHING",
    ))
  );
}

const INSERT_ALIKE = `INSERT INTO charge (request_id, account_id, key_id, route_id, credits, resolutions, at)
  SELECT value, ?, ?, ?, ?, ?, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

/** A busy key's charges differ in their ids alone, and SQLite takes a list of ids far faster than rows. */
function insertAlike(tx: Queries, first: Charge, group: readonly Charge[]): Promise<number> {
  const { accountId, keyId, routeId, credits, resolutions, at } = first;
  const ids = JSON.stringify(group.map((charge) => charge.requestId));
  return tx.run({ text: INSERT_ALIKE, values: [accountId, keyId, routeId, credits, resolutions, at, ids] });
}

/** A charge is held against this many groups of its key before it begins one of its own: the routes of a busy moment. */
const GROUPS_LOOKED_AT = 4;

function groupsOf(charges: readonly Charge[]): Charge[][] {
  const groups: Charge[][] = [];
  const byKey = new Map<string, [Charge, ...Charge[]][]>();
  for (const charge of charges) {
    const own = byKey.get(charge.keyId) ?? [];
    const group = own.find(([first]) => isAlike(first, charge));
    if (group) {
      group.push(charge);
      continue;
    }
    const fresh: [Charge] = [charge];
    groups.push(fresh);
    byKey.set(charge.keyId, [fresh, ...own.slice(0, GROUPS_LOOKED_AT - 1)]);
  }
  return groups;
}

function isAlike(a: Charge, b: Charge): boolean {
  return (
    a.at === b.at &&
    a.keyId === b.keyId &&
    a.routeId === b.routeId &&
    a.credits === b.credits &&
    a.resolutions === b.resolutions &&
    a.accountId === b.accountId
  );
}

const SELECT_CHARGE = `SELECT request_id AS "requestId", account_id AS "accountId", key_id AS "keyId",
  route_id AS "routeId", credits, resolutions, at FROM charge`;

/** What tells a charge from all others. Its request id is made in the same moment as its time. */
export type ChargeName = Pick<Charge, "accountId" | "at" | "requestId">;

/** Which of these are stored. */
export function findCharges(queries: Queries, names: readonly ChargeName[]): Promise<Charge[]> {
  if (names.length === 0) return Promise.resolve([]);
  // PostgreSQL can not tell that a list's second place is a number.
  const rows = names.map(() => "(?, CAST(? AS BIGINT), ?)").join(",");
  return queries.all<Charge>({
    text: `${SELECT_CHARGE} WHERE (account_id, at, request_id) IN (VALUES ${rows})`,
    values: names.flatMap(({ accountId, at, requestId }) => [accountId, at, requestId]),
  });
}

/** An account's charges, newest first, strictly before the given place. */
export function chargesOfAccount(
  queries: Queries,
  accountId: string,
  before: { at: number; requestId: string },
  limit: number,
): Promise<Charge[]> {
  return queries.all<Charge>({
    text: `${SELECT_CHARGE} WHERE account_id = ? AND (at, request_id) < (?, ?)
           ORDER BY at DESC, request_id DESC LIMIT ?`,
    values: [accountId, before.at, before.requestId, limit],
  });
}

export async function insertEntries(
  tx: Queries,
  accountId: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await insertMany(
    tx,
    "ledger_entry",
    ["account_id", "kind", "credits", "resolutions", "reference", "at"],
    entries.map((entry) => [
      accountId,
      entry.kind,
      entry.credits,
      entry.resolutions,
      entry.reference,
      entry.at,
    ]),
  );
}

export function findEntry(
  queries: Queries,
  reference: string,
): Promise<(LedgerEntry & { accountId: string }) | null> {
  return queries.one(
    sql`SELECT account_id AS "accountId", kind, credits, resolutions, reference, at
        FROM ledger_entry WHERE reference = ${reference}`,
  );
}

export function entriesOfAccount(queries: Queries, accountId: string, limit: number): Promise<LedgerEntry[]> {
  return queries.all<LedgerEntry>(
    sql`SELECT kind, credits, resolutions, reference, at FROM ledger_entry
        WHERE account_id = ${accountId} ORDER BY at DESC, id DESC LIMIT ${limit}`,
  );
}

export interface Imbalance {
  accountId: string;
  credits: { balance: number; entries: number; charged: number };
  resolutions: { balance: number; entries: number; charged: number };
}

/** Accounts whose balance is not their entries less their charges. Reads everything: for tests and `doctor`. */
export async function imbalances(queries: Queries): Promise<Imbalance[]> {
  const rows = await queries.all<Record<string, number | string>>(
    sql`SELECT account.id AS id,
          account.monthly_remaining + account.prepaid_remaining AS balance,
          account.resolutions_remaining AS resolutions,
          CAST(COALESCE(given.credits, 0) AS BIGINT) AS given_credits,
          CAST(COALESCE(given.resolutions, 0) AS BIGINT) AS given_resolutions,
          CAST(COALESCE(recent.credits, 0) + COALESCE(older.credits, 0) AS BIGINT) AS charged_credits,
          CAST(COALESCE(recent.resolutions, 0) + COALESCE(older.resolutions, 0) AS BIGINT) AS charged_resolutions
        FROM account
        LEFT JOIN (SELECT account_id, SUM(credits) AS credits, SUM(resolutions) AS resolutions
          FROM ledger_entry GROUP BY account_id) AS given ON given.account_id = account.id
        LEFT JOIN (SELECT account_id, SUM(credits) AS credits, SUM(resolutions) AS resolutions
          FROM charge GROUP BY account_id) AS recent ON recent.account_id = account.id
        LEFT JOIN (SELECT account_id, SUM(credits) AS credits, SUM(resolutions) AS resolutions
          FROM usage_day GROUP BY account_id) AS older ON older.account_id = account.id
        WHERE account.monthly_remaining + account.prepaid_remaining
            <> COALESCE(given.credits, 0) - COALESCE(recent.credits, 0) - COALESCE(older.credits, 0)
          OR account.resolutions_remaining
            <> COALESCE(given.resolutions, 0) - COALESCE(recent.resolutions, 0) - COALESCE(older.resolutions, 0)`,
  );
  return rows.map((row) => ({
    accountId: String(row.id),
    credits: {
      balance: Number(row.balance),
      entries: Number(row.given_credits),
      charged: Number(row.charged_credits),
    },
    resolutions: {
      balance: Number(row.resolutions),
      entries: Number(row.given_resolutions),
      charged: Number(row.charged_resolutions),
    },
  }));
}
