// Webhooks: an endpoint, its owner, its filter, and its position. Owners change settings under a new revision of its
// shard; the delivering node changes the state of rows that it holds.
import type { Queries } from "../../../database/database.ts";
import { columnsOf, insertRow } from "../../../database/rows.ts";
import { list, raw, sql } from "../../../database/sql.ts";
import { nextRevision } from "./webhook-shards.ts";

const BLANK = {
  id: "",
  shard: 0,
  accountId: "",
  keyId: "",
  /** The key lineage whose cap its charges count against. */
  capOf: null as string | null,
  name: null as string | null,
  url: "",
  format: "json" as "json" | "discord" | "telegram",
  chatId: null as string | null,
  batch: 0,
  /** The filter as its owner wrote it, and its compiled form; JSON. */
  filters: "",
  filter: "",
  secret: "",
  oldSecret: null as string | null,
  oldSecretUntil: null as number | null,
  status: "active" as "active" | "paused" | "deleted",
  /** Null while paused: the operator paused it, and only the operator can resume it. */
  pausedBecause: null as "owner" | "gone" | "failing" | null,
  waitingFor: null as "credits" | "plan" | null,
  epoch: "",
  /** Everything that matches up to here was delivered. */
  position: 0,
  /** After a failure: where the request to retry ends. */
  pendingTo: null as number | null,
  /** Lost events not reported yet; JSON. */
  gap: null as string | null,
  delivered: 0,
  /** How many hundreds of events were paid for. */
  paidBlocks: 0,
  failures: 0,
  failingSince: null as number | null,
  nextTryAt: 0,
  /** Counts the changes that make a running delivery stale: a replay, a pause. */
  generation: 0,
  revision: 0,
  createdAt: 0,
};

export type StoredWebhook = typeof BLANK;

/** Used as the epoch of a webhook that follows its account's log of paper follows instead of the log of events. */
export const PAPER_EPOCH = "paper";

const COLUMNS = columnsOf(BLANK, "webhook");

/** Never change after creation. */
const FIXED = new Set<string>(["id", "shard", "accountId", "createdAt"]);
const CHANGING = COLUMNS.pairs.filter(([, property]) => !FIXED.has(property));

const SELECT = raw(`SELECT ${COLUMNS.selected} FROM webhook`);
const UPDATE = `UPDATE webhook SET ${CHANGING.map(([column]) => `${column} = ?`).join(", ")} WHERE id = ?`;

const locked = (tx: Queries) => raw(tx.dialect === "postgres" ? "FOR UPDATE" : "");

/** Its revision comes from `nextRevision`, in the same transaction. */
export const insertWebhook = (tx: Queries, webhook: StoredWebhook): Promise<void> =>
  insertRow(tx, "webhook", COLUMNS, webhook);

/** One of the account's, and not deleted. */
export function findWebhook(queries: Queries, accountId: string, id: string): Promise<StoredWebhook | null> {
  return queries.one<StoredWebhook>(
    sql`${SELECT} WHERE id = ${id} AND account_id = ${accountId} AND status <> 'deleted'`,
  );
}

/** One of any account's, and not deleted: for the operator. */
export function findAnyWebhook(queries: Queries, id: string): Promise<StoredWebhook | null> {
  return queries.one<StoredWebhook>(sql`${SELECT} WHERE id = ${id} AND status <> 'deleted'`);
}

/** All accounts' webhooks in id order, after a given id. */
export function webhooksFrom(queries: Queries, after: string, limit: number): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE id > ${after} AND status <> 'deleted' ORDER BY id LIMIT ${limit}`,
  );
}

/** Oldest first, so that those still included in a smaller plan come first. */
export function webhooksOfAccount(queries: Queries, accountId: string): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE account_id = ${accountId} AND status <> 'deleted' ORDER BY created_at, id`,
  );
}

/** An owner's change, under a new revision; null when there is no such webhook of the account. */
export async function changeWebhook(
  tx: Queries,
  found: Pick<StoredWebhook, "accountId" | "id" | "shard">,
  change: (webhook: StoredWebhook) => Partial<StoredWebhook>,
): Promise<StoredWebhook | null> {
  // The shard first, as everywhere: locks are taken in the same order.
  const revision = await nextRevision(tx, found.shard);
  const held = await tx.one<StoredWebhook>(
    sql`${SELECT} WHERE id = ${found.id} AND account_id = ${found.accountId} AND status <> 'deleted' ${locked(tx)}`,
  );
  if (!held) return null;
  const changed = { ...held, ...change(held), revision };
  await updateWebhook(tx, changed);
  return changed;
}

/** Rows with these ids, locked until `tx` ends; in the same order everywhere. */
export function lockWebhooks(tx: Queries, ids: readonly string[]): Promise<StoredWebhook[]> {
  return tx.all<StoredWebhook>(sql`${SELECT} WHERE id IN (${list(ids)}) ORDER BY id ${locked(tx)}`);
}

/** Writes a row that this transaction holds. */
export async function updateWebhook(tx: Queries, webhook: StoredWebhook): Promise<void> {
  const values = [...CHANGING.map(([, property]) => webhook[property]), webhook.id];
  await tx.run({ text: UPDATE, values });
}

/** Quiet endpoints whose rows this transaction has locked: nothing up to here matched them. */
export async function advanceWebhooks(tx: Queries, ids: readonly string[], position: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    sql`UPDATE webhook SET position = ${position} WHERE id IN (${list(ids)}) AND position < ${position}`,
  );
}

/** Changes in a shard since a revision, in order; since 0, everything in it. */
export function webhooksOfShard(
  queries: Queries,
  shard: number,
  after: number,
  limit: number,
): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE shard = ${shard} AND revision > ${after} ORDER BY revision LIMIT ${limit}`,
  );
}

export async function anyWebhook(queries: Queries): Promise<boolean> {
  return (await queries.one(raw("SELECT 1 AS one FROM webhook LIMIT 1"))) !== null;
}

/** Removes rows marked deleted before a time (in `next_try_at`): by then every node knows. Returns how many. */
export function forgetDeleted(tx: Queries, before: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM webhook WHERE id IN
        (SELECT id FROM webhook WHERE status = 'deleted' AND next_try_at < ${before} LIMIT ${limit})`,
  );
}
