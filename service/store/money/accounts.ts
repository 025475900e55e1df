// Accounts: who owns keys, on which plan, and what remains in each bucket. Balances change only through the ledger.
//
// On PostgreSQL a balance's row is exact at every commit. On SQLite it is exact as of the rollup's position, and later
// charges must be subtracted: `findAccount` and `lockAccounts` do so, so that all processes, such as the one that charges
// and a concurrent operator's command, see and change exact balances.
import type { Queries } from "../../../database/database.ts";
import { type Dialect, list, raw, type SqlValue, sql } from "../../../database/sql.ts";
import { chargesIn, rowsFrom } from "./journal.ts";
import { rolledBelowOf, rollUp } from "./rollup.ts";

export interface Account {
  id: string;
  email: string;
  plan: string;
  /** The moment whose day and time of day begin each month. */
  anchorAt: number;
  periodStart: number;
  periodEnd: number;
  /** When the paid time ends; null on a free plan. */
  paidUntil: number | null;
  graceMs: number;
  /** Before this time a charge needs no check of months and plans. */
  nextChangeAt: number;
  monthlyRemaining: number;
  prepaidRemaining: number;
  resolutionsRemaining: number;
  createdAt: number;
  /** Incremented by every change except charges, so that the holder of a cached balance knows whether it is outdated. */
  version: number;
}

export const remainingOf = ({ monthlyRemaining, prepaidRemaining }: Account): number =>
  monthlyRemaining + prepaidRemaining;

/** One change of a balance that is not a charge. */
export interface LedgerEntry {
  kind: "month" | "expired" | "prepaid" | "refund" | "plan" | "plan-ended" | "carried" | "reversal";
  credits: number;
  resolutions: number;
  /** What it was for: each reference is applied once. Null for time-driven entries. */
  reference: string | null;
  at: number;
}

/** Column, property, and whether it is an integer: every statement below is generated from these tables. */
const OWN = [
  ["id", "id", false],
  ["email", "email", false],
  ["plan", "plan", false],
  ["anchor_at", "anchorAt", true],
  ["period_start", "periodStart", true],
  ["period_end", "periodEnd", true],
  ["paid_until", "paidUntil", true],
  ["grace_ms", "graceMs", true],
  ["created_at", "createdAt", true],
] as const satisfies readonly AccountColumn[];
const BALANCE = [
  ["next_change_at", "nextChangeAt", true],
  ["monthly_remaining", "monthlyRemaining", true],
  ["prepaid_remaining", "prepaidRemaining", true],
  ["resolutions_remaining", "resolutionsRemaining", true],
  ["version", "version", true],
] as const satisfies readonly AccountColumn[];

type AccountColumn = readonly [column: string, property: keyof Account, whole: boolean];
type Columns = readonly AccountColumn[];

const CHARGED = BALANCE.filter(([column]) => column.endsWith("_remaining"));
/** Columns that a renewal or a payment may change; the rest is written once. */
const CHANGING = OWN.filter(([, property]) => !["id", "email", "createdAt"].includes(property));

export const ACCOUNT_PROPERTIES = [...OWN, ...BALANCE].map(([, property]) => property);

export function accountColumns(prefix = ""): string {
  const named = (table: string, columns: Columns) =>
    columns.map(([column, property]) => `${table}.${column} AS "${prefix}${property}"`);
  return [...named("account", OWN), ...named("balance", BALANCE)].join(", ");
}

export const ACCOUNTS = "account JOIN balance ON balance.account_id = account.id";

const SELECT = `SELECT ${accountColumns()} FROM ${ACCOUNTS}`;

export async function insertAccount(tx: Queries, account: Account): Promise<void> {
  await insert(tx, "account", OWN, account, []);
  await insert(tx, "balance", BALANCE, account, [["account_id", account.id]]);
}

async function insert(
  tx: Queries,
  table: string,
  columns: Columns,
  account: Account,
  more: readonly (readonly [string, SqlValue])[],
): Promise<void> {
  const values = [
    ...columns.map(([, property]) => account[property] as SqlValue),
    ...more.map(([, value]) => value),
  ];
  const names = [...columns, ...more].map(([column]) => column).join(", ");
  await tx.run({
    text: `INSERT INTO ${table} (${names}) VALUES (${values.map(() => "?").join(", ")})`,
    values,
  });
}

/** A concurrent change makes one more look necessary; this many in a row do not happen. */
const LOOKS_MAX = 5;

/** An account as held by a process that keeps balances in memory, on SQLite. */
export interface HeldBalance {
  /** Null when its row has all charges up to `head`. */
  account: Account | null;
  /** The last journal row that it includes. */
  head: number;
  /** The ledger's version, see `countChange`: if it has changed, all of this is stale. */
  version: number;
}

/**
 * As of the last commit. Without `held`, it reads through every charge that was not rolled up: some milliseconds of
 * the thread when there are many.
 */
export async function findAccount(
  queries: Queries,
  id: string,
  held: HeldBalance | null = null,
): Promise<Account | null> {
  if (queries.dialect === "postgres")
    return queries.one<Account>({ text: `${SELECT} WHERE id = ?`, values: [id] });
  for (let look = 1; ; look++) {
    const found = await queries.one<Account & { rolledBelow: number; ledgerVersion: number }>(
      sql`SELECT ${raw(accountColumns())}, ${rolledBelowOf(raw("account.id"))} AS "rolledBelow",
            ledger_state.version AS "ledgerVersion"
          FROM ${raw(ACCOUNTS)} CROSS JOIN ledger_state WHERE account.id = ${id}`,
    );
    if (!found) return null;
    const { rolledBelow, ledgerVersion, ...stored } = found;
    const known = held?.version === ledgerVersion ? held : null;
    const account = known?.account ? { ...known.account } : stored;
    const next = (known?.head ?? 0) + 1;
    const from = known?.account ? next : Math.max(rolledBelow, next);
    for await (const row of rowsFrom(queries, from, JSON.stringify(id))) {
      for (const charge of chargesIn(row)) if (charge.accountId === id) takeOff(account, charge);
    }
    const now = await queries.one<{ version: number }>(
      sql`SELECT version FROM balance WHERE account_id = ${id}`,
    );
    if (now?.version === account.version || look === LOOKS_MAX) return account;
  }
}

/** Monthly credits first, because they would expire; then prepaid ones. */
export function takeOff(account: Account, charge: { credits: number; resolutions: number }): void {
  const fromMonthly = Math.min(account.monthlyRemaining, charge.credits);
  account.monthlyRemaining -= fromMonthly;
  account.prepaidRemaining -= charge.credits - fromMonthly;
  account.resolutionsRemaining -= charge.resolutions;
}

/** Addresses are not proof of ownership, so several accounts may share one. */
export function accountsOfEmail(queries: Queries, email: string): Promise<Account[]> {
  return queries.all<Account>({ text: `${SELECT} WHERE email = ? ORDER BY created_at, id`, values: [email] });
}

/** The stored rows in id order, after a given id: pages for the operator. */
export function accountsFrom(queries: Queries, after: string, limit: number): Promise<Account[]> {
  return queries.all<Account>({
    text: `${SELECT} WHERE account.id > ? ORDER BY account.id LIMIT ?`,
    values: [after, limit],
  });
}

/** Reads accounts and locks them until the transaction ends; in the same order everywhere, which prevents deadlocks. */
export async function lockAccounts(tx: Queries, ids: readonly string[]): Promise<Account[]> {
  // SQLite has one writer at a time, which locks everything.
  if (tx.dialect === "sqlite") await rollUp(tx);
  return rowsOfAccounts(tx, ids, tx.dialect === "postgres" ? " FOR UPDATE OF balance" : "");
}

/** The stored rows. On SQLite these exclude charges that were not rolled up. */
export function rowsOfAccounts(tx: Queries, ids: readonly string[], lock = ""): Promise<Account[]> {
  const inList = list(ids);
  return tx.all<Account>({
    text: `${SELECT} WHERE account.id IN (${inList.text}) ORDER BY account.id${lock}`,
    values: inList.values,
  });
}

/** Writes complete accounts that this transaction has locked, under a new version. */
export async function updateAccounts(tx: Queries, accounts: readonly Account[]): Promise<Account[]> {
  if (accounts.length === 0) return [];
  const version = await countChange(tx);
  const changed = accounts.map((account) => ({ ...account, version: version ?? account.version + 1 }));
  await update(tx, "account", "id", changed, CHANGING);
  await update(tx, "balance", "account_id", changed, BALANCE);
  return changed;
}

/**
 * One number for all accounts and their keys, on SQLite: the process that holds balances in memory reads it with every
 * batch, and once a second to check whether its cached keys are still current.
 */
export async function countChange(tx: Queries): Promise<number | null> {
  if (tx.dialect === "postgres") return null;
  await tx.run(sql`UPDATE ledger_state SET version = version + 1 WHERE id = 1`);
  return changesSoFar(tx);
}

export async function changesSoFar(queries: Queries): Promise<number> {
  const state = await queries.one<{ version: number }>(sql`SELECT version FROM ledger_state WHERE id = 1`);
  return state?.version ?? 0;
}

/** The same after charges only: one narrow row each, on the path of metered calls. */
export function updateBalances(tx: Queries, accounts: readonly Account[]): Promise<void> {
  return update(tx, "balance", "account_id", accounts, CHARGED);
}

/**
 * PostgreSQL gains from every saved round trip, up to here; SQLite has no round trips, and joining a list costs it more
 * than many plain statements. Each size is a separate prepared statement.
 */
const UPDATED_PER_STATEMENT_MAX: Record<Dialect, number> = { sqlite: 1, postgres: 64 };

async function update(
  tx: Queries,
  table: string,
  key: string,
  accounts: readonly Account[],
  columns: Columns,
): Promise<void> {
  const max = UPDATED_PER_STATEMENT_MAX[tx.dialect];
  for (let start = 0; start < accounts.length; start += max) {
    const rows = padded(accounts.slice(start, start + max));
    const values: SqlValue[] = [];
    for (const account of rows) {
      for (const [, property] of columns) values.push(account[property]);
      values.push(account.id);
    }
    await tx.run({ text: updateText(table, key, columns, rows.length), values });
  }
}

const texts = new Map<string, string>();

/** There are three sets of columns and seven sizes, so few texts are ever built. */
function updateText(table: string, key: string, columns: Columns, size: number): string {
  const name = `${table} ${columns.length} ${size}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = size === 1 ? updateOne(table, key, columns) : updateMany(table, key, columns, size);
    texts.set(name, text);
  }
  return text;
}

function updateOne(table: string, key: string, columns: Columns): string {
  return `UPDATE ${table} SET ${columns.map(([column]) => `${column} = ?`).join(", ")} WHERE ${key} = ?`;
}

function updateMany(table: string, key: string, columns: Columns, size: number): string {
  const assignments = columns.map(([column], index) => `${column} = changed.column${index + 1}`);
  // PostgreSQL treats values in such a list as text, so numbers need a cast.
  const row = `(${columns.map(([, , whole]) => (whole ? "CAST(? AS BIGINT)" : "?")).join(", ")}, ?)`;
  return `UPDATE ${table} SET ${assignments.join(", ")}
    FROM (VALUES ${Array(size).fill(row).join(", ")}) AS changed
    WHERE ${table}.${key} = changed.column${columns.length + 1}`;
}

/** Pads to a power of two by repeating the last row: writing the same row twice changes nothing. */
function padded<T>(rows: readonly T[]): T[] {
  let size = 1;
  while (size < rows.length) size *= 2;
  const last = rows[rows.length - 1];
  return last === undefined ? [] : [...rows, ...Array<T>(size - rows.length).fill(last)];
}
