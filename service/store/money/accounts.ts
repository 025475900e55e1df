// Accounts: who owns keys, on which plan, with what left of each bucket. Balances change only through the ledger.
import type { Queries } from "../../../database/database.ts";
import { type Dialect, list, type SqlValue } from "../../../database/sql.ts";

export interface Account {
  id: string;
  email: string;
  plan: string;
  /** The moment whose day and time of day begin each month. */
  anchorAt: number;
  periodStart: number;
  periodEnd: number;
  /** When what was paid ends; null on a plan that costs nothing. */
  paidUntil: number | null;
  graceMs: number;
  /** Before this time a charge needs no look at months and plans. */
  nextChangeAt: number;
  monthlyRemaining: number;
  prepaidRemaining: number;
  resolutionsRemaining: number;
  createdAt: number;
}

/** One change of a balance that is not a charge. */
export interface LedgerEntry {
  kind: "month" | "expired" | "prepaid" | "refund" | "plan" | "plan-ended" | "carried" | "reversal";
  credits: number;
  resolutions: number;
  /** What it was for: each reference is applied once. Null for what time brings. */
  reference: string | null;
  at: number;
}

/** Column, property, and whether it is a whole number: every statement below is read off this table. */
const COLUMNS = [
  ["id", "id", false],
  ["email", "email", false],
  ["plan", "plan", false],
  ["anchor_at", "anchorAt", true],
  ["period_start", "periodStart", true],
  ["period_end", "periodEnd", true],
  ["paid_until", "paidUntil", true],
  ["grace_ms", "graceMs", true],
  ["next_change_at", "nextChangeAt", true],
  ["monthly_remaining", "monthlyRemaining", true],
  ["prepaid_remaining", "prepaidRemaining", true],
  ["resolutions_remaining", "resolutionsRemaining", true],
  ["created_at", "createdAt", true],
] as const satisfies readonly (readonly [string, keyof Account, boolean])[];

/** What a charge or a renewal may change; the rest is written once. */
const CHANGING = COLUMNS.filter(([, property]) => !["id", "email", "createdAt"].includes(property));
const BALANCES = COLUMNS.filter(([column]) => column.endsWith("_remaining"));

export function accountColumns(table: string, prefix = ""): string {
  return COLUMNS.map(([column, property]) => `${table}.${column} AS "${prefix}${property}"`).join(", ");
}

const SELECT = `SELECT ${accountColumns("account")} FROM account`;

export async function insertAccount(tx: Queries, account: Account): Promise<void> {
  const values = COLUMNS.map(([, property]) => account[property] as SqlValue);
  const names = COLUMNS.map(([column]) => column).join(", ");
  await tx.run({
    text: `INSERT INTO account (${names}) VALUES (${values.map(() => "?").join(", ")})`,
    values,
  });
}

export function findAccount(queries: Queries, id: string): Promise<Account | null> {
  return queries.one<Account>({ text: `${SELECT} WHERE id = ?`, values: [id] });
}

/** Addresses are not proof of ownership, so several accounts may share one. */
export function accountsOfEmail(queries: Queries, email: string): Promise<Account[]> {
  return queries.all<Account>({ text: `${SELECT} WHERE email = ? ORDER BY created_at, id`, values: [email] });
}

/** Reads accounts and holds them until the transaction ends; in one order everywhere, so that no two wait in a ring. */
export function lockAccounts(tx: Queries, ids: readonly string[]): Promise<Account[]> {
  const inList = list(ids);
  // SQLite has one writer at a time, which holds everything.
  const lock = tx.dialect === "postgres" ? " FOR UPDATE" : "";
  return tx.all<Account>({
    text: `${SELECT} WHERE id IN (${inList.text}) ORDER BY id${lock}`,
    values: inList.values,
  });
}

/**
 * PostgreSQL gains from every saved round trip, up to here; SQLite has none to save, and joining a list costs it more than
 * many plain statements. Each size is a prepared statement of its own.
 */
const UPDATED_A_STATEMENT: Record<Dialect, number> = { sqlite: 1, postgres: 64 };

/** Writes accounts that this transaction has locked, whole. */
export function updateAccounts(tx: Queries, accounts: readonly Account[]): Promise<void> {
  return update(tx, accounts, CHANGING);
}

/** The same where only charges changed them: fewer columns, on the path of every metered call. */
export function updateBalances(tx: Queries, accounts: readonly Account[]): Promise<void> {
  return update(tx, accounts, BALANCES);
}

type Columns = readonly (typeof COLUMNS)[number][];

async function update(tx: Queries, accounts: readonly Account[], columns: Columns): Promise<void> {
  const atOnce = UPDATED_A_STATEMENT[tx.dialect];
  for (let start = 0; start < accounts.length; start += atOnce) {
    const rows = padded(accounts.slice(start, start + atOnce));
    const values: SqlValue[] = [];
    for (const account of rows) {
      for (const [, property] of columns) values.push(account[property]);
      values.push(account.id);
    }
    await tx.run({ text: updateText(columns, rows.length), values });
  }
}

const texts = new Map<Columns, Map<number, string>>();

/** There are two sets of columns and seven sizes, so few texts are ever made. */
function updateText(columns: Columns, size: number): string {
  const bySize = texts.get(columns) ?? new Map<number, string>();
  texts.set(columns, bySize);
  let text = bySize.get(size);
  if (text === undefined) {
    text = size === 1 ? updateOne(columns) : updateMany(columns, size);
    bySize.set(size, text);
  }
  return text;
}

function updateOne(columns: Columns): string {
  return `UPDATE account SET ${columns.map(([column]) => `${column} = ?`).join(", ")} WHERE id = ?`;
}

function updateMany(columns: Columns, size: number): string {
  const assignments = columns.map(([column], index) => `${column} = changed.column${index + 1}`);
  // PostgreSQL types such a list by its text, so numbers say that they are.
  const row = `(${columns.map(([, , whole]) => (whole ? "CAST(? AS BIGINT)" : "?")).join(", ")}, ?)`;
  return `UPDATE account SET ${assignments.join(", ")}
    FROM (VALUES ${Array(size).fill(row).join(", ")}) AS changed
    WHERE account.id = changed.column${columns.length + 1}`;
}

/** Repeats the last row up to a power of two: the same row written twice is the same row. */
function padded<T>(rows: readonly T[]): T[] {
  let size = 1;
  while (size < rows.length) size *= 2;
  const last = rows[rows.length - 1];
  return last === undefined ? [] : [...rows, ...Array<T>(size - rows.length).fill(last)];
}
