// Keys, identified by the SHA-256 of their secret: the secret itself never gets here.

import { countOf, insertMany, type Queries } from "../../../database/database.ts";
import { columnsOf, ownColumns } from "../../../database/rows.ts";
import { list, sql } from "../../../database/sql.ts";
import { ACCOUNT_PROPERTIES, ACCOUNTS, type Account, accountColumns, countChange } from "./accounts.ts";

const BLANK = {
  id: "",
  accountId: "",
  name: null as string | null,
  mode: "live" as "live" | "test",
  /** Its first and last characters, so that its owner can recognise it. */
  hint: "",
  /** The first key of a chain of replacements: the whole lineage shares one cap, and any rate set for it. */
  lineage: "",
  createdAt: 0,
  /** The credits that its owner allows it per month of the plan. */
  monthlyCap: null as number | null,
  /** Credits used of the cap in the month that began at capPeriodStart; tracked for capped keys only. */
  capUsed: 0,
  capPeriodStart: 0,
  /** The operator's override of the plan's rate. */
  requestsPerMinute: null as number | null,
  /** It stops working at this time: revoked, or replaced and past its overlap. */
  endsAt: null as number | null,
  /** Null although `endsAt` is set: the operator suspended it, and may resume it. */
  endedBy: null as "revoked" | "rotated" | null,
};

export type Key = typeof BLANK;

const COLUMNS = columnsOf(BLANK, "api_key");

export async function insertKey(tx: Queries, key: Key, secretHash: string): Promise<void> {
  await insertMany(tx, "api_key", [{ secretHash, ...ownColumns(COLUMNS, key) }]);
}

export interface KeyWithAccount {
  key: Key;
  account: Account;
}

const FROM_OWNERS = `FROM ${ACCOUNTS} JOIN api_key ON api_key.account_id = account.id`;
const OWNED = `SELECT ${COLUMNS.selected}, ${accountColumns("account.")} ${FROM_OWNERS}`;
const OWNED_BY_HASH = `SELECT api_key.secret_hash AS "secretHash", ${COLUMNS.selected}, ${accountColumns("account.")} ${FROM_OWNERS}`;

const OF_ACCOUNT = "account.";
const OWNER_COLUMNS = ACCOUNT_PROPERTIES.map((property) => [property, OF_ACCOUNT + property] as const);

function split(row: Record<string, unknown>): KeyWithAccount {
  const key: Record<string, unknown> = {};
  const account: Record<string, unknown> = {};
  for (const property of COLUMNS.properties) key[property] = row[property];
  for (const [property, column] of OWNER_COLUMNS) account[property] = row[column];
  return { key: key as unknown as Key, account: account as unknown as Account };
}

/** Keyed by the requested hash. */
export async function findKeysByHash(
  queries: Queries,
  secretHashes: readonly string[],
): Promise<Map<string, KeyWithAccount>> {
  const inList = list(secretHashes);
  const rows = await queries.all<Record<string, unknown> & { secretHash: string }>({
    text: `${OWNED_BY_HASH} WHERE api_key.secret_hash IN (${inList.text})`,
    values: inList.values,
  });
  return new Map(rows.map((row) => [row.secretHash, split(row)]));
}

export async function findKeys(queries: Queries, ids: readonly string[]): Promise<KeyWithAccount[]> {
  const inList = list(ids);
  const rows = await queries.all<Record<string, unknown>>({
    text: `${OWNED} WHERE api_key.id IN (${inList.text})`,
    values: inList.values,
  });
  return rows.map(split);
}

/** An account's keys, newest first. */
export function keysOfAccount(queries: Queries, accountId: string, limit: number): Promise<Key[]> {
  return queries.all<Key>({
    text: `SELECT ${COLUMNS.selected} FROM api_key WHERE account_id = ? ORDER BY created_at DESC, id LIMIT ?`,
    values: [accountId, limit],
  });
}

/** Every account's keys, newest first, for the operator. */
export async function allKeys(queries: Queries, limit: number): Promise<KeyWithAccount[]> {
  const rows = await queries.all<Record<string, unknown>>({
    text: `${OWNED} ORDER BY api_key.created_at DESC, api_key.id LIMIT ?`,
    values: [limit],
  });
  return rows.map(split);
}

/** Every account's keys in id order, after a given id: pages for the operator. */
export async function keysFrom(queries: Queries, after: string, limit: number): Promise<KeyWithAccount[]> {
  const rows = await queries.all<Record<string, unknown>>({
    text: `${OWNED} WHERE api_key.id > ? ORDER BY api_key.id LIMIT ?`,
    values: [after, limit],
  });
  return rows.map(split);
}

export function countWorkingKeys(queries: Queries, accountId: string, at: number): Promise<number> {
  return countOf(
    queries,
    sql`FROM api_key
        WHERE account_id = ${accountId} AND (ends_at IS NULL OR ends_at > ${at})`,
  );
}

/** Ends a key of this account, never later than it would have ended anyway. Returns whether it now ends sooner. */
export async function endKey(
  tx: Queries,
  key: { id: string; accountId: string },
  endsAt: number,
  endedBy: "revoked" | "rotated",
): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE api_key SET ends_at = ${endsAt}, ended_by = ${endedBy}
        WHERE id = ${key.id} AND account_id = ${key.accountId} AND (ended_by IS NULL OR ends_at > ${endsAt})`,
  );
  if (changed > 0) await countChange(tx);
  return changed > 0;
}

/** Suspends a key that has not ended, until `resumeKey`. Returns whether that changed anything. */
export async function suspendKey(tx: Queries, id: string, at: number): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE api_key SET ends_at = ${at} WHERE id = ${id} AND ended_by IS NULL AND ends_at IS NULL`,
  );
  if (changed > 0) await countChange(tx);
  return changed > 0;
}

/** A key that its owner revoked meanwhile stays revoked. */
export async function resumeKey(tx: Queries, id: string): Promise<boolean> {
  const changed = await tx.run(
    sql`UPDATE api_key SET ends_at = NULL WHERE id = ${id} AND ended_by IS NULL AND ends_at IS NOT NULL`,
  );
  if (changed > 0) await countChange(tx);
  return changed > 0;
}

/** Ends every key of an account that still works or is only suspended; returns their ids. */
export async function endAllKeys(tx: Queries, accountId: string, endsAt: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    sql`UPDATE api_key SET ends_at = ${endsAt}, ended_by = 'revoked'
        WHERE account_id = ${accountId} AND (ended_by IS NULL OR ends_at > ${endsAt}) RETURNING id`,
  );
  if (rows.length > 0) await countChange(tx);
  return rows.map(({ id }) => id);
}

export interface Cap {
  lineage: string;
  monthlyCap: number;
  /** What the lineage has used in the month that began at capPeriodStart. */
  capUsed: number;
  capPeriodStart: number;
}

/** The caps of these lineages. The caller has locked their account, so no one else changes them meanwhile. */
export function capsOf(tx: Queries, lineages: readonly string[]): Promise<Cap[]> {
  const inList = list(lineages);
  return tx.all<Cap>({
    text: `SELECT DISTINCT lineage, monthly_cap AS "monthlyCap", cap_used AS "capUsed",
             cap_period_start AS "capPeriodStart"
           FROM api_key WHERE lineage IN (${inList.text}) AND monthly_cap IS NOT NULL`,
    values: inList.values,
  });
}

/** All keys of a lineage carry the same figures, so any of them shows what is left. */
export async function updateCap(tx: Queries, cap: Cap): Promise<void> {
  await tx.run(
    sql`UPDATE api_key SET cap_used = ${cap.capUsed}, cap_period_start = ${cap.capPeriodStart}
        WHERE lineage = ${cap.lineage}`,
  );
}
